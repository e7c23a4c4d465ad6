/** Binary contents in git's patch format: deflated, in base 85 (git's own, not Ascii85). */

import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

const none = new Uint8Array();

/** Encodes both directions, so that the patch can be reversed. `null` means no file. */
export function binaryPatch(old: Uint8Array | null, now: Uint8Array | null): string {
  return [
    `index ${blobName(old)}..${blobName(now)}`,
    "GIT binary patch",
    ...literal(now ?? none),
    "",
    ...literal(old ?? none),
    "",
    "",
  ].join("\n");
}

/** Git's object id of a content, zeros for no file. Git rejects binary patches without it. */
function blobName(bytes: Uint8Array | null): string {
  if (bytes === null) return "0".repeat(40);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

const lineBytes = 52;

function literal(bytes: Uint8Array): string[] {
  const deflated = deflateSync(bytes);
  const lines = [`literal ${bytes.length}`];
  for (let at = 0; at < deflated.length; at += lineBytes) {
    const piece = deflated.subarray(at, at + lineBytes);
    lines.push(lengthMark(piece.length) + base85(piece));
  }
  return lines;
}

/** Git's line-length mark: A to Z for 1 to 26 bytes, a to z for 27 to 52. */
const lengthMark = (length: number): string =>
  String.fromCharCode(length <= 26 ? 64 + length : 96 + length - 26);

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

function base85(bytes: Uint8Array): string {
  const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  let text = "";
  for (let at = 0; at < padded.length; at += 4) {
    let rest = padded.readUInt32BE(at);
    let group = "";
    for (let digit = 0; digit < 5; digit += 1) {
      group = (digits[rest % 85] ?? "") + group;
      rest = Math.floor(rest / 85);
    }
    text += group;
  }
  return text;
}
