/** The format of Command R and R+: a list of JSON objects in a fence behind `Action:`. */

import type { CallVerdict, MarkedDialect } from "./dialect.ts";
import { jsonDialect } from "./grammar/json-dialect.ts";
import { resultText } from "./grammar/lesson.ts";
import { readTaggedJson } from "./grammar/tagged-json.ts";
import { jsonRule, templateJson } from "./grammar/template-json.ts";
import { blank, either, fitting, follows, inOrder, mark, maybe, some } from "./reading/ahead.ts";
import type { OfferedTools } from "./reading/reader.ts";

const opener = "Action:";
/** What its template teaches it to write when it wants no tool. */
const noCall = ["directly-answer", "directly_answer"];

const fence = inOrder(mark("```"), either(mark("json"), blank), blank);
const list = inOrder(
  maybe(inOrder(mark("["), blank)),
  mark("{"),
  blank,
  mark('"tool_name"'),
  blank,
  mark(":"),
  blank,
  mark('"'),
);
const listInFence = inOrder(blank, fence, list);
const listOnly = inOrder(blank, list);

const calls = jsonDialect({
  name: "command-r",
  opener,
  list: [" ```json\n[\n    ", ",\n    ", "\n]```"],
  objectOf: ({ name, input }) => templateJson({ tool_name: name, parameters: input }),
  turns: ["<|END_OF_TURN_TOKEN|>", "<|START_OF_TURN_TOKEN|>"],
  results: [],
  // This fence is on a line of its own, which a call's never is.
  stop: ["\n<results>"],
  markers: [opener],
  family: { template: [opener, "directly-answer"], models: /command-?r(?!7)|c4ai-command-r(?!7)/i },
  rules: [
    `Behind ${opener} stands one fence with a list of calls. ${jsonRule}`,
    "Several calls: several objects in the one list.",
  ],
  writeResults(results) {
    const texts = results.map(
      (result) => `${result.name}${result.isError ? " failed" : ""}:\n${resultText(result)}`,
    );
    return `<results>\n${texts.join("\n\n")}\n</results>`;
  },
});

export const commandR: MarkedDialect = {
  ...calls,
  // It looks like an example in prose, so unless the model is known to write it, only a whole answer counts (N7).
  openers: [
    {
      mark: opener,
      where: "start",
      begins: (ahead, { isKnown, offered }) => begins(ahead, isKnown, offered),
    },
  ],
  *read(reader) {
    yield* readTaggedJson(reader, { closers: [], isLast: !reader.isKnown, noCall });
  },
};

function begins(ahead: string, isKnown: boolean, offered: OfferedTools): CallVerdict {
  if (isKnown) return follows(ahead, either(listInFence, listOnly));
  return follows(
    ahead,
    listInFence,
    fitting(some(/[^"\n]/, 80), (name) => noCall.includes(name) || offered.find(name) !== undefined),
  );
}
