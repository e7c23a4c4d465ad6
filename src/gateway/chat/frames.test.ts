import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chatFrames } from "./frames.ts";
import { chatRequests } from "./requests.ts";

const document = join(import.meta.dirname, "../../../docs/chat-protocol.md");

/** Rows of the table below a heading: type → description. */
async function rows(heading: string): Promise<Map<string, string>> {
  const text = await readFile(document, "utf8");
  const [section = ""] = text.slice(text.indexOf(`\n## ${heading}`) + 1).split(/\n## /u);
  return new Map(
    [...section.matchAll(/^\| `([a-z.]+)` \| (.*)$/gmu)].map(([, type = "", says = ""]) => [type, says]),
  );
}

/** Fields of every frame, documented once for all. */
const common = new Set(["type", "sessionId", "turn", "seq", "requestId", "cut"]);

test.for([
  ["What a client sends", chatRequests],
  ["What a client is sent", chatFrames],
] as const)("E8: the document lists every frame with its fields: %s", async ([heading, schemas]) => {
  const told = await rows(heading);
  expect([...told.keys()]).toEqual(Object.keys(schemas));
  for (const [type, schema] of Object.entries(schemas)) {
    const fields = Object.keys(schema.shape).filter((field) => !common.has(field));
    const missing = fields.filter((field) => !new RegExp(`\\b${field}\\b`, "u").test(told.get(type) ?? ""));
    expect({ type, missing }).toEqual({ type, missing: [] });
  }
});

test("E8: all frame names that clients of the chat protocol know exist", () => {
  const names = [
    "chat.stream.start",
    "chat.stream.delta",
    "chat.stream.end",
    "tool.call",
    "tool.result",
    "tool.error",
    "tool.approval.request",
    "tool.approval.response",
    "failure.detected",
    "error",
  ];
  expect(names.filter((name) => !Object.hasOwn(chatFrames, name))).toEqual([]);
  expect(Object.keys(chatRequests)).toEqual(expect.arrayContaining(["chat.send", "tool.approval.response"]));
});

test("E10: the protocol imports nothing but Node, the project's own modules and zod/mini", async () => {
  const files = (await readdir(import.meta.dirname)).filter((name) => /(?<!\.test)\.ts$/u.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(import.meta.dirname, name), "utf8")));
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/ from "([^"]+)";/gu)].map(([, from = ""]) => from),
  );
  const foreign = imported.filter((from) => !from.startsWith("node:") && !from.startsWith("."));
  expect(texts.length).toBeGreaterThan(10);
  expect([...new Set(foreign)]).toEqual(["zod/mini"]);
});
