import fc from "fast-check";
import { expect, test } from "vitest";
import { fileBounds, outputBounds } from "../../base/bounds.ts";
import type { Entry } from "../../protocol/facts.ts";
import type { ChatFrame } from "./frames.ts";
import { projectChat } from "./project.ts";
import { shortenText, shortInput, shortMetadata } from "./shorten.ts";
import { type ChatState, emptyChat } from "./state.ts";

function expectCut(short: string, whole: string, most: number): void {
  expect(Buffer.byteLength(short)).toBeLessThanOrEqual(most);
  const [head = "", left, tail = ""] = short.split(
    /\n\[(\d+) bytes are left out here; the session has them\.\]\n/u,
  );
  expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
  expect(Buffer.byteLength(head + tail) + Number(left)).toBe(Buffer.byteLength(whole));
}

test("E8: a text is cut in the middle to the byte limit, never within a character", () => {
  const text = fc.string({ unit: "grapheme", minLength: 300, maxLength: 2_000 });
  fc.assert(
    fc.property(text, fc.integer({ min: 200, max: 1_500 }), (whole, most) => {
      const { text: short, isCut } = shortenText(whole, most);
      expect(isCut).toBe(Buffer.byteLength(whole) > most);
      if (isCut) expectCut(short, whole, most);
      else expect(short).toBe(whole);
    }),
  );
});

test("a call's arguments keep their shape, with long texts shortened", () => {
  const { input, isCut } = shortInput({ path: "a.txt", edits: [{ old: "x", new: "y".repeat(200_000) }] });
  expect(isCut).toBe(true);
  expect(input).toMatchObject({
    path: "a.txt",
    edits: [{ old: "x", new: expect.stringContaining("left out here") }],
  });
  expect(shortInput({ path: "a.txt" })).toEqual({ input: { path: "a.txt" }, isCut: false });
  const many = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, at) => [`key${at}`, "value of some length"]),
  );
  expect(shortInput(many)).toEqual({ input: {}, isCut: true });
  expect(shortMetadata({ token: "t" })).toEqual({ metadata: { token: "t" } });
  expect(shortMetadata({ diffPreview: "d".repeat(200_000) })).toEqual({});
});

test.for([
  ["execute", outputBounds.shown.most],
  ["read", fileBounds.readBytes.most],
] as const)("E8: the result of a call of kind %s is at most %i bytes in a frame", ([does, most]) => {
  const stamp = { v: 1, at: 0, turn: 1 };
  const log: Entry[] = [
    { ...stamp, seq: 1, type: "user-message", content: [{ type: "text", text: "Go." }] },
    { ...stamp, seq: 2, type: "call", call: { id: "c", name: "n", input: {}, source: "native" } },
    { ...stamp, seq: 3, type: "call-start", callId: "c", title: "T", does },
    {
      ...stamp,
      seq: 4,
      type: "result",
      callId: "c",
      outcome: "ok",
      content: [{ type: "text", text: "é".repeat(200_000) }],
    },
  ];
  let state: ChatState = emptyChat("s");
  let last: ChatFrame[] = [];
  for (const entry of log) ({ state, frames: last } = projectChat(state, entry));
  const [frame] = last;
  if (frame?.type !== "tool.result") throw new Error("no result");
  expect(frame.cut).toBe(true);
  expect(Buffer.byteLength(frame.text)).toBeLessThanOrEqual(most);
  expect(Buffer.byteLength(frame.text)).toBeGreaterThan(most - 200);
});
