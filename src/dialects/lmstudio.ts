/** The format that LM Studio teaches models without a format of their own: JSON objects between marks. */

import type { Dialect } from "./dialect.ts";
import { resultText } from "./grammar/lesson.ts";
import { taggedJson } from "./grammar/tagged-json.ts";
import { callObject, objectRules } from "./grammar/template-json.ts";

const opener = "[TOOL_REQUEST]";
const closer = "[END_TOOL_REQUEST]";
const results = ["[TOOL_RESULT]"];

export const lmstudio: Dialect = {
  name: "lmstudio",
  tier: "tagged",
  ...taggedJson(opener, {
    closers: [closer, "[/TOOL_REQUEST]"],
    endings: results,
  }),
  results,
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\n[TOOL_RESULT]"],
  markers: [opener, closer, "[TOOL_RESULT]", "[END_TOOL_RESULT]"],
  family: { template: [opener] },
  lesson: {
    rules: [
      ...objectRules(opener),
      "After your calls, stop. The results come in the next message as [TOOL_RESULT]; never write one yourself.",
    ],
  },
  writeCalls: (calls) => calls.map((call) => `${opener}${callObject(call)}${closer}`).join("\n"),
  writeResults: (written) =>
    written
      .map((result) => {
        const head = result.isError ? `${result.name} failed:` : `${result.name}:`;
        return `[TOOL_RESULT]${head}\n${resultText(result)}[END_TOOL_RESULT]`;
      })
      .join("\n"),
};
