/** The format of Step 3: Claude's tags with a prefix, each call in special tokens. */

import type { MarkedDialect, WrittenCall } from "./dialect.ts";
import { bareInvoke, invokeForm, parameterClose, writeInvoke } from "./grammar/invoke.ts";
import { rawResultsInTags } from "./grammar/lesson.ts";
import { rawLesson } from "./grammar/raw-values.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import { blank, follows, inOrder, mark, maybe, oneOf } from "./reading/ahead.ts";

const prefix = "steptml:";
const bars = ["｜", "|"];
const token = (name: string): string[] => bars.map((bar) => `<${bar}${name}${bar}>`);
const outerBegins = token("tool_calls_begin");
const begins = token("tool_call_begin");
const separators = token("tool_sep");
const ends = [...token("tool_call_end"), ...token("tool_calls_end")];

/** What stands before a call's own tag. */
const before = inOrder(
  maybe(inOrder(oneOf(...outerBegins), blank)),
  maybe(inOrder(oneOf(...begins), blank, maybe(mark("function")), maybe(oneOf(...separators)), blank)),
);
const form = invokeForm({ prefix, opens: before, ends });

const writeCalls = (calls: readonly WrittenCall[]): string => {
  const written = calls.map((call) => writeInvoke(call, { prefix }));
  const between = "<｜tool_call_end｜><｜tool_call_begin｜>function<｜tool_sep｜>";
  return `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>${written.join(between)}<｜tool_call_end｜><｜tool_calls_end｜>`;
};

export const step3: MarkedDialect = {
  name: "step-3",
  tier: "token",
  openers: [
    ...[...outerBegins, ...begins].map((opener) => ({
      mark: opener,
      begins: (ahead: string) => follows(opener + ahead, form.call.step),
    })),
    bareInvoke(prefix),
  ],
  leftovers: [parameterClose(prefix)],
  layout: [...outerBegins, ...ends],
  turns: ["<｜end▁of▁sentence｜>", "<|im_end|>", "<|EOT|>"],
  ...rawResultsInTags,
  results: [...token("tool_outputs_begin"), ...token("tool_output_begin"), ...rawResultsInTags.results],
  markers: [...outerBegins, ...begins, ...separators, ...ends, `<${prefix}`, `</${prefix}`],
  family: { template: [prefix], models: /\bstep-?3(?![.\d])/i },
  lesson: rawLesson("each in its own <｜tool_call_begin｜>, one after the other"),
  writeCalls,
  *read(reader, opener) {
    rewind(reader, opener);
    yield* readXmlCalls(reader, form);
  },
};
