/** The whole answer as one JSON object, what to say and then which calls to make: for servers that hold a model to a schema. */

import type { JsonObject } from "../base/json.ts";
import type { AnswerTool, CallVerdict, Dialect, WrittenCall } from "./dialect.ts";
import { judgeFence, takeFenceInfo } from "./grammar/fence.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { readTaggedJson } from "./grammar/tagged-json.ts";
import {
  ahead,
  marksOf,
  takeMark,
  takeSpace,
  takeUntil,
  type BlockReader,
  type StreamReading,
} from "./reading/reader.ts";

const opener = "{";
/** Models that no server holds like to put JSON in one. */
const fence = "```";

export const jsonAnswer: Dialect = {
  name: "json-answer",
  tier: "taught",
  openers: [
    { mark: opener, where: "start", begins: (rest) => begins(rest.trimStart()) },
    { mark: fence, where: "line", begins: beginsInFence },
  ],
  turns: ["<|im_end|>", "<|im_start|>", "<|endoftext|>", "<end_of_turn>", "<start_of_turn>"],
  ...resultsInTags,
  lesson: {
    form: '{"say": "What you say.", "calls": [{"name": "tool_name", "arguments": {"parameter": "value"}}]}',
    rules: [
      'Your whole answer is this one JSON object: first what you say, then the calls, in their order. Inside strings write \\n for a line break and \\" for a quotation mark.',
    ],
    ending: 'When nothing is left to do, write your answer under "say", and no call: "calls": [].',
  },
  answerSchema: (tools, { mustCall, onlyOne }) => ({
    type: "object",
    properties: {
      say: mustCall ? noWords : anyWords,
      calls: {
        type: "array",
        items: { anyOf: tools.map(callSchema) },
        ...(mustCall ? { minItems: 1 } : {}),
        ...(onlyOne ? { maxItems: 1 } : {}),
      },
    },
    required: ["say", "calls"],
    additionalProperties: false,
  }),
  writeAnswer,
  writeCalls: (calls) => writeAnswer("", calls),
  *read(reader, mark) {
    if (mark === fence) {
      yield* takeFenceInfo(reader);
      yield* takeSpace(reader);
      yield* takeMark(reader, opener);
    }
    if (yield* takeKey(reader, sayKey)) yield* readSaid(reader);
    yield* takeSpace(reader);
    yield* takeMark(reader, ",");
    if ((yield* takeKey(reader, callsKey)) && (yield* takeMark(reader, "["))) yield* readCalls(reader);
    yield* takeSpace(reader);
    if (yield* takeMark(reader, "}")) yield* takeSpace(reader);
    if (mark === fence) yield* takeMark(reader, fence);
  },
};

const anyWords: JsonObject = { type: "string" };
/** Before a call that must come: a weak model that may talk does not stop. */
const noWords: JsonObject = { const: "" };

const callSchema = ({ name, schema }: AnswerTool): JsonObject => ({
  type: "object",
  properties: { name: { const: name }, arguments: schema },
  required: ["name", "arguments"],
  additionalProperties: false,
});

function writeAnswer(say: string, calls: readonly WrittenCall[]): string {
  return JSON.stringify({ say, calls: calls.map(({ name, input }) => ({ name, arguments: input })) });
}

const sayKey = '"say"';
const callsKey = '"calls"';

/** The opening quotation mark or bracket belongs to it: an object in prose may have such a key, too. */
function begins(rest: string): CallVerdict {
  if (/^"say"\s*:\s*"|^"calls"\s*:\s*\[/.test(rest)) return "call";
  const isOpen = [sayKey, callsKey].some(
    (key) => key.startsWith(rest) || (rest.startsWith(key) && /^\s*:?\s*$/.test(rest.slice(key.length))),
  );
  return isOpen ? "more" : "text";
}

function beginsInFence(rest: string): CallVerdict {
  return judgeFence(rest, (text) => {
    const body = text.trimStart();
    if (body === "") return "more";
    return body.startsWith(opener) ? begins(body.slice(opener.length).trimStart()) : "text";
  });
}

function* takeKey(reader: BlockReader, key: string): StreamReading<boolean> {
  yield* takeSpace(reader);
  if (!(yield* takeMark(reader, key))) return false;
  yield* takeSpace(reader);
  yield* takeMark(reader, ":");
  yield* takeSpace(reader);
  return true;
}

const special = marksOf(['"', "\\"]);

/** The text, told as it comes. */
function* readSaid(reader: BlockReader): StreamReading {
  if (!(yield* takeMark(reader, '"'))) return;
  const say = (piece: string): void => (piece === "" ? undefined : reader.say(piece));
  for (;;) {
    const { mark } = yield* takeUntil(reader, special, say);
    if (mark === undefined) return;
    reader.input.take(1);
    if (mark === '"') return;
    say(yield* takeEscape(reader));
  }
}

/** The character after a backslash; one that JSON does not know stands for itself. */
function* takeEscape(reader: BlockReader): StreamReading<string> {
  const next = yield* ahead(reader, 1);
  if (next !== "u") {
    reader.input.take(next.length);
    return escapes.get(next) ?? next;
  }
  const written = yield* ahead(reader, 5);
  const isWhole = /^u[0-9a-f]{4}$/i.test(written);
  reader.input.take(isWhole ? written.length : 1);
  return isWhole ? String.fromCharCode(Number.parseInt(written.slice(1), 16)) : next;
}

const escapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
]);

/** Each call is told as soon as it is complete. */
function* readCalls(reader: BlockReader): StreamReading {
  for (;;) {
    yield* takeSpace(reader);
    if (yield* takeMark(reader, ",")) continue;
    const next = yield* ahead(reader, 1);
    if (next === "{") yield* readTaggedJson(reader, { closers: [], isItem: true });
    else {
      yield* takeMark(reader, "]");
      return;
    }
  }
}
