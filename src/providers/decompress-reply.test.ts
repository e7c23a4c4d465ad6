import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { expect, test } from "vitest";
import type { HttpReply } from "../base/http.ts";
import { decompressReply } from "./decompress-reply.ts";

const text = "data: one 👍\n\ndata: two\n\n";

async function* pieces(bytes: Uint8Array, size = 3): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const replyOf = (coding: string | undefined, body: HttpReply["body"]): HttpReply => ({
  status: 200,
  headers: coding === undefined ? {} : { "content-encoding": coding },
  body,
});

async function read(reply: HttpReply): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of decompressReply(reply).body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test.each([
  ["gzip", gzipSync(text)],
  ["X-GZIP", gzipSync(text)],
  ["br", brotliCompressSync(text)],
  ["deflate", deflateSync(text)],
  ["deflate", deflateRawSync(text)],
  ["zstd", zstdCompressSync(text)],
  ["identity", Buffer.from(text)],
  [undefined, Buffer.from(text)],
  ["gzip", Buffer.from("")],
])("a body with the content coding %s is decoded", async (coding, bytes) => {
  expect(await read(replyOf(coding, pieces(bytes)))).toBe(bytes.length === 0 ? "" : text);
});

test("a stream is decompressed as it arrives, and breaking off the loop frees its source", async () => {
  const gate = Promise.withResolvers<void>();
  const freed = Promise.withResolvers<void>();
  const packer = createGzip();
  packer.write("data: one\n\n");
  const first = await new Promise<Uint8Array>((resolve) => {
    packer.flush(constants.Z_SYNC_FLUSH, () => resolve(packer.read()));
  });
  const source = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield first;
      await gate.promise;
    } finally {
      freed.resolve();
    }
  };
  for await (const chunk of decompressReply(replyOf("gzip", source())).body) {
    expect(Buffer.from(chunk).toString()).toBe("data: one\n\n");
    gate.resolve();
    break;
  }
  await freed.promise;
});

test("a damaged body may be whole when asked for again, and an unknown content coding is an error", async () => {
  const cut = gzipSync(text).subarray(0, 30);
  await expect(read(replyOf("gzip", pieces(cut)))).rejects.toMatchObject({
    kind: "server",
    fault: "stream_error",
  });
  await expect(read(replyOf("gzip", pieces(Buffer.from(text))))).rejects.toThrow("is damaged");
  expect(() => decompressReply(replyOf("lzma", pieces(cut)))).toThrow(
    "is packed in a way that is not known (lzma)",
  );
});

test("an error of the connection is passed on unchanged", async () => {
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield gzipSync(text).subarray(0, 20);
    throw new RangeError("It broke off.");
  };
  await expect(read(replyOf("gzip", source()))).rejects.toThrow(new RangeError("It broke off."));
});
