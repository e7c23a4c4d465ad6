import { expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import { extract } from "../extract.ts";
import { allDialects } from "../index.ts";
import { few, outcome, ping, roll } from "../testing/outcome.ts";
import { tool } from "../testing/reading.ts";

const uses: Json[] = [
  { recipient_name: "roll", parameters: { sides: 6 } },
  { recipient_name: "ping", parameters: {} },
];
const wrapper = "multi_tool_use.parallel";

/** What looks like ordinary text is a call only if a tool on offer is called. */
const ofOffered: readonly string[] = ["cline-xml", "gemma-tool-code", "react", "continue-tool"];
const marked = allDialects.filter(({ name, tier }) =>
  tier === "whole" ? name === "bare-json" : !ofOffered.includes(name),
);

test.each(marked)("the calls in a wrapper are calls: $name", (dialect) => {
  const written = [{ id: "call00001", name: wrapper, input: { tool_uses: uses } }];
  const text = dialect.writeAnswer ? dialect.writeAnswer("", written) : dialect.writeCalls(written);
  expect(outcome(text, { tools: few, known: dialect })).toMatchObject({ calls: [roll, ping], faults: [] });
});

/** A native call, as wires tell it. */
async function* native(name: string, input: JsonObject): AsyncGenerator<ModelEvent> {
  yield { type: "call-start", id: "n1", name };
  yield { type: "call-delta", id: "n1", json: JSON.stringify(input) };
  yield {
    type: "call-end",
    call: { id: "n1", name, input, source: "native", state: { from: "a", value: 1 } },
  };
  yield { type: "answer-end", reason: "tool-calls" };
}

const read = (name: string, input: JsonObject, tools = few): Promise<ModelEvent[]> =>
  collect(extract(native(name, input), { tools, dialects: allDialects, isNative: true, newId: () => "own" }));

test.each([wrapper, "parallel", "functions.parallel"])("a native wrapper %s is opened, too", async (name) => {
  expect(await read(name, { tool_uses: uses })).toEqual([
    { type: "call-start", id: "n1", name: "roll" },
    {
      type: "call-end",
      call: { id: "n1", name: "roll", input: { sides: 6 }, source: "native", state: { from: "a", value: 1 } },
    },
    { type: "call-start", id: "own", name: "ping" },
    { type: "call-end", call: { id: "own", name: "ping", input: {}, source: "native" } },
    { type: "answer-end", reason: "tool-calls" },
  ]);
});

test.each([
  ["holds no calls", "parallel", { tool_uses: [] }, few],
  ["holds something else", "parallel", { tasks: [] }, few],
  ["is a tool on offer", "parallel", { tool_uses: uses }, [...few, tool("parallel", { tool_uses: "array" })]],
  ["is another tool", "roll", { tool_uses: uses }, few],
])("a native call that %s is told as it came", async (_, name, input, tools) => {
  const told = (await read(name, input, tools)).filter(({ type }) => type !== "call-delta");
  expect(told).toMatchObject([
    { type: "call-start", name },
    { type: "call-end", call: { name, input } },
    { type: "answer-end" },
  ]);
});
