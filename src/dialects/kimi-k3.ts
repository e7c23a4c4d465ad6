/** The format of Kimi K3 (XTML): tags of special tokens that name the type of every argument. */

import { typeOf } from "../base/json-schema.ts";
import type { MarkedDialect, WrittenCall } from "./dialect.ts";
import { resultRulesFor, resultText } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { rawLesson, rawText } from "./grammar/raw-values.ts";
import { callInParts, inSequence } from "./grammar/writing.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import type { XmlForm } from "./grammar/xml-form.ts";
import { namesOf, since } from "./names.ts";
import {
  blank,
  either,
  follows,
  inOrder,
  mark,
  maybe,
  oneOf,
  peek,
  some,
  takeText,
  type PatternStep,
} from "./reading/ahead.ts";
import { takeOneOf, takeSpace, type BlockReader, type StreamReading } from "./reading/reader.ts";

const sep = "<|sep|>";
const open = (tag: string): string => `<|open|>${tag}`;
const close = (tag: string): string => `<|close|>${tag}${sep}`;
const block = open("tools") + sep;
const answer = open("response") + sep;
const callOpen = open("call ");
const toolMessage = open('message role="tool"');

const rest: PatternStep = inOrder(some(/[^<|]/, 150), mark(sep));
const call: PatternStep = inOrder(maybe(inOrder(mark(block), blank)), mark(callOpen), rest, blank);
/** Arguments in one piece of JSON. */
const json: PatternStep = inOrder(mark(open("json")), maybe(some(/[^<|]/)), mark(sep));

const form: XmlForm = {
  call: {
    marks: [callOpen],
    step: inOrder(call, peek(oneOf(open("argument "), close("call")))),
    read: (opening) => ({ name: attribute(opening, "tool") ?? "" }),
  },
  parameter: {
    marks: [open("argument ")],
    step: inOrder(mark(open("argument ")), rest),
    read: (opening) => {
      const type = attribute(opening, "type");
      return {
        key: attribute(opening, "key") ?? "",
        isText: type === undefined ? undefined : type === "string",
      };
    },
  },
  closers: () => [close("argument")],
  ends: [close("call"), close("tools")],
  endings: [close("message")],
  padding: "none",
  withoutCloser: "ends",
};

export const kimiK3: MarkedDialect = {
  name: "kimi-k3",
  tier: "token",
  openers: [
    { mark: block, begins: (ahead) => follows(ahead, blank, mark(callOpen), rest) },
    {
      mark: callOpen,
      begins: (ahead) => follows(callOpen + ahead, either(form.call.step, inOrder(call, json))),
    },
  ],
  thoughts: [{ open: open("think") + sep, close: close("think"), answers: [answer] }],
  leftovers: [close("argument")],
  layout: [answer, open('message role="assistant"') + sep, ...["response", "message", "tools"].map(close)],
  turns: ["<|end_of_msg|>", open('message role="user"'), open('message role="system"')],
  results: [toolMessage, "<tool_response"],
  // A value may hold any text.
  stop: [],
  markers: ["<|close|>"],
  family: { template: ["<|open|>", "<|sep|>"], models: namesOf(since("kimi-?k", "3")) },
  lesson: {
    ...rawLesson("several calls in the one block, numbered from 1", [
      "The type is string, number, boolean, null, object or array.",
    ]),
    resultRules: resultRulesFor(toolMessage),
  },
  writeCalls,
  writeResults: inSequence((result, index) => {
    const tag = `message role="tool" tool="${escapeAttribute(result.name)}" index="${index + 1}"`;
    return `${open(tag)}${sep}${resultText(result)}${close("message")}`;
  }),
  *read(reader, opener) {
    if (opener !== block) rewind(reader, opener);
    while (yield* readJsonCall(reader));
    do yield* readXmlCalls(reader, form);
    while (yield* readJsonCall(reader));
    yield* takeOneOf(reader, [close("tools")]);
  },
};

function* readJsonCall(reader: BlockReader): StreamReading<boolean> {
  const opening = yield* takeText(reader, inOrder(call, json));
  if (opening === "") return false;
  const name = attribute(opening, "tool") ?? "";
  yield* readNamedCall(reader, { name, closers: [close("json")] });
  yield* takeSpace(reader);
  yield* takeOneOf(reader, [close("call")]);
  return true;
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

function writeCalls(calls: readonly WrittenCall[]): string {
  const written = calls.map((one, index) =>
    callInParts({
      open: (name) => `${callOpen}tool="${escapeAttribute(name)}" index="${index + 1}"${sep}`,
      argument: (key, value) => {
        const type = typeOf(value) === "integer" ? "number" : typeOf(value);
        return `${open("argument")} key="${escapeAttribute(key)}" type="${type}"${sep}${rawText(value)}${close("argument")}`;
      },
      close: close("call"),
    })(one),
  );
  return block + written.join("") + close("tools");
}

const escapeAttribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
