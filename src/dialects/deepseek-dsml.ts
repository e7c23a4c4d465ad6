/** The format of DeepSeek V3.2: tags with a token in their names, which state whether a value is text. */

import type { MarkedDialect, Opener, WrittenCall } from "./dialect.ts";
import { callMark, goesOn, invokeForm, invokeTag, parameterClose, writeInvoke } from "./grammar/invoke.ts";
import { toldText } from "./grammar/lesson.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import { blank, follows, inOrder, mark, maybe, oneOf, peek } from "./reading/ahead.ts";
import { takeMark } from "./reading/reader.ts";

/**
 * Before the name of a tag: V4.1 puts a blank behind the token. When the token was written as text, its bars were
 * replaced, doubled, or surrounded by blanks.
 */
const prefixes = ["｜", "|", "‖", "｜｜", "||"].flatMap((bar) => [
  `${bar}DSML${bar}`,
  `${bar}DSML${bar} `,
  `${bar} DSML ${bar} `,
  ` ${bar} DSML ${bar} `,
]);
const blocks = ["function_calls", "tool_calls", "tool_use", "calls"];
const turns = ["<｜end▁of▁sentence｜>", "<｜begin▁of▁sentence｜>", "<｜User｜>"];
const results = ["<function_results", "<tool_result", "<tool_response"];

const family = prefixes.map((one) => {
  // Its end may be missing.
  const opens = blocks.map((block) => `<${one}${block}`);
  const closes = blocks.map((block) => `</${one}${block}>`);
  const form = invokeForm({
    prefix: one,
    opens: inOrder(oneOf(...opens), maybe(mark(">"))),
    ends: closes,
    endings: [...turns, ...results],
  });
  const outer = opens.map((opener): Opener => ({
    mark: opener,
    begins: (ahead) => follows(ahead, maybe(mark(">")), blank, peek(invokeTag(one))),
  }));
  const bare: Opener = {
    mark: callMark(one),
    begins: (ahead) => follows(callMark(one) + ahead, inOrder(invokeTag(one), goesOn(one))),
  };
  return { prefix: one, form, opens, closes, openers: [...outer, bare] };
});

/** What the versions write differently; each of them is read like all. */
type DsmlVersion = Pick<MarkedDialect, "name" | "family" | "writeResults"> & {
  readonly prefix: string;
  /** The tag around the calls of an answer. */
  readonly block: string;
  /** The tag around results. */
  readonly result: string;
};

export const dsmlDialect = ({ prefix, block, result, ...version }: DsmlVersion): MarkedDialect => ({
  ...version,
  tier: "token",
  openers: family.flatMap(({ openers }) => openers),
  endsThoughts: true,
  leftovers: prefixes.map(parameterClose),
  remains: family.flatMap(({ opens, closes }) => [...opens.map((open) => `${open}>`), ...opens, ...closes]),
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: ["<｜DSML｜", "</｜DSML｜", "</function_results", "</tool_result", ...results, ...turns],
  lesson: {
    form: `<${prefix}${block}>\n<${prefix}invoke name="tool_name">\n<${prefix}parameter name="parameter_name" string="true">value</${prefix}parameter>\n</${prefix}invoke>\n</${prefix}${block}>`,
    rules: [
      'string="true" for texts; string="false" for anything else.',
      ...rawRules(`several <${prefix}invoke> in one block`),
      `After your calls, stop. The results come in the next message as <${result}>; never write them yourself.`,
    ],
  },
  writeCalls: (calls: readonly WrittenCall[]) => {
    const written = calls.map((call) =>
      writeInvoke(call, { prefix, says: (isText) => ` string="${isText}"` }),
    );
    return [`<${prefix}${block}>`, ...written, `</${prefix}${block}>`].join("\n");
  },
  *read(reader, opener) {
    const found = family.find(({ openers }) => openers.some(({ mark }) => mark === opener));
    if (!found) return;
    const repairs = opener === callMark(found.prefix) ? rewind(reader, opener) : [];
    yield* takeMark(reader, ">");
    yield* readXmlCalls(reader, found.form, repairs);
  },
});

export const deepseekDsml = dsmlDialect({
  name: "deepseek-dsml",
  prefix: "｜DSML｜",
  block: "function_calls",
  result: "function_results",
  family: { template: ["DSML", "invoke name="], models: /deepseek-?v?3[.p]2/i },
  writeResults: (all) =>
    [
      "<function_results>",
      ...all.map((one) => `<result>${toldText(one)}</result>`),
      "</function_results>",
    ].join("\n"),
});
