/** A model that only writes text, used as if it had native tools: it is taught a dialect, and its calls are read. */

import { deepEqual, equal } from "node:assert/strict";
import { dialects, readText, taught, tools, type Model } from "toolwright";
import { testSession } from "toolwright/testing";

const hermes = dialects["hermes"];
if (!hermes) throw new Error("There is no such dialect.");

// Any function from a prompt to text is a model. This one knows two sentences.
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

const { facts, ask, close } = await testSession(taught(model, hermes), { tools });
await ask("What is here?");
const calls = facts().flatMap((fact) => (fact.type === "call" ? [fact.call] : []));
deepEqual(
  calls.map(({ name, source, repairs }) => [name, source, repairs?.map(({ code }) => code)]),
  [["list_files", "hermes", ["comma"]]],
);
await close();

// A whole text at once, in whatever dialect it is written.
const offered = [
  { name: "play", description: "", schema: { type: "object", properties: { track: { type: "string" } } } },
];
const read = readText('Now: [TOOL_CALLS]play[ARGS]{"track": "Solar"}', { tools: offered });
deepEqual(
  read.calls.map(({ name, input, source }) => ({ name, input, source })),
  [{ name: "play", input: { track: "Solar" }, source: "mistral" }],
);
console.log(`Read "${read.text}", then a call of ${read.calls[0]?.name ?? "nothing"}.`);
