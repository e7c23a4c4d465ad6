/** Messages from a server's output, however it is chunked. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { toolServerBounds } from "./bounds.ts";
import { type MessageFrame, FrameReader } from "./frames.ts";

const read = (text: string, sizes: readonly number[] = []): MessageFrame[] => {
  const reader = new FrameReader();
  const bytes = Buffer.from(text);
  const frames: MessageFrame[] = [];
  let at = 0;
  for (const size of sizes) {
    frames.push(...reader.read(bytes.subarray(at, at + size)));
    at += size;
  }
  return [...frames, ...reader.read(bytes.subarray(at))];
};

test("frames do not depend on how the output is chunked", () => {
  const lines = [
    '{"jsonrpc":"2.0","id":1,"result":{"a":"é日"}}',
    "noise",
    "",
    "\r",
    '{"jsonrpc":"2.0","method":"x"}',
    "{bad",
    "[1]",
  ];
  const text = `${lines.join("\n")}\n`;
  const whole = read(text);
  expect(whole.map(({ type }) => type)).toEqual(["message", "noise", "message", "noise", "noise"]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (sizes) => {
      expect(read(text, sizes)).toEqual(whole);
    }),
  );
});

const filler = "x".repeat(toolServerBounds.message.most);

test.each([
  [`{"jsonrpc":"2.0","id":7,"result":"${filler}"}`, 7],
  [`{"result":"${filler}","jsonrpc":"2.0","id":8}`, 8],
  [`{"id":9,"result":"${filler}"}`, 9],
  [`{"jsonrpc":"2.0","method":"notify","params":"${filler}"}`, undefined],
  [filler + filler, undefined],
])("an oversized message is dropped, and its request id is reported where known (%#)", (text, id) => {
  const sizes = Array.from({ length: 400 }, () => 65_536);
  const frames = read(`${text}\n{"jsonrpc":"2.0","method":"next"}\n`, sizes);
  expect(frames).toEqual([
    { type: "too-large", ...(id === undefined ? {} : { id }) },
    { type: "message", value: { jsonrpc: "2.0", method: "next" } },
  ]);
});

test("a deeply nested message is not parsed", () => {
  const deep = `{"jsonrpc":"2.0","id":3,"result":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect(read(`${deep}\n`)).toEqual([{ type: "too-deep", id: 3 }]);
});

test("a line of invalid JSON counts as a response only if it names its request id", () => {
  const cut = '{"jsonrpc":"2.0","id":4,"result":{"content":[\n';
  expect(read(`${cut}"x"]}}\n{bad\n`)).toEqual([
    { type: "broken", id: 4 },
    { type: "noise", line: '"x"]}}' },
    { type: "noise", line: "{bad" },
  ]);
});
