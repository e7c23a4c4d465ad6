/** The format of LongCat: one JSON object in tags of its own. */

import { heldJson } from "./constraint/held-form.ts";
import type { Dialect } from "./dialect.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import { taggedJson } from "./grammar/tagged-json.ts";
import { callObject, objectRules } from "./grammar/template-json.ts";

export const opener = "<longcat_tool_call>";
export const closer = "</longcat_tool_call>";
export const turns = ["</longcat_s>", "<longcat_s>"];
export const results = ["<longcat_tool_response", "<tool_response"];

export const longcat: Dialect = {
  name: "longcat",
  tier: "tagged",
  ...taggedJson(opener, {
    closers: [closer],
    endings: [...results, ...turns],
  }),
  thoughts: [{ open: "<longcat_think>", close: "</longcat_think>" }],
  held: heldJson(`${opener}\n`, `\n${closer}`),
  turns,
  results,
  ...resultsInTags,
  markers: [opener, closer, "<longcat_tool_response", "<tool_response", "</tool_response"],
  family: { template: [opener, '"name"'], models: /longcat/i },
  lesson: { rules: [...objectRules(opener, "tags"), ...resultRules] },
  writeCalls: (calls) => calls.map((call) => `${opener}\n${callObject(call)}\n${closer}`).join("\n"),
};
