/** Reads and decompresses the body of a reply, and aborts before it exceeds its limits. */

import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { sizeInWords } from "./amounts.ts";
import { type Expected, refuse } from "./expected.ts";

export type BodyLimits = {
  /** Maximum decompressed size in bytes. */
  bytes: number;
  /** Maximum ratio of decompressed to compressed size, checked once `ratioFrom` decompressed bytes have been read. */
  ratio: number;
  ratioFrom: number;
};

/**
 * The problem is a predicate for the name of the requested resource: "is larger than …". Throws if the connection
 * fails.
 */
export async function bodyOf(
  incoming: IncomingMessage,
  limits: BodyLimits,
  signal: AbortSignal,
): Promise<Expected<Uint8Array>> {
  const told = Number(incoming.headers["content-length"] ?? 0);
  const decoder =
    told > limits.bytes ? tooLarge(limits, told) : decoderFor(incoming.headers["content-encoding"]);
  if (decoder !== undefined && "problem" in decoder) {
    incoming.destroy();
    return refuse(decoder.problem);
  }
  const chunks: Uint8Array[] = [];
  const sizes = { packed: 0, unpacked: 0 };
  const count = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      sizes.packed += chunk.length;
      yield chunk;
    }
  };
  const keep = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) {
      sizes.unpacked += chunk.length;
      const why = whyTooLarge(sizes, limits);
      if (why !== undefined) throw new Excess(why);
      chunks.push(chunk);
    }
  };
  const { pipeline } = process.getBuiltinModule("node:stream/promises");
  try {
    const beginning = decoder && (await beginningOf(incoming, signal));
    if (beginning?.length === 0) return { ok: true, value: beginning };
    if (decoder && beginning) await pipeline(incoming, count, decoder.make(beginning), keep, { signal });
    else await pipeline(incoming, keep, { signal });
  } catch (error) {
    if (error instanceof Excess) return refuse(error.message);
    if (isOfCompression(error)) return refuse("is damaged: it cannot be unpacked.");
    throw error;
  }
  return { ok: true, value: Buffer.concat(chunks) };
}

class Excess extends Error {
  override readonly name = "Excess";
}

type Sizes = { packed: number; unpacked: number };

function whyTooLarge(
  { packed, unpacked }: Sizes,
  { bytes, ratio, ratioFrom }: BodyLimits,
): string | undefined {
  if (unpacked > bytes)
    return `is larger than the ${sizeInWords(bytes)} that are fetched at most; it was broken off.`;
  if (unpacked > ratioFrom && packed > 0 && unpacked > packed * ratio)
    return `becomes more than ${ratio} times as long when it is unpacked; it was broken off.`;
  return undefined;
}

const tooLarge = ({ bytes }: BodyLimits, told: number): { problem: string } => ({
  problem: `is ${sizeInWords(told)} long; at most ${sizeInWords(bytes)} are fetched.`,
});

/** Creates the decompressor once the first bytes are there. */
type Decoder = { make: (first: Uint8Array) => Transform };

const zlib = () => process.getBuiltinModule("node:zlib");
/** RFC 9659: no client must use more than 8 MiB to decompress a page. */
const zstdWindow = 23;

const decoders: Readonly<Record<string, Decoder["make"]>> = {
  gzip: () => zlib().createGunzip(),
  "x-gzip": () => zlib().createGunzip(),
  br: () => zlib().createBrotliDecompress(),
  deflate: (first) => (hasZlibHeader(first) ? zlib().createInflate() : zlib().createInflateRaw()),
  zstd: () => zlib().createZstdDecompress({ params: { [zlib().constants.ZSTD_d_windowLogMax]: zstdWindow } }),
};

/** Returns undefined for an uncompressed body. */
export function decoderFor(encoding = ""): Decoder | { problem: string } | undefined {
  const names = encoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  const [name, second] = names;
  if (name === undefined) return undefined;
  if (second !== undefined) return { problem: "is packed more than once, which is not unpacked." };
  const make = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  return make ? { make } : { problem: `is packed in a way that is not known (${name.slice(0, 40)}).` };
}

/** Half the servers send "deflate" without the zlib header that it should have. */
const hasZlibHeader = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;

/** Peeks at the first bytes of the body without consuming them; undefined if it is empty. */
async function beginningOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Uint8Array> {
  const events = process.getBuiltinModule("node:events");
  for (;;) {
    // The stream may have failed before a listener was attached.
    if (incoming.errored) throw incoming.errored;
    const chunk: unknown = incoming.read();
    if (chunk instanceof Uint8Array) {
      incoming.unshift(chunk);
      return chunk;
    }
    if (incoming.readableEnded) return new Uint8Array();
    await Promise.race(["readable", "end"].map((event) => events.once(incoming, event, { signal })));
  }
}

export function isOfCompression(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return (
    /^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_ZSTD|ZSTD_|ERR_PADDING)/u.test(code) ||
    code === "ERR_TRAILING_JUNK_AFTER_STREAM_END"
  );
}
