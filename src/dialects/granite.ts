/** The format of Granite 3: a list of JSON objects behind a mark, without an end of its own. */

import { heldJson } from "./constraint/held-form.ts";
import type { Dialect } from "./dialect.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { callObject, listRules } from "./grammar/template-json.ts";

const opener = "<|tool_call|>";
/** How Granite 3.1 writes it; others do too, but not with a list. */
const tag = "<tool_call>";
const turns = ["<|end_of_text|>", "<|start_of_role|>", "<|end_of_role|>"];
const results = ["<|start_of_role|>tool", "<tool_response"];

export const granite: Dialect = {
  name: "granite",
  tier: "token",
  openers: [
    { mark: opener, begins: (ahead) => beginsJson(ahead, opener) },
    { mark: tag, begins: (ahead) => (/^\s*(?:\[|$)/.test(ahead) ? beginsJson(ahead, tag) : "text") },
  ],
  thoughts: [{ open: "Here is my thought process:", close: "Here is my response:", isPaired: true }],
  layout: ["<response>", "</response>"],
  held: heldJson(`${opener}[`, "]"),
  turns,
  results,
  ...resultsInTags,
  markers: [
    opener,
    tag,
    "<|start_of_role|>",
    "<|end_of_role|>",
    "<|end_of_text|>",
    "<tool_response",
    "</tool_response",
  ],
  family: { template: [opener, "<|start_of_role|>"], models: /granite-?3/i },
  lesson: { rules: [...listRules, ...resultRules] },
  writeCalls: (calls) => `${opener}[${calls.map(callObject).join(", ")}]`,
  *read(reader, mark) {
    yield* readTaggedJson(reader, {
      closers: [],
      openers: [mark],
      endings: [...results, ...turns],
      trailing: ["</tool_call>", "<|/tool_call|>"],
    });
  },
};
