/**
 * Reads blocks of calls written as program text: finds their end, whose mark may also occur in a string, and emits the
 * calls.
 */

import { namelessCall } from "../../protocol/unreadable.ts";
import {
  type ReadCall,
  ahead,
  marksOf,
  takeUntil,
  type BlockReader,
  type StreamReading,
  takeAll,
} from "../reading/reader.ts";
import { cutOff, noteOn, unreadable } from "./json-calls.ts";
import type { WrittenCalls } from "./written-calls.ts";

type CallBlockForm = {
  /** The marks that end the block. None: it ends with the answer. */
  readonly closers: readonly string[];
  /** Marks that also end it but stay unread, beside those that end the message: another opener. */
  readonly endings?: readonly string[];
  /** Meaningless marks allowed after the block, such as a doubled closer. */
  readonly trailing?: readonly string[];
  /** A token that delimits texts in which nothing is escaped. */
  readonly delimiter?: string;
  read(body: string, closed: boolean): WrittenCalls;
};

type BlockEnd = "closer" | "ending" | "end";

/** Attempts at a mark inside what looks like a string or an unfinished call. */
const maxAttempts = 8;
/** Longest text examined after a closer. */
const maxAhead = 160;

type BodyCollector = {
  readonly reader: BlockReader;
  readonly block: CallBlockForm;
  readonly watch: CallWatch;
  readonly pieces: string[];
  attempts: number;
};

/** Reads a block after its opener, and emits its calls. */
export function* readCallBlock(reader: BlockReader, block: CallBlockForm): StreamReading {
  const collecting: BodyCollector = {
    reader,
    block,
    watch: callWatch(block.delimiter),
    pieces: [],
    attempts: 0,
  };
  const how = yield* collect(collecting);
  tellBlock(collecting, how);
  if (how === "closer" && block.trailing) yield* takeAll(reader, block.trailing);
}

function* collect(collecting: BodyCollector): StreamReading<BlockEnd> {
  const { reader, block, watch, pieces } = collecting;
  const marks = marksOf([...new Set([...block.closers, ...endingsOf(reader, block)])]);
  let beginning = "";
  const keep = (piece: string): void => {
    if (beginning.length < maxAhead) show((beginning += piece.slice(0, maxAhead)));
    pieces.push(piece);
    watch.take(piece);
    reader.input.looked += piece.length;
  };
  const show = (text: string): void => {
    const name = nameIn(text);
    if (name !== undefined) reader.show(name);
  };
  for (;;) {
    const { mark } = yield* takeUntil(reader, marks, keep);
    if (mark === undefined) return "end";
    const isCloser = block.closers.includes(mark);
    if (yield* endsHere(collecting, mark, isCloser)) {
      if (isCloser) reader.input.take(mark.length);
      return isCloser ? "closer" : "ending";
    }
    keep(reader.input.take(mark.length));
  }
}

/**
 * Whether a mark ends the block. In a text it is data, unless the text only looks open because it is damaged; and
 * anything but a closer only ends what is whole, for it may stand in a text that seems to have ended.
 */
function* endsHere(collecting: BodyCollector, mark: string, isCloser: boolean): StreamReading<boolean> {
  const { reader, block, watch } = collecting;
  if (!watch.inText && watch.depth === 0 && isCloser) return true;
  if (!isCloser && watch.depth > 0 && block.delimiter !== undefined) return false;
  if (collecting.attempts === maxAttempts) return !watch.inText;
  collecting.attempts += 1;
  // Where nothing is escaped, an open text may only be closed if nothing follows: else the mark may be part of it.
  const isFirst = collecting.attempts === 1;
  const isLast = isCloser && isFirst && (yield* endsBehind(reader, block, mark.length));
  const text = joinBody(collecting);
  reader.input.looked += text.length;
  const read = block.read(text, isLast || block.delimiter === undefined);
  if (read.ok && text.slice(read.end).trim() === "") return true;
  const isOpen = !read.ok && (read.cut || read.isOpen === true);
  return isCloser && !watch.inText && (isLast || !isOpen);
}

/** Whether only the end of the turn follows a closer. */
function* endsBehind(reader: BlockReader, block: CallBlockForm, length: number): StreamReading<boolean> {
  const behind = (yield* ahead(reader, length + maxAhead)).slice(length);
  const rest = endingsOf(reader, block).reduce((text, mark) => text.replaceAll(mark, ""), behind);
  return rest.trim() === "" && reader.input.ended;
}

const endingsOf = (reader: BlockReader, { endings = [] }: CallBlockForm): readonly string[] => [
  ...endings,
  ...reader.endings,
];

