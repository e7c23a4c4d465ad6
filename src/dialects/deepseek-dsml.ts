/** The format of DeepSeek V3.2 and V4: tags with a token in their names, which state whether a value is text. */

import type { MarkedDialect, Opener, WrittenCall } from "./dialect.ts";
import type { WrittenResult } from "./dialect.ts";
import { callMark, goesOn, invokeForm, invokeTag, parameterClose, writeInvoke } from "./grammar/invoke.ts";
import { resultText } from "./grammar/lesson.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import { blank, follows, inOrder, oneOf, peek } from "./reading/ahead.ts";

/** When the token was written as text, its bars were replaced, doubled, or surrounded by blanks. */
const prefixes = ["｜", "|", "‖", "｜｜", "||"].flatMap((bar) => [
  `${bar}DSML${bar}`,
  ` ${bar} DSML ${bar} `,
]);
const blocks = ["function_calls", "tool_calls", "tool_use", "calls"];
const prefix = "｜DSML｜";
const turns = ["<｜end▁of▁sentence｜>", "<｜begin▁of▁sentence｜>", "<｜User｜>"];
const results = ["<function_results", "<tool_response"];

const family = prefixes.map((one) => {
  const opens = blocks.map((block) => `<${one}${block}>`);
  const closes = blocks.map((block) => `</${one}${block}>`);
  const form = invokeForm({
    prefix: one,
    opens: oneOf(...opens),
    ends: closes,
    endings: [...turns, ...results],
  });
  const outer = opens.map((mark): Opener => ({
    mark,
    begins: (ahead) => follows(ahead, blank, peek(invokeTag(one))),
  }));
  const bare: Opener = {
    mark: callMark(one),
    begins: (ahead) => follows(callMark(one) + ahead, inOrder(invokeTag(one), goesOn(one))),
  };
  return { prefix: one, form, opens, closes, openers: [...outer, bare] };
});

export const deepseekDsml: MarkedDialect = {
  name: "deepseek-dsml",
  tier: "token",
  openers: family.flatMap(({ openers }) => openers),
  endsThoughts: true,
  leftovers: prefixes.map(parameterClose),
  // Some servers parse the calls themselves and leak an opening tag.
  layout: family.flatMap(({ opens, closes }) => [
    ...opens,
    ...closes,
    ...opens.map((tag) => tag.slice(0, -1)),
  ]),
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [`<${prefix}`, `</${prefix}`, "</function_results", ...results, ...turns],
  family: { template: ["DSML", "invoke name="], models: /deepseek-?v?(?:3\.2|4)/i },
  lesson: {
    form: `<${prefix}function_calls>\n<${prefix}invoke name="tool_name">\n<${prefix}parameter name="parameter_name" string="true">value</${prefix}parameter>\n</${prefix}invoke>\n</${prefix}function_calls>`,
    rules: [
      'string="true" for texts; string="false" for anything else.',
      ...rawRules(`several <${prefix}invoke> in one block`),
      "After your calls, stop. The results come in the next message as <function_results>; never write them yourself.",
    ],
  },
  writeCalls,
  writeResults,
  *read(reader, opener) {
    const found = family.find(({ openers }) => openers.some(({ mark }) => mark === opener));
    if (!found) return;
    const repairs = opener === callMark(found.prefix) ? rewind(reader, opener) : [];
    yield* readXmlCalls(reader, found.form, repairs);
  },
};

function writeCalls(calls: readonly WrittenCall[]): string {
  const written = calls.map((call) => writeInvoke(call, { prefix, says: (isText) => ` string="${isText}"` }));
  return [`<${prefix}function_calls>`, ...written, `</${prefix}function_calls>`].join("\n");
}

function writeResults(results: readonly WrittenResult[]): string {
  const each = results.map((result) => `<result>${resultText(result)}</result>`);
  return ["<function_results>", ...each, "</function_results>"].join("\n");
}
