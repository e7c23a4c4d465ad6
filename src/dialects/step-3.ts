/** The format of Step 3: Claude's tags with a prefix, each call in special tokens. */

import type { MarkedDialect } from "./dialect.ts";
import { callMark, goesOn, invokeForm, invokeTag, parameterClose, writeInvoke } from "./grammar/invoke.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import { blank, follows, inOrder, mark, maybe, oneOf } from "./reading/ahead.ts";

const prefix = "steptml:";
const bars = ["｜", "|"];
const token = (name: string): string[] => bars.map((bar) => `<${bar}${name}${bar}>`);
const outerBegins = token("tool_calls_begin");
const begins = token("tool_call_begin");
const separators = token("tool_sep");
const ends = [...token("tool_call_end"), ...token("tool_calls_end")];
const turns = ["<｜end▁of▁sentence｜>", "<|im_end|>", "<|EOT|>"];
const results = [...token("tool_outputs_begin"), ...token("tool_output_begin"), "<tool_response"];

/** What stands before a call's own tag. */
const before = inOrder(
  maybe(inOrder(oneOf(...outerBegins), blank)),
  maybe(inOrder(oneOf(...begins), blank, maybe(mark("function")), maybe(oneOf(...separators)), blank)),
);
const form = invokeForm({ prefix, opens: before, ends, endings: [...turns, ...results] });
const bare = inOrder(invokeTag(prefix), goesOn(prefix));

const callSection = (calls: string): string =>
  `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>${calls}<｜tool_call_end｜><｜tool_calls_end｜>`;

export const step3: MarkedDialect = {
  name: "step-3",
  tier: "token",
  openers: [
    ...[...outerBegins, ...begins].map((opener) => ({
      mark: opener,
      begins: (ahead: string) => follows(opener + ahead, form.call.step),
    })),
    { mark: callMark(prefix), begins: (ahead) => follows(callMark(prefix) + ahead, bare) },
  ],
  leftovers: [parameterClose(prefix)],
  layout: [...outerBegins, ...ends],
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [
    ...outerBegins,
    ...begins,
    ...separators,
    ...ends,
    `<${prefix}`,
    `</${prefix}`,
    ...results,
    ...turns,
  ],
  family: { template: [prefix], models: /\bstep-?3(?![.\d])/i },
  lesson: {
    form: callSection(
      `<${prefix}invoke name="tool_name">\n<${prefix}parameter name="parameter_name">value</${prefix}parameter>\n</${prefix}invoke>`,
    ),
    rules: [...rawRules("each in its own <｜tool_call_begin｜>, one after the other"), ...resultRules],
  },
  writeCalls: (calls) =>
    callSection(
      calls
        .map((call) => writeInvoke(call, { prefix }))
        .join("<｜tool_call_end｜><｜tool_call_begin｜>function<｜tool_sep｜>"),
    ),
  writeResults: taggedResults,
  *read(reader, opener) {
    rewind(reader, opener);
    yield* readXmlCalls(reader, form);
  },
};