/** The body so far, joined into one piece. */
function joinBody({ pieces }: BodyCollector): string {
  const text = pieces.join("");
  pieces.length = 0;
  pieces.push(text);
  return text;
}

function tellBlock(collecting: BodyCollector, how: BlockEnd): void {
  const { reader, block } = collecting;
  const raw = reader.raw();
  const body = joinBody(collecting);
  if (how === "end" && reader.isCut) return reader.tell(withName(body, cutOff(raw)));
  reader.input.looked += body.length;
  const read = block.read(body, how !== "end");
  if (!read.ok) return reader.tell(unread(raw, body, read));
  const rest = body.slice(read.end).replace(/^[\s,;]+/, "");
  for (const call of read.calls) {
    const one = { ...call };
    if (how !== "closer" && block.closers.length > 0)
      noteOn(one, { code: "closing-tag", detail: "The closing tag was missing." }, raw);
    else if (rest !== "")
      noteOn(one, { code: "trailing-text", detail: "Text after the call was dropped." }, raw);
    reader.tell(one);
  }
  if (how !== "closer" && rest !== "") reader.say(rest);
}

/** If one call of a block is unreadable, all are refused, and the whole block is reported. */
function unread(raw: string, body: string, { cut, problem, name }: WrittenCalls & { ok: false }): ReadCall {
  const call = withName(body, cut ? cutOff(raw) : unreadable(raw, problemOf(problem)));
  if (name === undefined || name === call.name) return call;
  return {
    ...call,
    problem: `${call.problem} This is about ${name}; the calls beside it were not run either.`,
  };
}

const problemOf = (problem: string): string =>
  `The call cannot be read: ${problem}. Send it again with plain values only: texts, numbers, lists and objects.`;

/** The name of an unreadable call, so that the model knows which one is meant. */
function withName(body: string, call: ReadCall): ReadCall {
  return call.name === namelessCall ? { ...call, name: nameIn(body) ?? call.name } : call;
}

function nameIn(body: string): string | undefined {
  const found =
    /^[\s[]*(?:(?:call)?\s*:\s*|print\s*\(\s*)?([\p{L}_][\p{L}\p{M}\p{N}_./-]{0,79}?)(?:\.call)?\s*[({]/u.exec(
      body,
    );
  return found?.[1] === "print" ? undefined : found?.[1];
}

type CallWatch = { readonly inText: boolean; readonly depth: number; take(piece: string): void };

/** `delimiter`: a token around texts in which nothing is escaped, beside quotation marks. */
function callWatch(delimiter = ""): CallWatch {
  /** The closer of the open string; empty outside strings. */
  let closer = "";
  let escaped = false;
  /** How much of the closer (or outside strings, of the delimiter) has been seen. */
  let matched = 0;
  /** A string was opened and closed at once: a third mark makes it a long one. */
  let wasEmpty = "";
  let isNew = false;
  let depth = 0;
  /** The last non-blank characters. */
  let tail = "";

  const matches = (mark: string, wanted: string): boolean => {
    matched = mark === wanted[matched] ? matched + 1 : mark === wanted[0] ? 1 : 0;
    if (matched < wanted.length) return false;
    matched = 0;
    return true;
  };
  const close = (mark: string): void => {
    wasEmpty = isNew && closer.length === 1 ? mark : "";
    tail = '"';
    closer = "";
  };
  const inside = (mark: string): void => {
    if (escaped) escaped = false;
    else if (mark === "\\" && closer !== delimiter) escaped = true;
    else if (matches(mark, closer)) return close(mark);
    isNew = false;
  };
  const open = (wanted: string): void => {
    closer = wanted;
    isNew = true;
    wasEmpty = "";
    matched = 0;
  };
  const outside = (mark: string): void => {
    if (delimiter !== "" && matches(mark, delimiter)) return open(delimiter);
    if (mark !== "" && mark === wasEmpty) return open(mark.repeat(3));
    wasEmpty = "";
    if (mark === '"' || mark === "'") {
      if (/(?:^|[=:,([{"])[rbuf]{0,2}$/i.test(tail)) return open(mark);
    } else if ("([{".includes(mark)) depth += 1;
    else if (")]}".includes(mark)) depth = Math.max(0, depth - 1);
    if (!/\s/.test(mark)) tail = (tail + mark).slice(-3);
  };
  return {
    get inText() {
      return closer !== "";
    },
    get depth() {
      return depth;
    },
    take(piece) {
      for (let at = 0; at < piece.length; at += 1) (closer === "" ? outside : inside)(piece.charAt(at));
    },
  };
}
