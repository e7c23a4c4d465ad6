import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { readAll } from "../../testing/read-all.ts";
import { scale } from "../../testing/scale.ts";
import { openaiChat } from "./openai-chat.ts";

/** Tests calls labelled in every combination of the ways in which servers label their chunks. */

const indexes = ["right", "from one", "missing", "null", "all zero", "rising"] as const;
const ids = ["first", "each", "none", "empty after"] as const;
const names = ["first", "each", "split"] as const;
const starts = ["empty", "at once", "empty object"] as const;

type Style = {
  index: (typeof indexes)[number];
  id: (typeof ids)[number];
  name: (typeof names)[number];
  start: (typeof starts)[number];
};

/** A name joined wrongly from pieces is none of these, so the call is refused. */
const tools = ["read_file", "list", "a"];

type Spoken = { name: string; input: JsonObject; cuts: number[] };

const styles: fc.Arbitrary<Style> = fc
  .record({
    index: fc.constantFrom(...indexes),
    id: fc.constantFrom(...ids),
    name: fc.constantFrom(...names),
    start: fc.constantFrom(...starts),
  })
  // Indistinguishable from two calls of one tool, the first without arguments.
  .filter(
    ({ index, id, name, start }) =>
      !(index === "rising" && id === "none" && name === "each" && start === "empty object"),
  );

const spoken: fc.Arbitrary<Spoken> = fc.record({
  name: fc.constantFrom(...tools),
  input: fc.constantFrom<JsonObject>({}, { n: 1 }, { path: "{}", deep: { "}": ["{", {}] } }, { text: 'a"b' }),
  cuts: fc.array(fc.nat({ max: 40 }), { maxLength: 4 }),
});

/** Whether the labels are unambiguous: then every call must be found; otherwise none may be wrong. */
function isClear(calls: readonly Spoken[], { index, id, name, start }: Style): boolean {
  if (index === "rising" && id !== "each" && name !== "first") return false;
  const labelled = id !== "none" || index === "right" || index === "from one";
  return labelled || (start === "at once" && name !== "split" && !calls.some(repeatsEmpty));
}

/** A second call of a tool whose first had no arguments looks like the real object after an empty one. */
const repeatsEmpty = (call: Spoken, at: number, calls: readonly Spoken[]): boolean =>
  calls[at - 1]?.name === call.name && JSON.stringify(calls[at - 1]?.input) === "{}";

function streamOf(calls: readonly Spoken[], style: Style): Buffer {
  let sent = 0;
  const chunks = calls.flatMap((call, at) =>
    entriesOf(call, style).map((fn, nth) => {
      const entry: Record<string, unknown> = { type: "function", function: fn };
      if (style.index === "right") entry["index"] = at;
      if (style.index === "from one") entry["index"] = at + 1;
      if (style.index === "null") entry["index"] = null;
      if (style.index === "all zero") entry["index"] = 0;
      if (style.index === "rising") entry["index"] = sent++;
      if (style.id !== "none" && (nth === 0 || style.id === "each")) entry["id"] = `id_${at}`;
      else if (style.id === "empty after") entry["id"] = "";
      return { choices: [{ index: 0, delta: { tool_calls: [entry] }, finish_reason: null }] };
    }),
  );
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] };
  return Buffer.from([...chunks, end].map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""));
}

function entriesOf({ name, input, cuts }: Spoken, style: Style): { name?: string; arguments?: string }[] {
  const text = JSON.stringify(input);
  const places = [...new Set(cuts.map((cut) => cut % text.length))]
    .toSorted((a, b) => a - b)
    .filter((at) => at > 0);
  const pieces = [...places, text.length].map((end, at) => text.slice(places[at - 1] ?? 0, end));
  const opening = style.start === "at once" ? [] : [style.start === "empty" ? "" : "{}"];
  const written = opening[0] === "{}" && text === "{}" ? ["{}"] : [...opening, ...pieces];
  const entries = written.map((json, at) => {
    const isNamed = style.name === "each" || (style.name === "first" && at === 0);
    return isNamed ? { name, arguments: json } : { arguments: json };
  });
  const half = Math.ceil(name.length / 2);
  return style.name === "split" && name.length > 1
    ? [{ name: name.slice(0, half) }, { name: name.slice(half) }, ...entries]
    : style.name === "split"
      ? [{ name }, ...entries]
      : entries;
}

test("calls are found whatever the labels of their chunks, and ambiguous streams never run a wrong one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(spoken, { minLength: 1, maxLength: 3 }), styles, async (calls, style) => {
      const { events } = await readAll(openaiChat, streamOf(calls, style));
      const ended = events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));
      const runnable = ended.filter(({ problem }) => problem === undefined);
      const heard = runnable.map(({ name, input }) => ({ name, input }));
      const expected = calls.map(({ name, input }) => ({ name, input }));
      if (isClear(calls, style)) expect(heard).toEqual(expected);
      else expect(heard.filter((call) => tools.includes(call.name) && !isOneOf(call, expected))).toEqual([]);
    }),
    { numRuns: 300 * scale },
  );
});

const isOneOf = (call: object, all: readonly object[]): boolean =>
  all.some((other) => JSON.stringify(other) === JSON.stringify(call));
