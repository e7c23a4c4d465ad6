/** A call as plain JSON without marks, as Llama 3 and xLAM write it: only as the whole message. */

import { parseObject } from "../base/json.ts";
import type { Dialect } from "./dialect.ts";
import { beginsBareCall } from "./grammar/bare-begin.ts";
import { readBareCalls } from "./grammar/bare-calls.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { parametersOf } from "./grammar/tool-schema.ts";
import { inSequence } from "./grammar/writing.ts";
import type { ReadCall, OfferedTools } from "./reading/reader.ts";

export const bareJson: Dialect = {
  name: "bare-json",
  tier: "whole",
  openers: ["{", "["].map((mark) => ({
    mark,
    begins: (ahead, { offered }) => beginsBareCall(mark + ahead, offered),
  })),
  namedOpeners: ({ tools }) => tools.map(({ name }) => ({ mark: `${name}\n{` })),
  turns: ["<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|start_header_id|>"],
  ...resultsInTags,
  markers: ["<|python_tag|>"],
  family: {
    template: ['"parameters": dictionary of argument name and its value', "<|start_header_id|>"],
    models: /llama-?3|xlam/i,
  },
  lesson: {
    form: '{"name": "tool_name", "parameters": {"parameter": "value"}}',
    rules: [
      "A call is your whole answer: valid JSON, with no word before or after it and no code fence around it.",
      "Several calls: one object per line.",
    ],
  },
  writeCalls: inSequence(
    ({ name, input }) => `{"name": ${JSON.stringify(name)}, "parameters": ${JSON.stringify(input)}}`,
  ),
  readWhole: (text, offered, ending) =>
    /^[[{]/.test(text) ? readBareCalls(text, offered, ending) : readNamed(text, offered),
};

/** The tool's name, and its arguments on the next line: all of them declared, and nothing mended. */
function readNamed(text: string, offered: OfferedTools): ReadCall[] | undefined {
  const [head = "", name = ""] = /^(.+)\n/.exec(text) ?? [];
  const parsed = parseObject(text.slice(head.length));
  const parameters = parametersOf(offered, name);
  if (!parsed.ok || !parameters.isKnown) return undefined;
  const isMeant = Object.keys(parsed.value).every((key) => parameters.declared(key) !== undefined);
  return isMeant ? [{ name, input: parsed.value }] : undefined;
}
