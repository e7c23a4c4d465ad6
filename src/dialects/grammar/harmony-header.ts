/** The headers of gpt-oss's messages: author, channel and recipient, however they are written. */

import { before, blank, either, inOrder, mark, oneOf, some, takeStep, type Step } from "../reading/ahead.ts";
import { takeMark, takeOneOf, takeSpace, takeWhile, type Reader, type Reading } from "../reading/reader.ts";

export const startMark = "<|start|>";
export const channelMark = "<|channel|>";
const constrainMark = "<|constrain|>";
export const messageMark = "<|message|>";
export const endMark = "<|end|>";
export const ends = [endMark, "<|call|>", "<|return|>"];
export const author = `${startMark}assistant`;
const channels = ["analysis", "commentary", "final"] as const;
const channel = oneOf(...channels);
const recipient = inOrder(mark("to="), some(/[^\s<{]/));
const bodyMark = inOrder(blank, either(inOrder(some(/[\w-]/, 20), blank), blank), mark(messageMark));

/**
 * A header that begins with its author. A recipient of no known namespace is called with JSON, or is another format's.
 */
export const role: Step = inOrder(
  mark("assistant"),
  blank,
  either(
    oneOf(channelMark, messageMark),
    inOrder(mark("to=functions."), some(/[^\s<{]/), blank, before(/[<{\w]/)),
    inOrder(recipient, blank, oneOf(channelMark, constrainMark)),
    inOrder(recipient, bodyMark, blank, before(/\{/)),
  ),
);
export const proper: Step = inOrder(
  blank,
  channel,
  either(
    inOrder(blank, oneOf(channelMark, constrainMark)),
    inOrder(bodyMark, before(/\S/)),
    inOrder(blank, recipient),
  ),
);
/** Where a line begins also without `<|message|>`, and with anything in place of a channel (llama.cpp #27720). */
export const broken: Step = either(channel, beforeMark);

/** The header of a message that the prompt begins. */
export function openHeader(prefix: string): string | undefined {
  if (prefix === "") return author;
  const header = prefix.slice(Math.max(0, prefix.lastIndexOf(author)));
  const isOpen = header.startsWith(author) && !ends.some((end) => header.includes(end));
  return isOpen && (!header.includes(messageMark) || header.endsWith(messageMark)) ? header : undefined;
}

type Header = {
  channel: (typeof channels)[number] | undefined;
  recipient: string | undefined;
  /** What stood in place of the channel is none. */
  isBroken: boolean;
};

/** Reads to the body of a message: behind `<|message|>`, or where something stands that is no header. */
export function* readHeader(reader: Reader, opener: string): Reading<Header> {
  const header: Header = { channel: undefined, recipient: undefined, isBroken: false };
  yield* takeSpace(reader);
  const first = opener === endMark ? yield* takeOneOf(reader, [startMark, channelMark]) : opener;
  if (first === channelMark) yield* readChannel(reader, header);
  else yield* takeMark(reader, "assistant");
  for (;;) {
    yield* takeSpace(reader);
    const next = yield* takeOneOf(reader, [messageMark, channelMark, constrainMark, "to="]);
    if (next === messageMark) return header;
    if (next === channelMark) yield* readChannel(reader, header);
    else if (next === constrainMark) yield* takeWhile(reader, /[\w-]/);
    else if (next === undefined && !(yield* takeStep(reader, beside))) return header;
    else if (next === "to=") {
      const to = yield* takeWhile(reader, /[^\s<{]/);
      if (!/^(?:assistant|user|all|self)?$/.test(to)) header.recipient = to;
    }
  }
}

function* readChannel(reader: Reader, header: Header): Reading {
  yield* takeSpace(reader);
  const name = yield* takeOneOf(reader, channels);
  header.channel ??= channels.find((one) => one === name);
  header.isBroken = header.channel === undefined;
}

/** A content type, or anything else of a header that means nothing. */
function beside(text: string, at: number): number | "no" | "more" {
  const words = /[^<{\n]{0,80}/y;
  words.lastIndex = at;
  const found = words.exec(text)?.[0] ?? "";
  const to = found.indexOf(" to=functions.");
  if (to > 0) return at + to;
  const end = at + found.length;
  if (end === text.length) return found.length < 80 ? "more" : "no";
  if (found === "") return "no";
  if (text[end] === "{") return /^(?:json|code|text)\s*$/.test(found) ? end : "no";
  const isWord = /[\p{L}\p{N}]/u.test(found);
  const next = oneOf(messageMark, channelMark, constrainMark, ...(isWord ? [] : ends))(text, end);
  return typeof next === "number" ? end : next;
}

/** Some mark of the format stands within reach. */
function beforeMark(text: string, at: number): number | "no" | "more" {
  if (/<\|(?:message|channel|start|end|call|return)\|>/.test(text.slice(at))) return at;
  return "more";
}
