/** Converts a file's bytes to editable text and back, so that every byte no edit names stays unchanged. */

import { sizeInWords } from "../../base/amounts.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { otherEncoding } from "../../base/media-type.ts";
import { decodeText, encodeText } from "../../base/text.ts";

/** `isAsciiOnly`: the encoding is unknown, so only plain ASCII passages can be found and written. */
type Editable = { text: string; isAsciiOnly: boolean; encode: (text: string) => Uint8Array };

/** The problem begins with "cannot be edited as text". */
export function editableText(bytes: Uint8Array): Expected<Editable> {
  const decoded = decodeText(bytes);
  if (decoded.kind === "text") {
    const encode = (text: string): Uint8Array => encodeText(text, { bom: decoded.bom });
    return { ok: true, value: { text: decoded.text, isAsciiOnly: false, encode } };
  }
  if (decoded.type === otherEncoding)
    return { ok: true, value: { text: textOfBytes(bytes), isAsciiOnly: true, encode: bytesOfText } };
  const about = `${decoded.type}, ${sizeInWords(bytes.length)}`;
  return refuse(`cannot be edited as text: ${about}. Nothing was changed.`);
}

// eslint-disable-next-line no-control-regex -- that is what ASCII is
export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

/** Bytes beyond ASCII become lone surrogates, which never occur in decoded text. */
const halfCharacter = 0xdc00;

function textOfBytes(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) {
    const units = Array.from(bytes.subarray(at, at + 8192), (byte) =>
      byte < 0x80 ? byte : halfCharacter + byte,
    );
    pieces.push(String.fromCharCode(...units));
  }
  return pieces.join("");
}

function bytesOfText(text: string): Uint8Array {
  return Uint8Array.from(text, (_, at) => text.charCodeAt(at) & 0xff);
}

/**
 * Whether a byte of an unknown encoding precedes this place: in some encodings the next byte, though it looks like
 * ASCII, is the second half of a character.
 */
export function isAfterOddByte(text: string, place: number): boolean {
  const unit = text.charCodeAt(place - 1);
  if (!(unit >= halfCharacter + 0x80 && unit <= halfCharacter + 0xff)) return false;
  const before = text.charCodeAt(place - 2);
  return !(before >= 0xd800 && before <= 0xdbff);
}
