import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import type { ContentPart } from "../protocol/messages.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { readResult } from "./read-result.ts";
import { runTool, testContext, wordsOf } from "./testing/context.ts";

async function read(parts: readonly ContentPart[], input: JsonObject) {
  const workspace = await temporaryWorkspace({});
  try {
    const context = {
      ...testContext(workspace.root),
      result: async () => ({ ok: true as const, value: { of: "the call", parts } }),
    };
    return wordsOf(await runTool(readResult, { call: "c1", ...input }, context));
  } finally {
    await workspace.remove();
  }
}

const text = (words: string): ContentPart => ({ type: "text", text: words });
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");

test("a short result is shown whole, with its images", async () => {
  const picture: ContentPart = { type: "image", mediaType: "image/png", data: "AA==" };
  expect(await read([text("one\ntwo\n"), picture], {})).toEqual({
    outcome: "ok",
    words: "[Lines 1-2 of 2 of the result of the call.]\none\ntwo\n<image/png>",
  });
  expect(await read([text("one\ntwo"), picture], { from: 2 })).toEqual({
    outcome: "ok",
    words: "[Lines 2-2 of 2 of the result of the call.]\ntwo",
  });
});

test("a long result is paged, and each page names the next", async () => {
  const parts = [text(numbered(1_000))];
  const first = await read(parts, {});
  expect(first.words.split("\n")[0]).toBe(
    '[Lines 1-400 of 1000 of the result of the call. Read on with call: "c1", from: 401.]',
  );
  const seen: string[] = [];
  for (let from = 1; from <= 1_000;) {
    const [note = "", ...lines] = (await read(parts, { from, lines: 333 })).words.split("\n");
    seen.push(...lines);
    from = Number(/from: (\d+)/u.exec(note)?.[1] ?? 1_001);
  }
  expect(seen.join("\n")).toBe(numbered(1_000));
});

test("a page never exceeds 16 KiB, and even a line of a megabyte can be read to its end", async () => {
  const parts = [text("é".repeat(500_000) + "😀".repeat(1_000) + "END")];
  let all = "";
  for (let from = 1; ;) {
    const { words } = await read(parts, { from });
    expect(Buffer.byteLength(words)).toBeLessThan(17 * 1024);
    const [note = "", ...lines] = words.split("\n");
    all += lines.join("");
    const next = /from: (\d+)/u.exec(note)?.[1];
    if (next === undefined) break;
    from = Number(next);
  }
  expect(all).toBe("é".repeat(500_000) + "😀".repeat(1_000) + "END");
});

test("a missing line, text or call is explained in words", async () => {
  expect(await read([text("one")], { from: 2 })).toEqual({
    outcome: "failed",
    words: "The result of the call has only 1 line.",
  });
  expect(await read([text("")], {})).toEqual({
    outcome: "ok",
    words: "[The result of the call has no text.]",
  });
  const workspace = await temporaryWorkspace({});
  const context = testContext(workspace.root);
  expect(wordsOf(await runTool(readResult, { call: "nobody" }, context)).outcome).toBe("failed");
  await workspace.remove();
});
