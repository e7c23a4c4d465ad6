/** The format of DeepSeek V3.2: tags with a token in their names, which state whether a value is text. */

import type { MarkedDialect, Opener } from "./dialect.ts";
import {
  bareInvoke,
  callMark,
  invokeBlock,
  invokeForm,
  invokeTag,
  parameterClose,
} from "./grammar/invoke.ts";
import { rawResultsInTags, resultsBetween, toldText } from "./grammar/lesson.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import { namesOf, since } from "./names.ts";
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

const family = prefixes.map((one) => {
  // Its end may be missing.
  const opens = blocks.map((block) => `<${one}${block}`);
  const closes = blocks.map((block) => `</${one}${block}>`);
  const form = invokeForm({
    prefix: one,
    opens: inOrder(oneOf(...opens), maybe(mark(">"))),
    ends: closes,
  });
  const outer = opens.map((opener): Opener => ({
    mark: opener,
    begins: (ahead) => follows(ahead, maybe(mark(">")), blank, peek(invokeTag(one))),
  }));
  return { prefix: one, form, opens, closes, openers: [...outer, bareInvoke(one)] };
});

/** What the versions write differently; each of them is read like all. */
type DsmlVersion = Pick<MarkedDialect, "name" | "family" | "writeResults"> & {
  readonly prefix: string;
  /** The tag around the calls of an answer. */
  readonly block: string;
};

function dsmlDialect({ prefix, block, ...version }: DsmlVersion): MarkedDialect {
  const calls = invokeBlock(`<${prefix}${block}>`, `</${prefix}${block}>`, { prefix, isTyped: true });
  return {
    ...calls,
    ...version,
    tier: "token",
    openers: family.flatMap(({ openers }) => openers),
    endsThoughts: true,
    leftovers: prefixes.map(parameterClose),
    remains: family.flatMap(({ opens, closes }) => [...opens.map((open) => `${open}>`), ...opens, ...closes]),
    turns: ["<｜end▁of▁sentence｜>", "<｜begin▁of▁sentence｜>", "<｜User｜>"],
    results: ["<function_results", "<tool_result", ...rawResultsInTags.results],
    markers: ["<｜DSML｜", "</｜DSML｜"],
    *read(reader, opener) {
      const found = family.find(({ openers }) => openers.some(({ mark }) => mark === opener));
      if (!found) return;
      const repairs = opener === callMark(found.prefix) ? rewind(reader, opener) : [];
      yield* takeMark(reader, ">");
      yield* readXmlCalls(reader, found.form, repairs);
    },
  };
}

export const deepseekDsml = dsmlDialect({
  name: "deepseek-dsml",
  prefix: "｜DSML｜",
  block: "function_calls",
  family: { template: ["DSML", "invoke name="], models: /deepseek-?v?3[.p]2/i },
  writeResults: (all) =>
    [
      "<function_results>",
      ...all.map((one) => `<result>${toldText(one)}</result>`),
      "</function_results>",
    ].join("\n"),
});

/** The format of DeepSeek V4: that of V3.2, with other tags around calls and results. */
export const deepseekV4 = dsmlDialect({
  name: "deepseek-v4",
  prefix: "｜DSML｜",
  block: "tool_calls",
  family: {
    template: ["DSML", "invoke name=", "tool_calls>", "<tool_result>"],
    models: namesOf("deepseek-?v?4(?![\\d.]*b(?![a-z]))"),
  },
  writeResults: resultsBetween("<tool_result>", "</tool_result>", "\n\n"),
});

/** The format of DeepSeek V4.1: that of V4, with a blank between the token and the name of every tag. */
export const deepseekV41 = dsmlDialect({
  name: "deepseek-v4.1",
  prefix: "｜DSML｜ ",
  block: "calls",
  family: {
    template: ["DSML", " invoke name=", " calls>", "<tool_result>"],
    models: namesOf(since("deepseek", "4.1")),
  },
  writeResults: resultsBetween("<tool_result>", "</tool_result>", "\n\n"),
});
