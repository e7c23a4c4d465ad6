/** Parses the headers of gpt-oss's messages (author, channel, recipient) in every variant models write. */

import {
  before,
  blank,
  either,
  inOrder,
  mark,
  maybe,
  oneOf,
  some,
  takeStep,
  type PatternStep,
} from "../reading/ahead.ts";
import {
  takeMark,
  takeOneOf,
  takeSpace,
  takeWhile,
  type BlockReader,
  type StreamReading,
} from "../reading/reader.ts";

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
 * A header beginning with its author. A recipient outside the known namespaces must be called with JSON, or it belongs
 * to another format.
 */
export const role: PatternStep = inOrder(
  mark("assistant"),
  blank,
  either(
    oneOf(channelMark, messageMark),
    inOrder(channel, blank, maybe(inOrder(recipient, blank)), oneOf(channelMark, messageMark)),
    inOrder(mark("to=functions."), some(/[^\s<{]/), blank, before(/[<{\w]/)),
    inOrder(recipient, blank, oneOf(channelMark, constrainMark)),
    inOrder(recipient, bodyMark, blank, before(/\{/)),
  ),
);
export const proper: PatternStep = inOrder(
  blank,
  channel,
  either(
    inOrder(blank, oneOf(channelMark, constrainMark)),
    inOrder(bodyMark, before(/\S/)),
    inOrder(blank, recipient),
  ),
);
/**
 * At the beginning of a line, also accepted without `<|message|>`, and with anything in place of a channel (llama.cpp
 * #27720).
 */
export const broken: PatternStep = either(channel, beforeMark);

/** The header of a message begun by the prompt. */
export function openHeader(prefix: string): string | undefined {
  if (prefix === "") return author;
  const header = prefix.slice(Math.max(0, prefix.lastIndexOf(author)));
  const isOpen = header.startsWith(author) && !ends.some((end) => header.includes(end));
  return isOpen && (!header.includes(messageMark) || header.endsWith(messageMark)) ? header : undefined;
}

type HarmonyHeader = {
  channel: (typeof channels)[number] | undefined;
  recipient: string | undefined;
  /** The text in the channel's place is not a channel. */
  isBroken: boolean;
};

/** Reads up to the body of a message: after `<|message|>`, or at the first thing that is not part of a header. */
export function* readHeader(reader: BlockReader, opener: string): StreamReading<HarmonyHeader> {
  const header: HarmonyHeader = { channel: undefined, recipient: undefined, isBroken: false };
  yield* takeSpace(reader);
  const first = opener === endMark ? yield* takeOneOf(reader, [startMark, channelMark]) : opener;
  if (first === channelMark) yield* readMarkedChannel(reader, header);
  else {
    yield* takeMark(reader, "assistant");
    yield* readChannel(reader, header);
  }
  for (;;) {
    yield* takeSpace(reader);
    const next = yield* takeOneOf(reader, [messageMark, channelMark, constrainMark, "to="]);
    if (next === messageMark) return header;
    if (next === channelMark) yield* readMarkedChannel(reader, header);
    else if (next === constrainMark) yield* takeWhile(reader, /[\w-]/);
    else if (next === undefined && !(yield* takeStep(reader, beside))) return header;
    else if (next === "to=") {
      const to = yield* takeWhile(reader, /[^\s<{]/);
      if (!/^(?:assistant|user|all|self)?$/.test(to)) header.recipient = to;
    }
  }
}

function* readMarkedChannel(reader: BlockReader, header: HarmonyHeader): StreamReading {
  yield* readChannel(reader, header);
  header.isBroken = header.channel === undefined;
}

function* readChannel(reader: BlockReader, header: HarmonyHeader): StreamReading {
  yield* takeSpace(reader);
  const name = yield* takeOneOf(reader, channels);
  header.channel = channels.find((one) => one === name) ?? header.channel;
}

/** A content type, or any other insignificant part of a header. */
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

/** Whether a mark of the format is within reach. */
function beforeMark(text: string, at: number): number | "no" | "more" {
  if (/<\|(?:message|channel|start|end|call|return)\|>/.test(text.slice(at))) return at;
  return "more";
}
