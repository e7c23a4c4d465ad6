/** The format of Seed-OSS: parameters as tags, without line breaks around values, and Python for what is no text. */

import type { Json } from "../base/json.ts";
import type { Dialect } from "./dialect.ts";
import { functionTags, parameterClose } from "./grammar/function-tags.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { pythonText } from "./grammar/python-text.ts";
import { rawRules } from "./grammar/raw-values.ts";

const opener = "<seed:tool_call>";
const closer = "</seed:tool_call>";
const turns = ["<seed:eos>", "<seed:bos>"];
const results = ["<tool_response"];

export const seedOss: Dialect = {
  name: "seed-oss",
  tier: "tagged",
  ...functionTags({ opener, closer, padding: "pair", endings: [...turns, ...results] }),
  thoughts: [{ open: "<seed:think>", close: "</seed:think>" }],
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [opener, closer, "<function=", "</function>", "<parameter=", parameterClose, ...results, ...turns],
  family: { template: [opener, "<function=", "<parameter="], models: /seed-?oss/i },
  lesson: {
    form: `${opener}\n<function=tool_name>\n<parameter=parameter_name>value</parameter>\n</function>\n${closer}`,
    rules: [...rawRules(`several ${opener} blocks, one after the other`), ...resultRules],
  },
  writeCalls: (calls) =>
    calls
      .map(({ name, input }) => {
        const parameters = Object.entries(input).map(
          ([key, value]) => `<parameter=${key}>${parameterText(value)}${parameterClose}\n`,
        );
        return `${opener}\n<function=${name}>\n${parameters.join("")}</function>\n${closer}`;
      })
      .join("\n"),
  writeResults: taggedResults,
};

/** A text that has a line break at both ends would be taken for one that was set on lines of its own. */
function parameterText(value: Json): string {
  if (typeof value !== "string") return pythonText(value);
  return /^\r?\n[^]*\n$/.test(value) ? `\n${value}\n` : value;
}
