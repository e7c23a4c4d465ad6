/**
 * The input of a dialect. Each step consumes text and `yield`s when it needs more, so that readers do not depend on how
 * the text is split, and every character is examined a bounded number of times.
 */

import type { CallFault, ToolCall, ToolDescription } from "../../protocol/messages.ts";
import type { AnswerInput } from "./input.ts";

/** A piece of reading that can be suspended: it yields where it needs more text. @experimental */
export type StreamReading<Result = void> = Generator<undefined, Result, undefined>;

/** A call as parsed by a dialect: its source, and any missing id, are added later. @experimental */
export type ReadCall = Omit<ToolCall, "id" | "source" | "fault"> & { id?: string; fault?: CallFault };

/** Reads one block for a dialect, and takes what the dialect finds in it. @experimental */
export interface BlockReader {
  readonly input: AnswerInput;
  /** The tools on offer. */
  readonly offered: OfferedTools;
  /** What ends the message: the dialect's turns and results. */
  readonly endings: readonly string[];
  /** The model was taught this dialect, or is known to use it: then it is read with full tolerance. */
  readonly isKnown: boolean;
  /** The answer ended at its length limit: nothing unfinished may be completed. Only true once the input ended. */
  readonly isCut: boolean;
  /** Whether the message has calls before this block. */
  readonly hasCalled: boolean;
  /** The block as the model wrote it so far, with its opener. */
  raw(): string;
  /** A call is being written: for display only. */
  show(name: string, id?: string): void;
  /** More of the arguments, as JSON text: for display only. */
  showArguments(json: string): void;
  /** A complete call, or one that cannot be read (`problem`). */
  tell(call: ReadCall): void;
  /** A note for people about something that was left out. */
  notice(code: string, detail: string): void;
  /** Plain text inside the block. */
  say(text: string): void;
  /** Reasoning inside the block. */
  think(text: string): void;
  /**
   * A message may contain only one block of this kind: its calls wait for the end of the message, and if there is a
   * second block, all are replaced by this refusal.
   */
  onlyOne(refusal: ReadCall): void;
  /** The block is not a call: it becomes plain text, and reading it ends. */
  asText(): void;
  /** Whether only white space follows, which is consumed, or the end of the message. */
  isLast(): StreamReading<boolean>;
  /** A closing tag was left over, so the calls of the answer cannot be trusted (N19). */
  doubt(): void;
  /** Calls that were found and wait for the end of the answer. */
  waiting(): readonly Pick<ReadCall, "name" | "input" | "repairs">[];
  /**
   * What follows is a message to the user, up to one of the ends: only these openers of the dialect count in it, and what
   * else the model was taught.
   */
  toUser(message: UserMessage): void;
  /** Nothing after this place is read. */
  over(): void;
}

/** Which marks count in a message to the user. @experimental */
export type UserMessage = { readonly opens: readonly string[]; readonly ends: readonly string[] };

/** The tools on offer, and how a written name is understood. @experimental */
export interface OfferedTools {
  readonly tools: readonly ToolDescription[];
  /** The tool that a written name means, if it means exactly one. */
  find(written: string): Pick<ToolDescription, "name" | "schema" | "aliases"> | undefined;
}

/** Waits until so many characters are unread, or the text has ended, and returns them. Consumes nothing. */
export function* ahead({ input }: Pick<BlockReader, "input">, length: number): StreamReading<string> {
  while (input.unread < length && !input.ended) yield;
  return input.peek(length);
}

/** Whether the unread text begins with a mark. Waits only while that is open. Consumes nothing. */
export function* isNext({ input }: Pick<BlockReader, "input">, mark: string): StreamReading<boolean> {
  for (;;) {
    input.looked += 1;
    if (input.unread >= mark.length) return input.text.startsWith(mark, input.at);
    if (input.ended || !mark.startsWith(input.peek(mark.length))) return false;
    yield;
  }
}

/** Consumes a mark if it is next. @experimental */
export function* takeMark(reader: Pick<BlockReader, "input">, mark: string): StreamReading<boolean> {
  const found = yield* isNext(reader, mark);
  if (found) reader.input.take(mark.length);
  return found;
}

