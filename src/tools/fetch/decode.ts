/** Classifies a page's bytes: an image, HTML or other text in its encoding, or nothing that can be shown. */

import { otherEncoding, sniffType } from "../../base/media-type.ts";
import { decodeText, hasNul } from "../../base/text.ts";

export type PageContent =
  | { kind: "html" | "text"; text: string; mediaType: string }
  | { kind: "image"; mediaType: string }
  | { kind: "other"; mediaType: string };

const pictures: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const textTypes = /^text\/|[/+](?:json|xml|yaml|toml|javascript|ecmascript|graphql|csv|sql)\b|json|-sh\b/u;
const htmlTypes: readonly string[] = ["text/html", "application/xhtml+xml"];

/** `type` is the Content-Type as sent; if header and bytes disagree about an image, the bytes win. */
export function contentOf(bytes: Uint8Array, type: string): PageContent {
  const mediaType = mediaTypeIn(type);
  const sniffed = sniffType(bytes);
  const isHtml = htmlTypes.includes(mediaType);
  const isText = isHtml || textTypes.test(mediaType);
  // Text may begin like an image ("GIF89a is …").
  if (pictures.includes(sniffed) && !(isText && !hasNul(bytes))) return { kind: "image", mediaType: sniffed };
  const isWide = encodingByMark(bytes) !== undefined || /charset\s*=\s*"?utf-(?:16|32)/iu.test(type);
  if (isText) {
    if (hasNul(bytes) && !isWide) return { kind: "other", mediaType };
    return { kind: isHtml ? "html" : "text", text: decodeBytes(bytes, { type, isHtml }), mediaType };
  }
  // Files are often sent without a proper type.
  const found = decodeText(bytes);
  if (found.kind === "binary") {
    const isUnknown = mediaType === "" || mediaType === "application/octet-stream";
    const known = sniffed.includes("/") && sniffed !== "application/octet-stream" ? sniffed : mediaType;
    return (found.type === otherEncoding || isWide) && isUnknown
      ? { kind: "text", text: decodeBytes(bytes, { type, isHtml: false }), mediaType }
      : { kind: "other", mediaType: known };
  }
  const looksHtml = mediaType === "" && /^\s{0,200}<(?:!doctype html|html)\b/iu.test(found.text);
  return { kind: looksHtml ? "html" : "text", text: found.text, mediaType };
}

/** Drops anything that cannot be a media type. */
const mediaTypeIn = (type: string): string =>
  /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})/u.exec(type)?.[1]?.toLowerCase() ?? "";

/** What is known about a page besides its bytes. */
type ContentType = { type: string; isHtml: boolean };

/** Excludes UTF-16 and UTF-32: had the page used them, this pattern could not have matched its bytes. */
const inHtml = /<meta\b[^>]{0,200}?charset\s*=\s*["']?(?!utf-?(?:16|32))([\w.:-]{1,40})/iu;
const inXml = /^<\?xml\b[^>]{0,200}?encoding\s*=\s*["'](?!utf-?(?:16|32))([\w.:-]{1,40})/iu;

/** By byte order mark, header, or the page itself; else UTF-8, falling back to Windows-1252. */
function decodeBytes(bytes: Uint8Array, { type, isHtml }: ContentType): string {
  const byMark = encodingByMark(bytes);
  const inHeader = /charset\s*=\s*["']?([\w.:-]{1,40})/iu.exec(type)?.[1];
  const inPage = (isHtml ? inHtml : inXml).exec(startOf(bytes))?.[1];
  for (const label of [byMark, inHeader, inPage]) {
    const decoder = label === undefined ? undefined : decoderFor(label);
    if (decoder) return decoder.decode(bytes);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function encodingByMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : undefined;
}

/** The part of a page that may declare its encoding. */
const startOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 2000)).toString("latin1");

function decoderFor(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
