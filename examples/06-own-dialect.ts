/** Your own dialect: how to teach a text-only model to write calls, and how to parse them. */

import { deepEqual, equal, match } from "node:assert/strict";
import {
  marksOf,
  openAgent,
  taggedResults,
  takeSpace,
  takeUntil,
  takeWhile,
  type MarkedDialect,
  type WrittenCall,
} from "toolwright";
import { scriptedModel, serveModel, temporaryWorkspace, textOnly } from "toolwright/testing";

const end = marksOf(["@end"]);

/** `@call read_file path=notes.txt @end`: a name, then arguments of one word each. */
const atCall: MarkedDialect = {
  name: "at-call",
  // The syntax resembles ordinary text, so it is parsed only for a model that was taught it.
  tier: "taught",
  openers: [{ mark: "@call", where: "line" }],
  stop: ["<tool_response"],
  // The words of the format that are no tags: text from outside must not contain them.
  markers: ["@call", "@end"],
  lesson: { form: "@call NAME ARGUMENT=VALUE @end", rules: ["Values have no spaces."] },
  writeCalls,
  writeResults: taggedResults,
  // The parser consumes text as it streams in; each step suspends until enough has arrived.
  *read(reader) {
    yield* takeSpace(reader);
    const name = yield* takeWhile(reader, /\w/);
    const { text, mark } = yield* takeUntil(reader, end);
    if (mark === undefined) {
      reader.asText();
      return;
    }
    reader.input.take(mark.length);
    const words = text.split(/\s+/).filter((word) => word.includes("="));
    const input = Object.fromEntries(
      words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]),
    );
    reader.tell({ name, input });
  },
};

function writeCalls(calls: readonly WrittenCall[]): string {
  return calls
    .map(
      ({ name, input }) =>
        `@call ${name} ${Object.entries(input)
          .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
          .join(" ")} @end`,
    )
    .join("\n");
}

// A server whose model has no native tools: it writes its calls as text, in our dialect.
const script = scriptedModel([
  [{ call: "read_file", with: { path: "notes.txt" } }],
  [{ say: "It says: buy milk." }],
]);
const server = await serveModel(textOnly(script, { dialect: atCall }), { capabilities: ["completion"] });
const workspace = await temporaryWorkspace({ "notes.txt": "buy milk\n" });
const state = await temporaryWorkspace({});

const agent = await openAgent({
  model: server.url,
  dialects: [atCall],
  settings: { dialect: "at-call" },
  workspace: workspace.root,
  stateDir: state.root,
  env: { HOME: state.root },
});

try {
  const { text } = await agent.ask("What do I need?");
  const calls = agent.session.facts.flatMap((fact) => (fact.type === "call" ? [fact.call] : []));
  deepEqual(
    calls.map(({ name, input, source }) => ({ name, input, source })),
    [{ name: "read_file", input: { path: "notes.txt" }, source: "at-call" }],
  );
  equal(text, "It says: buy milk.");
  match(script.prompts[0]?.system ?? "", /@call NAME/);
  console.log(`The model wrote ${writeCalls(calls)} and was understood.`);
} finally {
  await agent.close();
  await Promise.all([server.close(), workspace.remove(), state.remove()]);
}