/** Consumes the first of several marks that is next; longer marks must precede their prefixes. */
export function* takeOneOf(
  reader: Pick<BlockReader, "input">,
  marks: readonly string[],
): StreamReading<string | undefined> {
  for (const mark of marks) if (yield* takeMark(reader, mark)) return mark;
  return undefined;
}

/** Consumes these marks, as often as they come, and the white space between them. */
export function* takeAll(reader: Pick<BlockReader, "input">, marks: readonly string[]): StreamReading {
  do yield* takeSpace(reader);
  while ((yield* takeOneOf(reader, marks)) !== undefined);
}

const space = /[\s\uFEFF]*/y;

/** Consumes white space and returns it. @experimental */
export function* takeSpace({ input }: Pick<BlockReader, "input">): StreamReading<string> {
  const pieces: string[] = [];
  for (;;) {
    space.lastIndex = input.at;
    space.test(input.text);
    const length = space.lastIndex - input.at;
    input.looked += length + 1;
    if (length > 0) pieces.push(input.take(length));
    if (input.unread > 0 || input.ended) return pieces.join("");
    yield;
  }
}

/** Consumes characters of a class, at most `limit`. `one` must match a single character. @experimental */
export function* takeWhile(
  { input }: Pick<BlockReader, "input">,
  one: RegExp,
  limit = 200,
): StreamReading<string> {
  let taken = "";
  for (; taken.length < limit; taken += input.take(1)) {
    while (input.unread === 0 && !input.ended) yield;
    input.looked += 1;
    if (input.unread === 0 || !one.test(input.text.charAt(input.at))) break;
  }
  return taken;
}

/** Several marks to search for at once. No mark may begin with another. @experimental */
export interface Marks {
  readonly all: readonly string[];
  readonly pattern: RegExp;
  readonly longest: number;
}

/** Prepares several marks for searching. @experimental */
export function marksOf(all: readonly string[]): Marks {
  const escaped = all.map((mark) => mark.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern = new RegExp(escaped.length > 0 ? escaped.join("|") : "(?!)", "g");
  return { all, pattern, longest: Math.max(0, ...all.map((mark) => mark.length)) };
}

/**
 * Consumes the text before the first of the marks, or everything if there is none; the mark itself stays unread. `each`
 * gets every piece as it is consumed. @experimental
 */
export function* takeUntil(
  { input }: Pick<BlockReader, "input">,
  marks: Marks,
  each: (piece: string) => void = () => undefined,
): StreamReading<{ text: string; mark: string | undefined }> {
  const pieces: string[] = [];
  const take = (length: number): void => {
    if (length === 0) return;
    const piece = input.take(length);
    pieces.push(piece);
    each(piece);
  };
  for (;;) {
    marks.pattern.lastIndex = input.at;
    const found = marks.pattern.exec(input.text);
    input.looked += (found?.index ?? input.text.length) - input.at + 1;
    const isNear = found === null || found.index > input.text.length - marks.longest;
    const open = input.ended || !isNear ? 0 : openTail(input, marks);
    // A mark may stand inside another one that began before it and has not wholly come yet.
    if (found && found.index <= input.text.length - open) {
      take(found.index - input.at);
      return { text: pieces.join(""), mark: found[0] };
    }
    take(input.unread - open);
    if (input.ended) return { text: pieces.join(""), mark: undefined };
    yield;
  }
}

/** How many of the last characters may be the beginning of a mark. */
function openTail({ text, at }: AnswerInput, { all, longest }: Marks): number {
  for (let from = Math.max(at, text.length - longest + 1); from < text.length; from += 1) {
    const tail = text.slice(from);
    if (all.some((mark) => mark.startsWith(tail))) return tail.length;
  }
  return 0;
}

/** Takes characters as long as the test accepts them, to the end of the answer if it always does. */
export function* takeOnly(
  { input }: Pick<BlockReader, "input">,
  accepts: (character: string) => boolean,
  each: (piece: string) => void,
): StreamReading {
  for (;;) {
    let at = input.at;
    while (at < input.text.length && accepts(input.text.charAt(at))) at += 1;
    input.looked += at - input.at + 1;
    if (at > input.at) each(input.take(at - input.at));
    if (input.unread > 0 || input.ended) return;
    yield;
  }
}
