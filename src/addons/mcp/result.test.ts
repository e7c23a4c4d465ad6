/** Answers of servers' tools as results: data within limits. */

import { expect, test } from "vitest";
import { fileBounds } from "../../base/bounds.ts";
import { sha256 } from "../../base/crypto.ts";
import type { JsonObject } from "../../base/json.ts";
import { producedOf } from "./result.ts";
import { wordsOf } from "./testing/servers.ts";

const kept: Uint8Array[] = [];
const context = {
  keep: async (bytes: Uint8Array) => {
    kept.push(bytes);
    return sha256(bytes);
  },
};
const made = (answer: JsonObject) => producedOf(answer, context);
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A PNG whose header declares these dimensions. */
function pngOf(width: number, height: number): string {
  const bytes = Buffer.from(png, "base64");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}

test("text, pictures, links, embedded resources and structured content are rendered", async () => {
  const produced = await made({
    content: [
      { type: "text", text: "a\u001b[1mb\u0000\rc" },
      { type: "image", data: png, mimeType: "image/jpeg" },
      { type: "resource_link", uri: "file:///x", name: "x", description: "The x." },
      { type: "resource", resource: { uri: "test://r", text: "inside" } },
      { type: "resource", resource: { uri: "test://b", blob: "AAAA", mimeType: "application/zip" } },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    ],
    structuredContent: { answer: 42 },
  });
  expect(produced.outcome).toBe("ok");
  expect(wordsOf(produced)).toBe(
    [
      "ab\nc",
      '[Resource file:///x "x": The x.]',
      "[test://r]",
      "inside",
      "[test://b: 3 bytes of application/zip, which cannot be told.]",
      "[A sound (audio/wav), which cannot be told.]",
      '{\n "answer": 42\n}',
      "[image/png]",
    ].join("\n"),
  );
});

test.each<[string, JsonObject, string]>([
  ["nothing", {}, "[It has no content.]"],
  ["words that are no list", { content: "text" }, "text"],
  ["a part that is no list", { content: { type: "text", text: "text" } }, "text"],
  ["a failure without words", { isError: true }, "It failed, and does not say why."],
  [
    "the same twice",
    { content: [{ type: "text", text: '{"a":[1,"x"]}' }], structuredContent: { a: [1, "x"] } },
    '{"a":[1,"x"]}',
  ],
  [
    "a picture that is none",
    { content: [{ type: "image", data: "PHN2Zz4=", mimeType: "image/svg+xml" }] },
    "[A picture that is none that models take (image/svg+xml): left out.]",
  ],
  [
    "a picture that was cut off, for which models refuse all that comes after",
    { content: [{ type: "image", data: png.slice(0, 60), mimeType: "image/png" }] },
    "[A picture (image/png) is left out: it is damaged or cut off.]",
  ],
  [
    "a picture of more pixels than models take",
    { content: [{ type: "image", data: pngOf(60_000, 2), mimeType: "image/png" }] },
    "[A picture (image/png) is left out: it has 60000 × 2 pixels, and 8,000 on a side are the most.]",
  ],
  [
    "a picture in lines of base64",
    { content: [{ type: "image", data: png.replaceAll(/.{10}/gu, "$&\r\n"), mimeType: "image/png" }] },
    "[image/png]",
  ],
  [
    "parts that are none",
    { content: [null, 7, { type: "new" }] },
    "[Something of the kind new, which cannot be told.]",
  ],
])("%s", async (_what, answer, words) => {
  expect(wordsOf(await made(answer))).toBe(words);
});

test("a long result is truncated in the middle and stored in full", async () => {
  const long = Array.from({ length: 9_000 }, (_, at) => `line ${at}`).join("\n");
  const produced = await made({ content: [{ type: "text", text: long }] });
  expect(wordsOf(produced)).toMatch(/^line 0\n[^]*lines truncated[^]*line 8999$/u);
  expect(new TextDecoder().decode(kept.at(-1))).toBe(long);
  expect(produced.full?.bytes).toBe(long.length);
});

test("a result keeps at most as many pictures as a message", async () => {
  const image = { type: "image", data: png, mimeType: "image/png" };
  const produced = await made({ content: Array.from({ length: fileBounds.images.most + 2 }, () => image) });
  expect(produced.content.filter(({ type }) => type === "image")).toHaveLength(fileBounds.images.most);
});
