/** The format of Seed-OSS: parameters as tags, without line breaks around values, and Python for what is no text. */

import type { Json } from "../base/json.ts";
import type { Dialect } from "./dialect.ts";
import { functionTags } from "./grammar/function-tags.ts";
import { pythonText } from "./grammar/raw-values.ts";

const opener = "<seed:tool_call>";

export const seedOss: Dialect = {
  name: "seed-oss",
  tier: "tagged",
  ...functionTags({ opener, closer: "</seed:tool_call>", padding: "pair", textOf }),
  thoughts: [{ open: "<seed:think>", close: "</seed:think>" }],
  turns: ["<seed:eos>", "<seed:bos>"],
  family: { template: [opener, "<function=", "<parameter="], models: /seed-?oss/i },
};

/** A text that has a line break at both ends would be taken for one that was set on lines of its own. */
function textOf(value: Json): string {
  if (typeof value !== "string") return pythonText(value);
  return /^\r?\n[^]*\n$/.test(value) ? `\n${value}\n` : value;
}
