/** The format of GigaChat 3 and 3.1: one JSON object behind a mark, or as a turn of its own. */

import type { CallVerdict, MarkedDialect } from "./dialect.ts";
import { jsonDialect } from "./grammar/json-dialect.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { beginsJson } from "./grammar/tagged-json.ts";
import { jsonRule } from "./grammar/template-json.ts";
import { blank, inOrder, mark } from "./reading/ahead.ts";
import { marksOf, takeMark, takeUntil } from "./reading/reader.ts";

const opener = "<|function_call|>";
const turn = "<|message_sep|>";
const roleEnd = "<|role_sep|>";
const role = `function call${roleEnd}`;

const calls = jsonDialect({
  name: "gigachat",
  tier: "token",
  opener,
  reads: { trailing: ["</s>"] },
  turns: [turn],
  results: [`${turn}\n\nfunction result`, `function result${roleEnd}`, ...resultsInTags.results],
  markers: [roleEnd],
  family: { template: [roleEnd], models: /gigachat/i },
  rules: [
    `Behind ${opener} stands one object. ${jsonRule}`,
    `Several calls: one after the other, each with its own ${opener}. Do not put them in code fences.`,
  ],
});

export const gigachat: MarkedDialect = {
  ...calls,
  openers: [
    ...calls.openers,
    { mark: turn, begins: beginsTurn },
    { mark: role, begins: (ahead) => beginsJson(ahead, role) },
  ],
  *read(reader, found) {
    if (found === turn) yield* takeUntil(reader, marksOf([roleEnd]));
    if (found === turn) yield* takeMark(reader, roleEnd);
    yield* calls.read(reader, found);
  },
};

/** A turn of the role that calls. */
function beginsTurn(ahead: string): CallVerdict {
  const end = inOrder(blank, mark(role))(ahead, 0);
  if (typeof end === "number") return beginsJson(ahead.slice(end), role);
  return end === "more" ? "more" : "text";
}
