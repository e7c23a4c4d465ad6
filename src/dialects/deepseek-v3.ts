/** The format of DeepSeek V3, R1 and its distilled models: fenced JSON behind the name. */

import type { MarkedDialect, Opener } from "./dialect.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { templateJson } from "./grammar/template-json.ts";
import {
  before,
  blank,
  comes,
  either,
  follows,
  inOrder,
  mark,
  name,
  nameCharacter,
  oneOf,
  someLate,
  takeStep,
  type PatternStep,
} from "./reading/ahead.ts";
import { takeSpace, takeWhile, type BlockReader, type StreamReading } from "./reading/reader.ts";

/** Distilled models write the tokens as plain text, with other bars and gaps. */
const gaps = ["▁", "_", " ", "\\_"];
const bars = ["｜", "|"];

const spelt = (token: string, gapsIn: readonly string[] = gaps): string[] =>
  gapsIn.flatMap((gap) => bars.map((bar) => `<${bar}${token.replaceAll(" ", gap)}`));
const tokenSpellings = (token: string): string[] => spelt(token).map((open) => `${open}${open.charAt(1)}>`);

const ends = [...tokenSpellings("tool call end"), ...tokenSpellings("tool calls end")];
/** Running text is searched only for the spellings that models commonly write. */
const usual = gaps.slice(0, 2);
const results = [...spelt("tool output", usual), "<tool_response"];
const turns = [
  ...spelt("begin of sentence", usual),
  ...spelt("end of sentence", usual),
  ...spelt("User", [""]),
  ...spelt("Assistant", [""]),
].map((open) => `${open}${open.charAt(1)}>`);
const markers = [...["tool calls begin", "tool call begin", "tool sep"].flatMap(tokenSpellings), ...ends];

/** The common beginning of all marks: `function` precedes the first one if the opener is lost. */
const starts = bars.map((bar) => `<${bar}tool`);
const lostStarts = starts.map((start) => `function${start}`);

/** The rest of a mark after its beginning, such as `calls begin`. */
const token = (rest: string): PatternStep =>
  inOrder(
    ...rest.split(" ").flatMap((word) => [oneOf(...gaps), mark(word)]),
    oneOf(...bars.map((bar) => `${bar}>`)),
  );
const start = oneOf(...starts);

const outerBegin = either(token("calls begin"), token("calls"));
const innerBegin = token("call begin");
const separator = token("sep");
const toArguments = inOrder(
  blank,
  either(before(/[{"]/), mark("```"), inOrder(mark("json"), blank, before(/\{/))),
);
const inner = either(inOrder(start, innerBegin, blank), blank);

/** A call without its opener: its name after the separator, or before it. */
const nameBehind: PatternStep = inOrder(mark("function"), blank, start, separator, blank, name, toArguments);
const nameBefore: PatternStep = either(
  inOrder(name, blank, start, separator, toArguments),
  // Kimi's ids, which end in a number, stand behind the same mark.
  inOrder(
    someLate(() => /[\p{L}\p{M}\p{N}_.-]/u, 80),
    blank,
    before(/\{/),
  ),
);

const another = inOrder(blank, inner, either(nameBehind, nameBefore));

const openersOf = (call: PatternStep): Opener[] =>
  starts.map((opener) => ({
    mark: opener,
    begins: (ahead) => follows(ahead, either(outerBegin, innerBegin), blank, inner, call),
  }));

const lostOpeners: readonly Opener[] = lostStarts.map((opener) => ({
  mark: opener,
  begins: (ahead) => follows(ahead, separator, blank, name, toArguments),
}));

/** Reads all calls of a block, in whichever notation each is written. */
function* readCalls(reader: BlockReader, opener: string): StreamReading {
  const isLost = lostStarts.includes(opener);
  yield* takeStep(reader, isLost ? separator : either(outerBegin, innerBegin));
  yield* readCall(reader, { isNameNext: isLost });
  while (yield* comes(reader, another)) yield* readCall(reader, { isNameNext: false });
  yield* takeSpace(reader);
  yield* takeStep(reader, inOrder(start, token("calls end")));
}

function* readCall(reader: BlockReader, { isNameNext }: { isNameNext: boolean }): StreamReading {
  yield* takeSpace(reader);
  yield* takeStep(reader, inner);
  if (!isNameNext && (yield* comes(reader, nameBehind)))
    yield* takeStep(reader, inOrder(mark("function"), blank, start, separator));
  yield* takeSpace(reader);
  const tool = yield* takeWhile(reader, nameCharacter);
  yield* takeStep(reader, inOrder(blank, start, separator));
  yield* readNamedCall(reader, {
    name: tool,
    closers: ends,
    openers: tokenSpellings("tool call begin"),
  });
}

/** `called`: a call between its marks; `between`: what parts two of them. */
type TokenVersion = Pick<MarkedDialect, "name" | "openers" | "family" | "lesson"> & {
  readonly called: (name: string, input: string) => string;
  readonly between: string;
};

const tokenDialect = ({ called, between, ...version }: TokenVersion): MarkedDialect => ({
  ...version,
  tier: "token",
  turns,
  ...resultsInTags,
  results,
  markers,
  writeCalls(calls) {
    const written = calls.map(
      ({ name, input }) => `<｜tool▁call▁begin｜>${called(name, templateJson(input))}<｜tool▁call▁end｜>`,
    );
    return `<｜tool▁calls▁begin｜>${written.join(between)}<｜tool▁calls▁end｜>`;
  },
  read: readCalls,
});

export const deepseekV3 = tokenDialect({
  name: "deepseek-v3",
  openers: [...openersOf(nameBehind), ...lostOpeners],
  family: { template: ["<｜tool▁sep｜>", "```json"], models: /deepseek-(?:r1|(?:chat-)?v3(?!\.\d)|v2\.5)/i },
  lesson: {
    rules: [
      "The word function stays as it is. The arguments are one JSON object; without arguments write {}.",
      "Several calls: several inner blocks, one after the other, in one outer block.",
    ],
  },
  called: (name, input) => `function<｜tool▁sep｜>${name}\n\`\`\`json\n${input}\n\`\`\``,
  between: "\n",
});

/** The format of DeepSeek V3.1: bare JSON behind the name. */
export const deepseekV31 = tokenDialect({
  name: "deepseek-v3.1",
  openers: openersOf(nameBefore),
  family: { template: ["<｜tool▁sep｜>"], models: /deepseek-(?:chat-)?v3\.1/i },
  lesson: {
    rules: [
      "The arguments are one JSON object; without arguments write {}.",
      "Several calls: several inner blocks, one after the other, in one outer block. Do not put them in code fences.",
    ],
  },
  called: (name, input) => `${name}<｜tool▁sep｜>${input}`,
  between: "",
});
