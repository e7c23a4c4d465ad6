/** The format of Qwen-Agent's older prompts, with flowers around its words. */

import type { Dialect } from "./dialect.ts";
import { cutOff } from "./grammar/json-calls.ts";
import { resultRulesFor, resultsBetween } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { inSequence } from "./grammar/writing.ts";
import { before, blank, either, follows, inOrder, mark, name, some } from "./reading/ahead.ts";
import {
  isNext,
  takeMark,
  takeSpace,
  takeWhile,
  type BlockReader,
  type StreamReading,
} from "./reading/reader.ts";

const opener = "✿FUNCTION✿";
const argumentsMark = "✿ARGS✿";
const resultMark = "✿RESULT✿";
/** Between the results and the answer: a model that goes on behind it may write it. */
const answerMark = "✿RETURN✿";

/** A name alone on its line. */
const named = inOrder(
  mark(":"),
  blank,
  name,
  either(before(/[\n\r✿]/), inOrder(some(/[ \t]/), before(/[\n\r✿]/))),
);

export const qwenFn: Dialect = {
  name: "qwen-fn",
  tier: "token",
  openers: [{ mark: opener, begins: (ahead) => follows(ahead, blank, named) }],
  turns: ["<|im_end|>", "<|im_start|>", "<|endoftext|>"],
  results: [resultMark],
  layout: [`${answerMark}: `, answerMark],
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: [`\n${resultMark}`, `\n${answerMark}`],
  markers: [opener, argumentsMark, answerMark],
  family: { template: [opener] },
  lesson: {
    form: `${opener}: tool_name\n${argumentsMark}: {"parameter": "value"}`,
    rules: [
      "The arguments are one valid JSON object.",
      `Several calls: several pairs of ${opener} and ${argumentsMark}, one after the other.`,
    ],
    resultRules: resultRulesFor(resultMark),
  },
  writeCalls: inSequence(
    (call) => `${opener}: ${call.name}\n${argumentsMark}: ${JSON.stringify(call.input)}`,
  ),
  writeResults: resultsBetween(`${resultMark}: `, ""),
  read: readCall,
};

function* readCall(reader: BlockReader): StreamReading {
  yield* takeColon(reader);
  const called = yield* takeWhile(reader, /[^\s✿]/, 120);
  yield* takeSpace(reader);
  const hasArguments = yield* takeMark(reader, argumentsMark);
  if (hasArguments) yield* takeColon(reader);
  if (hasArguments && !(yield* endsHere(reader))) yield* readArguments(reader, called);
  else if (reader.isCut && mayBecomeArguments(reader)) reader.tell({ ...cutOff(reader.raw()), name: called });
  else reader.tell({ name: called, input: {} });
}

/** Nothing follows the name, or only the beginning of the mark that the arguments stand behind. */
const mayBecomeArguments = ({ input }: BlockReader): boolean =>
  argumentsMark.startsWith(input.peek(argumentsMark.length));

function* readArguments(reader: BlockReader, called: string): StreamReading {
  const isFenced = yield* takeMark(reader, "```");
  if (isFenced) yield* takeWhile(reader, /\w/);
  yield* readNamedCall(reader, { name: called, closers: [], openers: [opener], endings: [answerMark] });
  yield* takeSpace(reader);
  if (isFenced) yield* takeMark(reader, "```");
}

function* endsHere(reader: BlockReader): StreamReading<boolean> {
  for (const end of [opener, answerMark, ...reader.endings]) if (yield* isNext(reader, end)) return true;
  return false;
}

function* takeColon(reader: BlockReader): StreamReading {
  yield* takeSpace(reader);
  if (yield* takeMark(reader, ":")) yield* takeSpace(reader);
}
