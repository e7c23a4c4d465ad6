/** The format of GigaChat 3 and 3.1: one JSON object behind a mark, or as a turn of its own. */

import type { Dialect, Opener, CallVerdict } from "./dialect.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { callObject, jsonRule } from "./grammar/template-json.ts";
import { blank, inOrder, mark } from "./reading/ahead.ts";
import { marksOf, takeMark, takeUntil } from "./reading/reader.ts";

const opener = "<|function_call|>";
const turn = "<|message_sep|>";
const roleEnd = "<|role_sep|>";
const role = `function call${roleEnd}`;
const results = [`${turn}\n\nfunction result`, `function result${roleEnd}`, "<tool_response"];

const openers: readonly Opener[] = [
  { mark: opener, begins: (ahead) => beginsJson(ahead, opener) },
  { mark: turn, begins: beginsTurn },
  { mark: role, begins: (ahead) => beginsJson(ahead, role) },
];

export const gigachat: Dialect = {
  name: "gigachat",
  tier: "token",
  openers,
  turns: [turn],
  results,
  ...resultsInTags,
  markers: [opener, turn, roleEnd, "<tool_response", "</tool_response"],
  family: { template: [roleEnd], models: /gigachat/i },
  lesson: {
    rules: [
      `Behind ${opener} stands one object. ${jsonRule}`,
      `Several calls: one after the other, each with its own ${opener}. Do not put them in code fences.`,
      ...resultRules,
    ],
  },
  writeCalls: (calls) => calls.map((call) => `${opener}${callObject(call)}`).join("\n"),
  *read(reader, found) {
    if (found === turn) yield* takeUntil(reader, marksOf([roleEnd]));
    if (found === turn) yield* takeMark(reader, roleEnd);
    yield* readTaggedJson(reader, {
      closers: [],
      openers: [opener],
      endings: [...results, turn],
      trailing: ["</s>"],
    });
  },
};

/** A turn of the role that calls. */
function beginsTurn(ahead: string): CallVerdict {
  const end = inOrder(blank, mark(role))(ahead, 0);
  if (typeof end === "number") return beginsJson(ahead.slice(end), role);
  return end === "more" ? "more" : "text";
}
