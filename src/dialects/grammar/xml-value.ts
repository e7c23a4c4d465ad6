/**
 * Raw values between tags. Nothing in them is escaped, so a value may hold the very tags that end it:
 * it ends only where the structure goes on, and what it holds opens, overwrites and invents nothing (N19).
 */

import {
  ahead,
  marksOf,
  takeMark,
  takeUntil,
  type Marks,
  type BlockReader,
  type StreamReading,
} from "../reading/reader.ts";
import type { Doubt } from "./emit-xml-call.ts";
import { whatFollows, type TagLookahead, type XmlForm } from "./xml-form.ts";

/** `same`: it is the one whose value is being read. */
export type ParameterMeaning = "new" | "given" | "same" | "unknown";

type ValueReading = {
  readonly reader: BlockReader;
  readonly form: XmlForm;
  readonly key: string;
  /** All earlier values were on lines of their own. */
  readonly isSpaced: boolean;
  /** What a parameter's opening would mean after this value. */
  meaning(opening: string): ParameterMeaning;
  doubt(why: Doubt): void;
  /** Records a parameter that opened after a closing tag, but cannot begin there. */
  pass(opening: string): void;
  /** Receives the value piece by piece. */
  each(piece: string): void;
};

type ValueState = {
  readonly reading: ValueReading;
  readonly closers: readonly string[];
  /** How many calls and parameters of this format began inside the value, less those that ended there. */
  calls: number;
  tags: number;
  /** Whether the call could have ended inside the value. */
  mayHaveEnded: boolean;
  /** What was taken first, and last. */
  first: string;
  last: string;
  /** Whether it has text, a line break behind it, and text behind that. */
  lines: "none" | "one" | "ended" | "many";
};

/** Most white space before a tag on a line of its own. */
const maxIndent = 40;
/** Longest line examined for the end of a value. */
const maxLine = 160;

/** Whether the value ends at a mark, and how many characters to consume. */
type ValueStep = { ends: boolean; length: number };

/** The text of a value, from after its opening to its end; undefined if the answer ended inside it. */
export function* readValue(reading: ValueReading): StreamReading<string | undefined> {
  const { reader, form, key } = reading;
  const { quoted } = form;
  const isQuoted = quoted !== undefined && (yield* takeMark(reader, quoted.open));
  const closers = isQuoted ? [quoted.close] : form.closers(key);
  const tags = isQuoted ? [] : [...form.ends, ...form.parameter.marks, ...form.call.marks];
  const marks = marksOf([...new Set([...closers, ...tags])]);
  const pieces: string[] = [];
  const value: ValueState = {
    reading,
    closers,
    calls: 0,
    tags: 0,
    mayHaveEnded: false,
    first: "",
    last: "",
    lines: "none",
  };
  const add = (piece: string): void => {
    if (piece === "") return;
    pieces.push(piece);
    if (value.first.length < 2) value.first += piece.slice(0, 2);
    value.last = (value.last + piece).slice(-maxIndent);
    value.lines = linesAfter(value.lines, piece);
    reading.each(piece);
  };
  return (yield* takeValue(value, marks, add)) ? pieces.join("") : undefined;
}

function linesAfter(before: ValueState["lines"], piece: string): ValueState["lines"] {
  const text = before === "none" ? piece.trimStart() : piece;
  if (before === "many" || text === "") return before;
  if (/\n\s*\S/.test(text) || (before === "ended" && text.trim() !== "")) return "many";
  return before === "ended" || text.includes("\n") ? "ended" : "one";
}

function* takeValue(value: ValueState, marks: Marks, add: (piece: string) => void): StreamReading<boolean> {
  const { reader } = value.reading;
  for (;;) {
    const { mark } = yield* takeUntil(reader, marks, add);
    if (mark === undefined) return false;
    const { ends, length } = yield* weigh(value, mark);
    const taken = reader.input.take(length);
    if (ends) return true;
    add(taken);
  }
}

function* weigh(value: ValueState, mark: string): StreamReading<ValueStep> {
  const { form } = value.reading;
  if (mark === value.closers[0]) return yield* atCloser(value, mark);
  if (form.ends.includes(mark)) return yield* atEnd(value, mark);
  if (value.closers.includes(mark)) return yield* atWrongCloser(value, mark);
  return form.parameter.marks.includes(mark) ? yield* atParameter(value, mark) : yield* atCall(value, mark);
}

const data = (mark: string): ValueStep => ({ ends: false, length: mark.length });

/** The value ends if the call ends or continues after its closer. */
function* atCloser(value: ValueState, mark: string): StreamReading<ValueStep> {
  const { reading } = value;
  const found = yield* whatFollows(reading.reader, reading.form, mark.length);
  if (endsAtCloser(value, found) && (yield* isInStyle(value, found, mark.length + found.length))) {
    if (value.calls > 0 || value.tags > 0) reading.doubt("open-tag");
    return { ends: true, length: mark.length };
  }
  if (found.next === "parameter" && found.ends.length === 0) {
    reading.pass(found.opening);
    if (value.tags <= 0 && reading.meaning(found.opening) === "same") reading.doubt("repeated");
  }
  // A value that ended here, inside one of an earlier call that also ends here.
  if (reading.reader.waiting().length > 0 && (yield* isDoubled(reading.reader, mark))) reading.reader.doubt();
  reading.doubt(value.tags > 0 ? "tag-in-value" : "odd-tag");
  value.tags -= 1;
  return data(mark);
}

