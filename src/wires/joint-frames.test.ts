import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import { isObject, parseJson } from "../base/json.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import { scale } from "../testing/scale.ts";
import { wires } from "./index.ts";
import { FrameJoiner } from "./joint-frames.ts";
import { mergeDeltas } from "./testing/arbitraries.ts";

const joiner = (apart?: RegExp): FrameJoiner =>
  new FrameJoiner(({ content }) => (apart ? { text: content, apart } : { text: content }));

const frame = (content: string, more: object = { id: "a" }): string =>
  JSON.stringify({ ...more, content, end: null });

test("neighbouring frames that differ only in their piece become one, across batches, too", () => {
  const { texts } = joiner();
  expect(texts(["word1 ", 'said "yes"\n', "\\", "😀"].map((word) => frame(word)))).toEqual([
    frame('word1 said "yes"\n\\😀'),
  ]);
  expect(texts([frame("later "), frame("too", { id: "b" }), frame("and "), frame("more")])).toEqual([
    frame("later "),
    frame("too", { id: "b" }),
    frame("and more"),
  ]);
});

test.each([
  ["another value that differs", [frame("one", { id: "a" }), frame("one", { id: "b" })]],
  ["a number that differs", [frame("one", { id: 1 }), frame("two", { id: 2 })]],
  ["an empty piece", [frame("one"), frame("")]],
  [
    "a value that a later one replaces",
    ['{"content":"one","content":"x"}', '{"content":"two","content":"x"}'],
  ],
  ["a key", ['{"one":"x","content":"y"}', '{"two":"x","content":"y"}']],
  ["a raw line break in a string", ['{"content":"one"}', '{"content":"t\two"}']],
  ["an escape that is none", ['{"content":"one"}', String.raw`{"content":"\q"}`]],
  ["half of an escape", ['{"content":"one"}', String.raw`{"content":"\u12"}`]],
  ["a quotation mark that ends the piece", ['{"content":"one"}', '{"content":"two","content":"three"}']],
  ["no JSON", ["one", "two", ""]],
])("frames stay apart for %s", (_, frames) => {
  expect(joiner().texts(frames)).toEqual(frames);
});

test("pieces that mean something by themselves stay apart, and so do events that are none of the answer", () => {
  expect(joiner(/[{}]/).texts(["a", "b", "{", "c", "d"].map((word) => frame(word)))).toEqual(
    ["ab", "{", "cd"].map((word) => frame(word)),
  );
  const events = ["message", "error", "message"].map((event, at) => ({ event, data: frame(`${at}`) }));
  expect(joiner().events(events)).toEqual(events);
});

const nasty = fc.constantFrom(
  "",
  "a",
  " b",
  "\n",
  '"',
  "\\",
  "\\u0041",
  '\\"',
  "\u0000",
  "😀",
  "\uD83D",
  "\uDE00",
  "{}",
  "é",
);
const raw = fc.oneof(
  { weight: 6, arbitrary: nasty.map((text) => JSON.stringify(text)) },
  fc.string().map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u0041"', '"\\ud83d"', '"x', '"\\"', '"\t"', '"a","content":"b"', "null", '"\\x"'),
);
const written = fc
  .tuple(
    fc.constantFrom('"a"', '"b"', '"(piece)"'),
    raw,
    fc.constantFrom("", ',"content":"z"', ',"more":"y"'),
  )
  .map(([id, content, more]) => `{"id":${id},"content":${content}${more}}`);

/** What the frames say up to the first bad one; neighbours that say the same besides their piece, as one. */
function readingOf(frames: readonly string[]): [rest: string, content: unknown][] {
  const said: [rest: string, content: unknown][] = [];
  for (const text of frames) {
    const parsed = parseJson(text);
    if (!parsed.ok || !isObject(parsed.value)) break;
    const { content, ...others } = parsed.value;
    const rest = JSON.stringify(others);
    const last = said.at(-1);
    if (last && last[0] === rest && typeof last[1] === "string" && typeof content === "string")
      last[1] += content;
    else said.push([rest, content]);
  }
  return said;
}

test("joined frames say what the frames say, whatever is in them", () => {
  fc.assert(
    fc.property(fc.array(fc.array(written, { maxLength: 8 }), { maxLength: 4 }), (batches) => {
      const { texts } = joiner();
      expect(readingOf(batches.flatMap((batch) => texts(batch)))).toEqual(readingOf(batches.flat()));
    }),
    { numRuns: 300 * scale },
  );
});

/** An answer in many pieces: a thought, a text, a call. */
const answers = fc
  .tuple(fc.array(nasty), fc.array(nasty, { minLength: 1 }), fc.array(nasty, { maxLength: 6 }), fc.nat(4))
  .map(([thought, text, values, size]): ModelEvent[] => {
    const input = Object.fromEntries(values.map((value, at) => [`${at}`, value]));
    const json = JSON.stringify(input);
    const pieces = json.match(new RegExp(`.{1,${size + 1}}`, "gsu")) ?? [];
    return [
      { type: "answer-start", model: "m" },
      ...thought.map((piece): ModelEvent => ({ type: "reasoning-delta", text: piece })),
      { type: "reasoning-end" },
      ...text.map((piece): ModelEvent => ({ type: "text-delta", text: piece })),
      { type: "call-start", id: "call_1", name: "find" },
      ...pieces.map((piece): ModelEvent => ({ type: "call-delta", id: "call_1", json: piece })),
      { type: "call-end", call: { id: "call_1", name: "find", input, source: "native" } },
      { type: "usage", usage: { inputTokens: 1, outputTokens: 2 } },
      { type: "answer-end", reason: "tool-calls" },
    ];
  });

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

test.each(Object.values(wires))(
  "a stream of $name reads the same in one read and frame by frame",
  async (wire) => {
    await fc.assert(
      fc.asyncProperty(answers, async (events) => {
        const texts = await collect(wire.encodeEvents(each(events)));
        const bytes = (parts: readonly string[]) => each(parts.map((part) => new TextEncoder().encode(part)));
        const read = async (parts: readonly string[]) =>
          mergeDeltas((await collect(wire.decodeBatches(bytes(parts)))).flat());
        const frames = texts.join("").split(/(?<=\n\n)/);
        const lines = wire.name === "ollama" ? texts.join("").split(/(?<=\n)/) : frames;
        expect(await read([texts.join("")])).toEqual(await read(lines));
      }),
      { numRuns: 100 * scale },
    );
  },
);
