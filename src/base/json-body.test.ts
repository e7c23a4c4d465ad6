import { expect, test } from "vitest";
import { type JsonBody, readJsonBody } from "./json-body.ts";

const limits = { most: { most: 64, unit: "bytes" }, levels: 3 } as const;

const read = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<JsonBody> => readJsonBody(new Request("http://here/", { method: "POST", body, headers }), limits);

test("a body gives its value and its size", async () => {
  expect(await read('{"a": ["é"]}')).toEqual({ ok: true, value: { a: ["é"] }, bytes: 13 });
});

test("a blank body has no value", async () => {
  expect(await read(" \n")).toEqual({ ok: true, value: undefined, bytes: 2 });
  expect(await readJsonBody(new Request("http://here/", { method: "POST" }), limits)).toEqual({
    ok: true,
    value: undefined,
    bytes: 0,
  });
});

test.each([
  ["no JSON", "{", {}, 400, /^The body is not valid JSON: /u],
  ["too deep", "[[[[]]]]", {}, 400, /more than 3 levels deep/u],
  ["too long", `"${"x".repeat(63)}"`, {}, 413, /longer than 64 bytes/u],
  ["said to be too long", "{}", { "content-length": "65" }, 413, /longer than 64 bytes/u],
  ["compressed", "{}", { "content-encoding": "gzip" }, 415, /compressed/u],
  ["not UTF-8", Buffer.from('"caf\u00e9"', "latin1"), {}, 400, /not UTF-8/u],
])("a body is refused with a reason: %s", async (_, body, headers, status, problem) => {
  expect(await read(body, headers)).toEqual({ ok: false, status, problem: expect.stringMatching(problem) });
});

test("a body that breaks off is refused", async () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{}")),
    pull: (controller) => controller.error(new Error("The connection is gone.")),
  });
  const request = new Request("http://here/", { method: "POST", body, duplex: "half" });
  expect(await readJsonBody(request, limits)).toMatchObject({ ok: false, status: 400 });
});
