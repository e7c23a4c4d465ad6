import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { readAll } from "../../testing/read-all.ts";
import { scale } from "../../testing/scale.ts";
import { openaiResponses } from "./openai-responses.ts";

/** Tests calls labelled in every combination of the ways in which servers label their events and omit some of them. */

type Style = {
  index: "right" | "all zero" | "missing";
  itemIds: "stable" | "changing" | "missing";
  added: "whole" | "without call_id" | "missing";
  deltas: boolean;
  argumentsDone: boolean;
  itemDone: "whole" | "without arguments" | "missing";
  output: boolean;
  /** Both calls are open at the same time. */
  together: boolean;
};

const styles: fc.Arbitrary<Style> = fc.record({
  index: fc.constantFrom("right", "all zero", "missing"),
  itemIds: fc.constantFrom("stable", "changing", "missing"),
  added: fc.constantFrom("whole", "without call_id", "missing"),
  deltas: fc.boolean(),
  argumentsDone: fc.boolean(),
  itemDone: fc.constantFrom("whole", "without arguments", "missing"),
  output: fc.boolean(),
  together: fc.boolean(),
});

/** Calls that are open at the same time without any label are indistinguishable. */
const tellable = styles.filter(
  ({ index, itemIds, together }) => !together || index === "right" || itemIds === "stable",
);

type Spoken = { name: string; input: JsonObject };

const spoken: fc.Arbitrary<Spoken> = fc.record({
  name: fc.constantFrom("read_file", "list"),
  input: fc.constantFrom<JsonObject>({ n: 1 }, { path: "a" }, { deep: { list: [{}] } }),
});

/**
 * Whether every call can be identified: by its finished item, or by matching labels with arguments received in any way.
 */
function isClear({ index, itemIds, added, deltas, argumentsDone, itemDone, together }: Style): boolean {
  if (itemDone === "whole") return added !== "without call_id" || index === "right" || !together;
  const labelled = index === "right" || (itemIds === "stable" && added !== "missing");
  const named = added === "whole" || (itemDone === "without arguments" && index === "right");
  return named && (labelled || (!together && index === "missing")) && (deltas || argumentsDone);
}

let made = 0;

function eventsOf({ name, input }: Spoken, at: number, style: Style): object[] {
  const text = JSON.stringify(input);
  const label = { right: { output_index: at }, "all zero": { output_index: 0 }, missing: {} }[style.index];
  const itemId = (key: string): object =>
    style.itemIds === "missing" ? {} : { [key]: style.itemIds === "stable" ? `fc_${at}` : `x_${made++}` };
  const item = (more: object): object => ({ type: "function_call", name, ...itemId("id"), ...more });
  const known = { call_id: `call_${at}` };
  const half = Math.ceil(text.length / 2);
  const delta = (json: string): object => ({
    type: "response.function_call_arguments.delta",
    ...label,
    ...itemId("item_id"),
    delta: json,
  });
  const done = {
    type: "response.function_call_arguments.done",
    ...label,
    ...itemId("item_id"),
    arguments: text,
  };
  const begun = item({ ...(style.added === "whole" ? known : {}), arguments: "" });
  const finished = item({ ...known, arguments: style.itemDone === "whole" ? text : "" });
  return [
    ...(style.added === "missing" ? [] : [{ type: "response.output_item.added", ...label, item: begun }]),
    ...(style.deltas ? [delta(text.slice(0, half)), delta(text.slice(half))] : []),
    ...(style.argumentsDone ? [done] : []),
    ...(style.itemDone === "missing"
      ? []
      : [{ type: "response.output_item.done", ...label, item: finished }]),
  ];
}

function streamOf(calls: readonly Spoken[], style: Style): Buffer {
  const each = calls.map((call, at) => eventsOf(call, at, style));
  const length = Math.max(...each.map((events) => events.length));
  const mixed = Array.from({ length }, (_, at) => each.flatMap((events) => events.slice(at, at + 1))).flat();
  const output = calls.map(({ name, input }, at) => ({
    type: "function_call",
    call_id: `call_${at}`,
    name,
    arguments: JSON.stringify(input),
  }));
  const response = { model: "m", status: "completed", output: style.output ? output : [] };
  const events = [...(style.together ? mixed : each.flat()), { type: "response.completed", response }];
  return Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
}

test("calls are found whatever the labels of their events, and ambiguous streams never run a wrong one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(spoken, { minLength: 1, maxLength: 2 }), tellable, async (calls, style) => {
      const { events } = await readAll(openaiResponses, streamOf(calls, style));
      const ended = events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));
      const heard = ended
        .filter(({ problem }) => problem === undefined)
        .map(({ name, input }) => JSON.stringify([name, input]))
        .toSorted();
      const expected = calls.map(({ name, input }) => JSON.stringify([name, input])).toSorted();
      if (isClear(style)) expect(heard).toEqual(expected);
      expect(heard.filter((call) => !expected.includes(call) && !call.endsWith(",{}]"))).toEqual([]);
    }),
    { numRuns: 300 * scale },
  );
});
