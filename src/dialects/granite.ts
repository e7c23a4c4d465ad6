/** The format of Granite 3: a list of JSON objects behind a mark, without an end of its own. */

import type { MarkedDialect } from "./dialect.ts";
import { jsonDialect } from "./grammar/json-dialect.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { beginsJson, taggedJson } from "./grammar/tagged-json.ts";

const opener = "<|tool_call|>";
/** How Granite 3.1 writes it; others do too, but not with a list. */
const tag = "<tool_call>";
const reads = { trailing: ["</tool_call>", "<|/tool_call|>"] };

const own = jsonDialect({
  name: "granite",
  tier: "token",
  opener,
  list: ["[", ", ", "]"],
  reads,
  thoughts: [{ open: "Here is my thought process:", close: "Here is my response:", isPaired: true }],
  layout: ["<response>", "</response>"],
  turns: ["<|end_of_text|>", "<|start_of_role|>", "<|end_of_role|>"],
  results: ["<|start_of_role|>tool", ...resultsInTags.results],
  markers: [tag],
  family: { template: [opener, "<|start_of_role|>"], models: /granite-?3/i },
});
const tagged = taggedJson(tag, { closers: [], ...reads });

export const granite: MarkedDialect = {
  ...own,
  openers: [
    ...own.openers,
    { mark: tag, begins: (ahead) => (/^\s*(?:\[|$)/.test(ahead) ? beginsJson(ahead, tag) : "text") },
  ],
  read: (reader, opener) => (opener === tag ? tagged : own).read(reader, opener),
};