function* isDoubled(reader: BlockReader, mark: string): StreamReading<boolean> {
  const next = yield* ahead(reader, mark.length + maxIndent + mark.length);
  return next.slice(mark.length).trimStart().startsWith(mark);
}

function endsAtCloser({ reading, calls, tags }: ValueState, { ends, next, opening }: TagLookahead): boolean {
  const isInner = calls > 0;
  if (next === "nothing") return true;
  if (ends.length > 0) return !isInner || next === "call";
  if (next !== "parameter") return next === "call" && !isInner;
  const meaning = reading.meaning(opening);
  if (meaning === "given" || meaning === "same") return false;
  return meaning === "new" ? !isInner || tags <= 0 : !isInner && tags <= 0;
}

/** Where values stand on lines of their own, a parameter begins with a line break, or ends in its line. */
function* isInStyle(
  { reading, first, closers }: ValueState,
  found: TagLookahead,
  skip: number,
): StreamReading<boolean> {
  const isSpaced = reading.form.padding === "each" && reading.isSpaced && /^\r?\n/.test(first);
  if (!isSpaced || found.next !== "parameter" || found.ends.length > 0) return true;
  const from = skip + found.opening.length;
  const text = (yield* ahead(reading.reader, from + maxLine)).slice(from);
  const [line = ""] = text.split("\n", 1);
  return line.trim() === "" || line.includes(closers[0] ?? "");
}

/** The end of the call before the value was closed: accepted if nothing else can be meant. */
function* atEnd(value: ValueState, mark: string): StreamReading<ValueStep> {
  const { reading } = value;
  const { reader, form } = reading;
  const found = yield* whatFollows(reader, form, mark.length);
  if (value.calls > 0) {
    value.calls -= 1;
    value.tags = 0;
    return { ends: false, length: mark.length + (found.ends.length > 0 ? found.length : 0) };
  }
  const isLast = found.next === "nothing" && !reader.isCut;
  if (form.withoutCloser === "ends" && (isLast || found.next === "call")) {
    reading.doubt("value-closer");
    return { ends: true, length: 0 };
  }
  value.mayHaveEnded = true;
  return data(mark);
}

/** `…</content>` where the format requires `</parameter>`: counts only if the call ends or continues after it. */
function* atWrongCloser(value: ValueState, mark: string): StreamReading<ValueStep> {
  const { reading } = value;
  const found = yield* whatFollows(reading.reader, reading.form, mark.length);
  const goesOn = found.next === "parameter" && reading.meaning(found.opening) === "new";
  if (value.calls > 0 || !(goesOn || found.ends.length > 0)) return data(mark);
  reading.doubt("value-closer");
  return { ends: true, length: mark.length };
}

/** The next parameter before the value was closed: accepted if it is on a line of its own. */
function* atParameter(value: ValueState, mark: string): StreamReading<ValueStep> {
  const { reading } = value;
  const { reader, form } = reading;
  const found = yield* whatFollows(reader, form);
  if (found.next !== "parameter" || found.ends.length > 0) return data(mark);
  const { opening } = found;
  const isNew = value.calls === 0 && reading.meaning(opening) === "new";
  if (isNew && form.withoutCloser === "ends" && (yield* isOnOwnLine(value, opening))) {
    reading.doubt("value-closer");
    return { ends: true, length: 0 };
  }
  if (isNew && form.withoutCloser === "line" && value.tags === 0 && value.lines !== "many") {
    reading.doubt("value-closer");
    return { ends: true, length: 0 };
  }
  if (isNew && isOnOneLine(value)) reading.doubt("unclear");
  else if (isNew && form.withoutCloser !== "data")
    reading.doubt(form.withoutCloser === "ends" ? "odd-tag" : "unclear");
  value.tags += 1;
  return data(mark);
}

/** Where values stand on lines of their own, this one does not: nothing shows what a tag in it was meant to be. */
const isOnOneLine = ({ reading, tags, lines, first }: ValueState): boolean =>
  reading.form.padding === "each" &&
  reading.form.withoutCloser === "ends" &&
  tags === 0 &&
  lines === "one" &&
  !/^\r?\n/.test(first);

function* isOnOwnLine({ last, reading }: ValueState, opening: string): StreamReading<boolean> {
  if (last !== "" && !/\n[ \t]*$/.test(last)) return false;
  if (reading.form.padding !== "each") return true;
  const next = yield* ahead(reading.reader, opening.length + 1);
  return /\s/.test(next.charAt(opening.length));
}

/** Another call inside the value, or after one that was not closed. */
function* atCall(value: ValueState, mark: string): StreamReading<ValueStep> {
  const { reading } = value;
  const { reader, form } = reading;
  const found = yield* whatFollows(reader, form);
  if (found.next !== "call" || found.ends.length > 0) return data(mark);
  if (value.mayHaveEnded) reading.doubt("unclear");
  value.calls += 1;
  return data(mark);
}
