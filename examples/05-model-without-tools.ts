/** A text-only model used as if it had native tools: Toolwright teaches it a dialect and parses its calls. */

import { deepEqual, equal } from "node:assert/strict";
import { dialects, readText, taughtModel, tools, type Model } from "toolwright";
import { testSession } from "toolwright/testing";

const hermes = dialects["hermes"];
if (!hermes) throw new Error("There is no such dialect.");

// Any function from a prompt to text is a model. This one has two canned answers.
const answers = [
  'I look.\n<tool_call>\n{"name": "list_files", "arguments": {"path": ".",}}\n</tool_call>',
  "There is one file.",
];
const model: Model = {
  name: "mine/text-only",
  async *ask(prompt) {
    equal(prompt.tools.length, 0);
    yield { type: "answer-start", model: "text-only" };
    yield { type: "text-delta", text: answers.shift() ?? "" };
    yield { type: "answer-end", reason: "stop" };
  },
};

const { facts, ask, close } = await testSession(taughtModel(model, hermes), { tools });
await ask("What is here?");
const calls = facts().flatMap((fact) => (fact.type === "call" ? [fact.call] : []));
deepEqual(
  calls.map(({ name, source, repairs }) => [name, source, repairs?.map(({ code }) => code)]),
  [["list_files", "hermes", ["comma"]]],
);
await close();

// Parses a complete text at once, whichever dialect it uses.
const offered = [
  { name: "play", description: "", schema: { type: "object", properties: { track: { type: "string" } } } },
];
const read = readText('Now: [TOOL_CALLS]play[ARGS]{"track": "Solar"}', { tools: offered });
deepEqual(
  read.calls.map(({ name, input, source }) => ({ name, input, source })),
  [{ name: "play", input: { track: "Solar" }, source: "mistral" }],
);
console.log(`Read "${read.text}", then a call of ${read.calls[0]?.name ?? "nothing"}.`);
