/** The format of ERNIE 4.5: one JSON object in `<tool_call>` tags, and the answer in tags of its own. */

import type { Dialect } from "./dialect.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import { taggedJson } from "./grammar/tagged-json.ts";
import { callObject, objectRules } from "./grammar/template-json.ts";

const opener = "<tool_call>";
const closer = "</tool_call>";
const turns = ["<|im_end|>", "<|im_start|>"];
const results = ["<tool_output>", "<tool_response"];

export const ernie: Dialect = {
  name: "ernie",
  tier: "tagged",
  ...taggedJson(opener, {
    closers: [closer],
    endings: [...results, ...turns],
    trailing: ["</response>"],
  }),
  layout: ["<response>", "</response>"],
  turns,
  results,
  ...resultsInTags,
  markers: [opener, closer, "<tool_output>", "<tool_response", "</tool_response", ...turns],
  family: { template: [opener, "<response>"], models: /ernie/i },
  lesson: { rules: [...objectRules(opener, "tags"), ...resultRules] },
  writeCalls: (calls) => calls.map((call) => `${opener}\n${callObject(call)}\n${closer}`).join("\n"),
};
