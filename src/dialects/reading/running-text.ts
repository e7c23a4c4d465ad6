/** Reads running text: emits it at once, except for what could still become a mark. */

import type { OpenerContext, CallVerdict } from "../dialect.ts";
import type { TextMark, MarkTable } from "./marks.ts";
import { isInPlace, mayStand, say, type MessageState } from "./message.ts";
import { isNext, takeSpace, type StreamReading } from "./reader.ts";

/** Longest text after an opener that is held until it is clear whether a call begins. */
const maxAhead = 160;
/** Usually enough to decide. */
const shortAhead = 24;

/** Emits text up to the next mark that counts, and consumes the mark. Undefined at the end of the answer. */
export function* runningText(message: MessageState): StreamReading<TextMark | undefined> {
  const { input, table } = message;
  for (;;) {
    let at = input.at;
    // A tool's name may begin with any letter: what counts only elsewhere neither keeps the text waiting nor parts it.
    const mayStart = (mark: TextMark): boolean =>
      mayBegin(input.text, at, mark.text) && (isInPlace(message, mark) || isShown(message, mark));
    for (; at < input.text.length; at += 1) {
      if (!message.thinks) at = message.mask.skip(input.text, at, table.stops);
      if (at === input.text.length) break;
      const candidates = table.at(input.text, at);
      if (candidates.some(mayStart)) {
        pass(message, at);
        const found = yield* findMark(message, candidates);
        if (found) return found;
        at = input.at;
      }
      message.mask.step(input.text.charCodeAt(at));
    }
    input.looked += input.unread;
    pass(message, at);
    if (input.ended) return undefined;
    yield;
  }
}

/** Emits the text before a position. */
function pass(message: MessageState, at: number): void {
  const { input } = message;
  if (at > input.at) say(message, input.take(at - input.at));
}

/** Whether the mark, or an incomplete part of it at the end of the text, is at this position. */
const mayBegin = (text: string, at: number, mark: string): boolean =>
  text.startsWith(mark, at) || (at + mark.length > text.length && mark.startsWith(text.slice(at)));

/** Consumes and returns the first mark at the current position that counts. */
export function* findMark(
  message: MessageState,
  candidates: readonly TextMark[],
): StreamReading<TextMark | undefined> {
  const { input } = message;
  let cut: TextMark | undefined;
  for (const mark of candidates) {
    if (!mayBegin(input.text, input.at, mark.text)) continue;
    if (!isInPlace(message, mark) && !isShown(message, mark)) continue;
    if (!(yield* isNext(message, mark.text))) continue;
    if (!mayStand(message, mark)) {
      passMark(message, mark);
      continue;
    }
    const isMeant = yield* counts(message, mark);
    if (!isMeant && isCutHead(message, mark)) cut ??= mark;
    // Text of the prompt was not written by the model, so an unmatched mark in it is not reported.
    if (isMeant || message.input.position >= 0) tell(message, mark, isMeant ? meaningOf(mark) : noCall);
    if (!isMeant) continue;
    message.input.take(mark.text.length);
    return mark;
  }
  if (!cut) return undefined;
  message.isHeadCut = true;
  input.take(cut.text.length);
  return cut;
}

/** The answer ended before the opener could be confirmed, but after a tool's name (N11), and not in mid-sentence. */
function isCutHead(message: MessageState, { text, means }: TextMark): boolean {
  const { input, offered, isCut, mask } = message;
  if (!isCut && mask.afterBlank()) return false;
  if (means.type !== "call" || !input.ended || input.position < 0) return false;
  if (judge(message, { text, means }, maxAhead) !== "more") return false;
  const head = input.text.slice(input.at + text.length, input.at + text.length + maxAhead);
  return head
    .split(/[^\p{L}\p{M}\p{N}_.:-]+/u)
    .some((word) => word !== "" && offered.find(word) !== undefined);
}

const noCall = "is text: what follows makes it nothing else";

/** Whether the mark of a call is merely shown, in code or a quotation. */
const isShown = ({ mask }: MessageState, { means }: TextMark): boolean =>
  (means.type === "call" || means.type === "layout") && (mask.masked() || mask.quoting());

/** What opens inside a call that is merely shown is not a call either. */
function passMark(message: MessageState, mark: TextMark): void {
  if (!isShown(message, mark)) return;
  message.mask.shows(mark.text);
  if (mark.means.type === "call")
    tell(message, mark, "is text: it stands in code, a quotation, a comment or program text");
}

function tell({ input, trace }: MessageState, { text }: TextMark, why: string): void {
  trace?.({ at: Math.max(0, input.position), mark: text, why });
}

function meaningOf({ means }: TextMark): string {
  switch (means.type) {
    case "call":
      return `opens a call (${means.dialect.name})`;
    case "whole":
      return `may open a message that is only a call (${means.dialect.name})`;
    case "thought":
      return "opens reasoning";
    case "thought-end":
      return "ends reasoning";
    case "turn":
      return "ends the message: the next turn is not the model's to write";
    case "result":
      return "ends the message: a tool's result is not the model's to write";
    case "layout":
      return "is layout";
    case "leftover":
      return "was left over: the calls before it are refused";
    default:
      return means satisfies never;
  }
}

