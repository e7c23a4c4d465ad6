/** The format of Nemotron Nano v2 and Llama-Nemotron: a list of JSON objects in tags. */

import { heldJson } from "./constraint/held-form.ts";
import type { Dialect, WrittenResult } from "./dialect.ts";
import { resultText } from "./grammar/lesson.ts";
import { taggedJson } from "./grammar/tagged-json.ts";
import { callObject, listRules, templateJson } from "./grammar/template-json.ts";

const opener = "<TOOLCALL>";
const closer = "</TOOLCALL>";
const turns = ["<SPECIAL_12>", "<SPECIAL_11>", "<SPECIAL_10>"];
const results = ["<TOOL_RESPONSE>"];

export const nemotron: Dialect = {
  name: "nemotron",
  tier: "tagged",
  ...taggedJson(opener, {
    closers: [closer],
    endings: [...results, ...turns],
  }),
  held: heldJson(`${opener}[`, `]${closer}`),
  turns,
  results,
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\n<TOOL_RESPONSE>"],
  markers: [opener, closer, "<TOOL_RESPONSE>", "</TOOL_RESPONSE>", ...turns],
  family: { template: [opener], models: /nemotron-nano-.*v2|llama.*nemotron/i },
  lesson: {
    rules: [
      ...listRules,
      "After your calls, stop. The results come in the next message as <TOOL_RESPONSE>; never write one yourself.",
    ],
  },
  writeCalls: (calls) => `${opener}[${calls.map(callObject).join(", ")}]${closer}`,
  writeResults,
};

function writeResults(results: readonly WrittenResult[]): string {
  const list = results.map((result) =>
    templateJson({ name: result.name, [result.isError ? "error" : "content"]: resultText(result) }),
  );
  return `<TOOL_RESPONSE>[${list.join(", ")}]</TOOL_RESPONSE>`;
}
