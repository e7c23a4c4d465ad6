/** Pictures for tests: valid PNG files of any size. */

import { crc32, deflateSync } from "node:zlib";
import type { ImagePart } from "../protocol/messages.ts";

/** One grey pixel by default; `padding` adds a comment of that many bytes. */
export function testPng({ width = 1, height = 1, padding = 0 } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8; // bit depth; colour type 0 is grey
  const comment = padding === 0 ? [] : [chunk("tEXt", Buffer.alloc(padding, 65))];
  const rows = deflateSync(Buffer.alloc(Math.min(width * height + height, 2)));
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    start,
    chunk("IHDR", header),
    ...comment,
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

export const testPicture = (how: Parameters<typeof testPng>[0] = {}): ImagePart => ({
  type: "image",
  mediaType: "image/png",
  data: testPng(how).toString("base64"),
});
