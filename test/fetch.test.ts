/** Attacks on `fetch`: requests to internal addresses and decompression bombs (SAFETY.md, sections 5 and 7). */

import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { isObject } from "../src/base/json.ts";
import type { Attacks, Bombs } from "./support/fetch-child.ts";

const run = promisify(execFile);
const child = join(import.meta.dirname, "support/fetch-child.ts");

/** A network namespace of its own that contains only this machine, with these addresses. */
const alone = [
  "ip link set lo up",
  "ip addr add 93.184.216.34/32 dev lo",
  "ip addr add 169.254.169.254/32 dev lo",
  "ip addr add 10.0.0.5/32 dev lo",
  'exec "$@"',
].join(" && ");

test("SAFETY 7, SSRF: no name, redirect or DNS rebinding reaches an internal address", async () => {
  const { stdout } = await run("unshare", [
    "-Urn",
    "sh",
    "-c",
    alone,
    "sh",
    process.execPath,
    child,
    "attacks",
  ]);
  const { public: page, attacks, inside }: Attacks = JSON.parse(stdout);
  expect(page).toBe("public");
  expect(inside).toEqual([]);
  expect(Object.keys(attacks).length).toBeGreaterThan(15);
  for (const [url, words] of Object.entries(attacks))
    expect(words, url).toMatch(/is not on the public web|which was not followed|cannot be fetched/u);
});

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;
/** Several gzip members decode to one text, and so do several zstd frames. */
const gzipMember = gzipSync(Buffer.alloc(64 * mebibyte));
const zstdFrame = zstdCompressSync(Buffer.alloc(64 * mebibyte));
const brotli = brotliCompressSync(Buffer.alloc(256 * mebibyte), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
});
/** A frame that demands a window of 128 MiB for its small content. */
const wide = zstdCompressSync(Buffer.alloc(mebibyte, "ab"), {
  params: {
    [constants.ZSTD_c_windowLog]: 27,
    [constants.ZSTD_c_contentSizeFlag]: 0,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  },
});

function* repeated(piece: Uint8Array, times: number): Generator<Uint8Array> {
  for (let sent = 0; sent < times; sent += 1) yield piece;
}

const packed =
  (encoding: string, piece: Uint8Array, times = 1): RequestListener =>
  (_, response) => {
    response.setHeader("content-encoding", encoding);
    pipeline(Readable.from(repeated(piece, times)), response).catch(() => undefined);
  };

const pages: Readonly<Record<string, RequestListener>> = {
  "/warm": packed("gzip", gzipSync("warm")),
  "/gzip": packed("gzip", gzipMember, (10 * gibibyte) / (64 * mebibyte)),
  "/zstd": packed("zstd", zstdFrame, (10 * gibibyte) / (64 * mebibyte)),
  "/br": packed("br", brotli),
  "/wide": packed("zstd", wide),
  "/deflate": packed("deflate", gzipSync(gzipMember)),
  "/nested": packed("gzip, gzip", gzipSync(gzipMember)),
  "/chunked": packed("identity", Buffer.alloc(mebibyte, "x"), 10_000),
  "/headers": (_, response) =>
    response
      .writeHead(200, Array.from({ length: 5000 }, (_, at) => [`x-${at}`, "y".repeat(50)]).flat())
      .end(),
};

test("SAFETY 5, zip bomb: ten gigabytes use less than 30 MB of memory, and give an error", async () => {
  const server = createServer((request, response) => pages[request.url ?? ""]?.(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = isObject(address) ? String(address["port"]) : "";
  const urls = Object.keys(pages).map((path) => `http://127.0.0.1:${port}${path}`);
  const { stdout } = await run(process.execPath, [child, "bombs", ...urls]);
  const bombs: Bombs = JSON.parse(stdout);
  expect(bombs).toHaveLength(urls.length - 1);
  for (const { url, words, grownMb } of bombs) {
    expect(words, url).toMatch(
      /larger than|times as long|packed more than once|cannot be unpacked|more headers/u,
    );
    expect(grownMb, url).toBeLessThan(30);
  }
});
