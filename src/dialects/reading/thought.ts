/**
 * Separates thoughts from text. A call in a thought that closes never runs; one in a thought that never closes does.
 */

import type { MarkTable, TextMark } from "./marks.ts";
import { beginAnew, beginThought, endThought, sayMarkup, think, type MessageState } from "./message.ts";
import { isNext, marksOf, takeAll, takeMark, takeUntil, type Marks, type StreamReading } from "./reader.ts";
import { findMark, isWord } from "./running-text.ts";

/** Reads from after a thought's opener to its end. Returns the opener of a call that ended it. */
export function* readThought(message: MessageState, close: string): StreamReading<TextMark | undefined> {
  const { input, table } = message;
  const openers = table.thought;
  const { marks, answers } = marksWithin(table, close);
  beginThought(message);
  yield* takeOpeners(message, close);
  let last = "";
  for (;;) {
    const { mark } = yield* takeUntil(message, marks, (piece) => {
      last = piece.slice(-1);
      think(message, piece);
    });
    if (mark === undefined || (yield* takeMark(message, close))) break;
    if (yield* beginsAnswer(message, answers, /[ \t]/.test(last))) {
      end(message);
      message.mayThink = close;
      return undefined;
    }
    const found = yield* findMark(message, openers);
    if (!found) think(message, input.take(1));
    else if (message.isEndless || endsThoughts(found)) {
      end(message);
      return found;
    } else {
      yield* readDoubtful(message, found.text, close);
      break;
    }
  }
  end(message);
  return undefined;
}

type MarksWithin = {
  readonly marks: Marks;
  /** Those with which the answer begins. */
  readonly answers: readonly string[];
};

const known = new WeakMap<MarkTable, Map<string, MarksWithin>>();

/** The marks of every dialect: what they are is found out once, not at each thought. */
function marksWithin(table: MarkTable, close: string): MarksWithin {
  const all = known.get(table) ?? new Map<string, MarksWithin>();
  known.set(table, all);
  const made = all.get(close);
  if (made) return made;
  const answers = table.thoughts.flatMap((one) => (one.close === close ? (one.answers ?? []) : []));
  const texts = [close, ...answers, ...table.thought.map(({ text }) => text)];
  const within: MarksWithin = { marks: marksOf(shortest(texts)), answers };
  all.set(close, within);
  return within;
}

/** The answer begins, and the thought had no end: should one come after all, calls before it were part of the thought. */
function* beginsAnswer(
  message: MessageState,
  answers: readonly string[],
  isAfterBlank: boolean,
): StreamReading<boolean> {
  for (const mark of answers)
    if (yield* isNext(message, mark)) {
      if (yield* isWord(message, mark, isAfterBlank)) return false;
      message.input.take(mark.length);
      return true;
    }
  return false;
}

/** The prompt opened the thought, and the model opens it again: that is no content of it. */
function* takeOpeners(message: MessageState, close: string): StreamReading {
  const opens = message.table.thoughts.filter((one) => one.close === close).map(({ open }) => open);
  yield* takeAll(message, opens);
}

/** A thought that begins within a line has to have an end; otherwise it is text. */
export function* readInLine(message: MessageState, opener: string, close: string): StreamReading {
  const text = yield* takeHeld(message, opener, close);
  if (yield* takeMark(message, close)) {
    think(message, text.slice(opener.length));
    endThought(message);
    message.text.uncut();
  } else if (message.isCut) sayMarkup(message, text);
  else {
    message.missing.add(close);
    message.input.putBack(text);
  }
}

/** Everything from an opener up to a mark; withheld if the answer fails meanwhile. */
function* takeHeld(message: MessageState, opener: string, close: string): StreamReading<string> {
  message.held = [opener];
  yield* takeUntil(message, marksOf([close]), (piece) => message.held.push(piece));
  const text = message.held.join("");
  message.held = [];
  return text;
}

const endsThoughts = ({ means }: TextMark): boolean =>
  means.type === "call" && means.dialect.endsThoughts === true;

/** If one text is a prefix of another, only the shorter one is searched for; the match is decided afterwards. */
function shortest(texts: readonly string[]): string[] {
  const all = [...new Set(texts)];
  return all.filter((text) => !all.some((other) => other !== text && text.startsWith(other)));
}

/**
 * Reads from a call's opener on: it was part of the thought if the thought closes, and meant otherwise. A thought that
 * only may have begun, in the text, stays text.
 */
export function* readDoubtful(message: MessageState, opener: string, close: string): StreamReading {
  const { input, thinks } = message;
  const text = yield* takeHeld(message, opener, close);
  const closes = yield* isNext(message, close);
  message.mayThink = undefined;
  if (closes || message.isCut) {
    message.hadCallInThought = closes;
    if (thinks) {
      think(message, text);
      input.take(closes ? close.length : 0);
    } else sayMarkup(message, text);
    return;
  }
  message.isEndless = true;
  input.putBack(text);
}

function end(message: MessageState): void {
  endThought(message);
  beginAnew(message);
}
