/** The format of Kimi K2: special tokens around an id that holds the name, and JSON. */

import type { Dialect, WrittenCall } from "./dialect.ts";
import { resultText } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { templateJson } from "./grammar/template-json.ts";
import { inSequence } from "./grammar/writing.ts";
import {
  before,
  blank,
  comes,
  either,
  follows,
  inOrder,
  mark,
  maybe,
  oneOf,
  someLate,
  type PatternStep,
} from "./reading/ahead.ts";
import {
  takeMark,
  takeOneOf,
  takeSpace,
  takeWhile,
  type BlockReader,
  type StreamReading,
} from "./reading/reader.ts";

const sectionBegins = ["<|tool_calls_section_begin|>", "<|tool_call_section_begin|>"];
const sectionEnds = ["<|tool_calls_section_end|>", "<|tool_call_section_end|>"];
const begin = "<|tool_call_begin|>";
const end = "<|tool_call_end|>";
const argumentBegin = "<|tool_call_argument_begin|>";

const idCharacter = /[\p{L}\p{M}\p{N}_.:-]/u;
const toArguments: PatternStep = either(oneOf(argumentBegin, end), before(/\{/));
/** An id that is only a name could be any word: then nothing may stand between it and the next mark. */
const call: PatternStep = inOrder(
  blank,
  maybe(inOrder(mark(begin), blank)),
  either(
    inOrder(callIdEnd, blank, toArguments),
    inOrder(
      someLate(() => idCharacter),
      toArguments,
    ),
  ),
);
/** The first marks are lost: then the argument mark must be there. */
const bare: PatternStep = inOrder(
  someLate(() => idCharacter),
  blank,
  mark(argumentBegin),
);

const writeCallList = inSequence(
  ({ id, name, input }: WrittenCall, index) =>
    `${begin}${idOf(id, name, index)}${argumentBegin}${templateJson(input)}${end}`,
  "",
);

export const kimiK2: Dialect = {
  name: "kimi-k2",
  tier: "token",
  openers: [
    ...[...sectionBegins, begin].map((opener) => ({
      mark: opener,
      begins: (text: string) => follows(text, call),
    })),
    { mark: "functions.", begins: (text) => follows(text, bare) },
  ],
  endsThoughts: true,
  turns: ["<|im_end|>", "<|im_user|>", "<|im_system|>", "<|im_assistant|>"],
  results: ["## Return of functions.", "<tool_response"],
  stop: ["\n## Return of functions."],
  markers: [...sectionBegins, ...sectionEnds],
  family: { template: ["<|tool_calls_section_begin|>", argumentBegin], models: /kimi-?k2/i },
  lesson: {
    rules: [
      "The id is functions., the tool's name, a colon and the number of the call, counted from 0 over the whole conversation.",
      "The arguments are one JSON object; without arguments write {}.",
      "Several calls: several inner blocks in one section. Do not put them in code fences.",
    ],
    resultRules: [
      "After your calls, stop. The results come in the next message as ## Return of, with the id; never write one yourself.",
    ],
  },
  writeCalls: (calls) => `${sectionBegins[0]}${writeCallList(calls)}${sectionEnds[0]}`,
  writeResults: inSequence((result, index) => {
    const failed = result.isError ? " (it failed)" : "";
    return `## Return of ${idOf(result.id, result.name, index)}${failed}\n${resultText(result)}`;
  }, "\n\n"),
  *read(reader, opener) {
    yield* readCall(reader, opener === "functions." ? opener : "");
    while (yield* comes(reader, call)) yield* readCall(reader, "");
    yield* takeSpace(reader);
    yield* takeOneOf(reader, sectionEnds);
  },
};

/** `functions.name:0` */
function callIdEnd(text: string, at: number): number | "no" | "more" {
  const id = /(?:functions\.)?[\p{L}\p{M}\p{N}_.-]{1,80}(?::\d+)?/uy;
  id.lastIndex = at;
  const found = id.exec(text)?.[0] ?? "";
  if (at + found.length === text.length) return "more";
  return /^functions\.|:\d+$/.test(found) ? at + found.length : "no";
}

function* readCall(reader: BlockReader, start: string): StreamReading {
  yield* takeSpace(reader);
  if (yield* takeMark(reader, begin)) yield* takeSpace(reader);
  const id = start + (yield* takeWhile(reader, idCharacter));
  yield* takeSpace(reader);
  yield* takeMark(reader, argumentBegin);
  const hasIndex = /:\d+$/.test(id);
  yield* readNamedCall(reader, {
    name: id.replace(/^functions\./, "").replace(/:\d+$/, ""),
    id: hasIndex ? id : undefined,
    closers: [end, ...sectionEnds],
    openers: [begin],
  });
}

/** The model's own id goes back as it was, for its number counts over the whole conversation. */
const idOf = (id: string, name: string, index: number): string =>
  /^functions\.[\w.-]+:\d+$/.test(id) ? id : `functions.${name}:${index}`;