function* counts(message: MessageState, mark: TextMark): StreamReading<boolean> {
  switch (mark.means.type) {
    case "call":
    case "whole":
      return yield* begins(message, mark);
    case "thought-end":
      return !(yield* isMentioned(message, mark.text));
    case "result":
      // With no call before it, words such as a heading may begin any line of an answer.
      return message.teller.count > 0 || (message.mask.atLineStart() && /[<[✿]/.test(mark.text));
    case "leftover":
      return message.teller.holds;
    case "turn":
      return mark.where === "end"
        ? yield* isLast(message, mark.text)
        : !(yield* isMentioned(message, mark.text));
    case "layout":
      return mark.where === "end"
        ? mayRemain(message, mark.text) && (yield* isLast(message, mark.text))
        : !(yield* isMentioned(message, mark.text));
    case "thought":
      return isAtStart(message, mark) || (yield* opensInLine(message, mark.text, mark.means));
    default:
      return mark.means satisfies never;
  }
}

/** Whether a tag may be what a call left behind. One that could stand in any text does only behind a call. */
const mayRemain = ({ mask, teller }: MessageState, mark: string): boolean =>
  !mask.afterBlank() && (teller.count > 0 || !/^<\/?\w/.test(mark));

type ThoughtMark = Extract<TextMark["means"], { type: "thought" }>;

/** A tag is certain only at the beginning of a line, a special token anywhere. */
export const isAtStart = ({ mask }: MessageState, { where }: TextMark): boolean =>
  where !== "line" || mask.atLineStart();

/**
 * Whether a thought begins here, within a line. If it is only mentioned, has no end, or is marked by a word of prose, it
 * is text, but a call in it must still not run (N5).
 */
function* opensInLine(
  message: MessageState,
  mark: string,
  { close, isPaired }: ThoughtMark,
): StreamReading<boolean> {
  const isText =
    isPaired || message.missing.has(close) || message.mask.quoting() || (yield* isMentioned(message, mark));
  if (isText && !message.mask.quoting()) message.mayThink ??= close;
  return !isText;
}

/** Whether only the end of a turn follows a mark, or more such marks: by themselves they prove nothing. */
function* isLast({ input, table }: MessageState, mark: string): StreamReading<boolean> {
  for (;;) {
    const from = input.at + mark.length;
    const rest = input.text.slice(from, from + maxAhead);
    input.looked += rest.length;
    const text = withoutTags(rest, table);
    const turns = endsAt(table, text).filter(({ where }) => where !== "end");
    if (turns.some((turn) => text.startsWith(turn.text))) return true;
    const isOpen = text === "" || endsAt(table, text).some((end) => end.text.startsWith(text));
    if (!isOpen || rest.length >= maxAhead) return false;
    if (input.ended) return text === "";
    yield;
  }
}

const endsAt = (table: MarkTable, text: string): readonly TextMark[] =>
  table.at(text, 0).filter(({ where, means }) => means.type === "turn" || where === "end");

function withoutTags(text: string, table: MarkTable): string {
  const rest = text.trimStart();
  const tag = endsAt(table, rest).find(({ where, text: end }) => where === "end" && rest.startsWith(end));
  return tag ? withoutTags(rest.slice(tag.text.length), table) : rest;
}

function* begins(message: MessageState, { text, means }: TextMark): StreamReading<boolean> {
  if (!("opener" in means)) return false;
  const { input } = message;
  for (let length = shortAhead; ;) {
    const verdict = judge(message, { text, means }, length);
    if (verdict !== "more") return verdict === "call";
    if (input.unread - text.length < length) {
      if (input.ended) return false;
      yield;
    } else if (length < maxAhead) length = maxAhead;
    else return false;
  }
}

/** Judges a mark by the given number of characters after it. */
function judge(
  message: MessageState,
  { text, means }: Pick<TextMark, "text" | "means">,
  length: number,
): CallVerdict {
  if (!("opener" in means)) return "text";
  const { input } = message;
  const from = input.at + text.length;
  const ahead = input.text.slice(from, from + length);
  input.looked += ahead.length;
  return means.opener.begins?.(ahead, placeOf(message, means.dialect.name)) ?? "call";
}

function placeOf(message: MessageState, dialect: string): OpenerContext {
  const { offered, known } = message;
  return { offered, isKnown: dialect === known, opens: (text) => opens(message, text) };
}

/** Whether a text begins with a marked call. */
function opens(message: MessageState, text: string): CallVerdict {
  let verdict: CallVerdict = "text";
  for (const { text: mark, means } of message.table.at(text, 0)) {
    if (means.type !== "call") continue;
    if (mark.startsWith(text)) verdict = "more";
    if (!text.startsWith(mark)) continue;
    const place = placeOf(message, means.dialect.name);
    const inner = means.opener.begins?.(text.slice(mark.length), place) ?? "call";
    if (inner === "call") return inner;
    if (inner === "more") verdict = "more";
  }
  return verdict;
}

/** Whether only white space follows, which is consumed, or a mark that ends the message. */
export function* endsHere(message: MessageState): StreamReading<boolean> {
  const { input, table } = message;
  yield* takeSpace(message);
  if (input.unread === 0) return true;
  for (const mark of table.at(input.text, input.at)) {
    const ends = mark.means.type === "turn" || mark.means.type === "result";
    if (!ends || !(yield* isNext(message, mark.text))) continue;
    return mark.where !== "end" || (yield* isLast(message, mark.text));
  }
  return false;
}

/** "Everything after </think> is shown": inside a sentence, a mark is mentioned, not used. */
const isMentioned = (message: MessageState, mark: string): StreamReading<boolean> =>
  isWord(message, mark, message.mask.afterBlank());

/** Whether a mark stands like a word of a sentence. */
export function* isWord(
  { input }: Pick<MessageState, "input">,
  mark: string,
  isAfterBlank: boolean,
): StreamReading<boolean> {
  if (!isAfterBlank) return false;
  while (input.unread <= mark.length && !input.ended) yield;
  return /[ \t.,;:!?)]/.test(input.text.charAt(input.at + mark.length));
}
