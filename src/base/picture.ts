/**
 * Checks whether bytes that begin like a picture are one: parses up to its size, and to its end where that is cheap.
 */

import { sizeInWords } from "./amounts.ts";
import { figureOf } from "./bound.ts";
import { fileBounds } from "./bounds.ts";

type PictureSize = { width: number; height: number };

/**
 * Why a model's server would refuse the picture, and with it every later request of the conversation: "it has …",
 * without a full stop. Undefined if it would accept the picture.
 */
export function whyNotShown(bytes: Uint8Array, mediaType: string): string | undefined {
  const { imageBytes } = fileBounds;
  const { side } = fileBounds;
  if (bytes.length > imageBytes.most)
    return `it has ${sizeInWords(bytes.length)}, and ${figureOf(imageBytes)} are the most`;
  const size = pictureSize(bytes, mediaType);
  if (!size) return "it is damaged or cut off";
  const { width, height } = size;
  return Math.max(width, height) > side.most
    ? `it has ${width} × ${height} pixels, and ${figureOf(side)} on a side are the most`
    : undefined;
}

/** The size in pixels, or undefined if the picture is damaged, cut off or not one at all. Never throws. */
export function pictureSize(bytes: Uint8Array, mediaType: string): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = readSize(view, mediaType);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // truncated
    throw error;
  }
}

function readSize(view: DataView, mediaType: string): PictureSize | undefined {
  switch (mediaType) {
    case "image/png":
      return pngSize(view);
    case "image/jpeg":
      return jpegSize(view);
    case "image/gif":
      return gifSize(view);
    case "image/webp":
      return webpSize(view);
    default:
      return undefined;
  }
}

const nameAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((step) => view.getUint8(at + step)));

/** Walks the chunks to the end (PNG specification, section 5): servers refuse a truncated picture. */
function pngSize(view: DataView): PictureSize | undefined {
  if (nameAt(view, 12) !== "IHDR" || view.getUint32(8) !== 13) return undefined;
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  let hasData = false;
  for (let at = 8; at < view.byteLength;) {
    const name = nameAt(view, at + 4);
    if (name === "IEND") return hasData ? size : undefined;
    hasData ||= name === "IDAT";
    at += view.getUint32(at) + 12;
  }
  return undefined;
}

/** Walks the segments up to the one that holds the size (ITU T.81, annex B). */
function jpegSize(view: DataView): PictureSize | undefined {
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1; // padding
    else if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else if (marker === 0xda || marker === 0xd9) return undefined;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
}

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function gifSize(view: DataView): PictureSize | undefined {
  view.getUint8(13); // throws if the data ends before the first byte after the screen descriptor
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** RFC 9649. */
function webpSize(view: DataView): PictureSize | undefined {
  if (nameAt(view, 0) !== "RIFF" || view.getUint32(4, true) + 8 > view.byteLength + 1) return undefined;
  const chunk = nameAt(view, 12);
  if (chunk === "VP8X") return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (chunk === "VP8L") {
    const packed = view.getUint32(21, true);
    return { width: 1 + (packed & 0x3fff), height: 1 + ((packed >> 14) & 0x3fff) };
  }
  if (chunk !== "VP8 ") return undefined;
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
