/**
 * Parses plain values in Python, JSON or Gemma notation. Nothing is ever evaluated: variables, expressions and
 * formatted strings are refused. Every character is examined a bounded number of times.
 */

import type { Json } from "../../base/json.ts";
import { addedClosers, maxDepth, spaceEnd, takeMatch } from "../../base/loose-json.ts";
import {
  fail,
  goesOn,
  note,
  skipSpace,
  failExpecting,
  type Bracket,
  type LiteralForm,
  type LiteralScan,
} from "./literal-scan.ts";
import { isTextNext, readText } from "./literal-text.ts";

export function readLiteral(scan: LiteralScan): Json | undefined {
  skipSpace(scan);
  const { text, at, form } = scan;
  if (at === text.length) return fail(scan, { cut: true, problem: "it ends where a value should be" });
  if (isTextNext(scan)) return readText(scan);
  const mark = text.charAt(at);
  if (mark === "[") return readNested(scan, readList);
  if (mark === "(" && form.isBare !== true) return readNested(scan, readTuple);
  if (mark === "{") return readNested(scan, readObject);
  return readWord(scan);
}

function readNested(scan: LiteralScan, read: (scan: LiteralScan) => Json | undefined): Json | undefined {
  if (scan.open.length >= maxDepth)
    return fail(scan, { cut: false, problem: `it is nested more than ${maxDepth} levels deep` });
  scan.at += 1;
  return read(scan);
}

const readList = (scan: LiteralScan): Json | undefined => readItems(scan, "]")?.items;

/** A tuple becomes a list; brackets around a single value are ignored. */
function readTuple(scan: LiteralScan): Json | undefined {
  const read = readItems(scan, ")");
  return read && read.items.length === 1 && !read.hasComma ? read.items[0] : read?.items;
}

function readItems(scan: LiteralScan, closer: string): { items: Json[]; hasComma: boolean } | undefined {
  const items: Json[] = [];
  const bracket: Bracket = { closer, follows: (text, at) => beginsValue(scan.form, text, at) };
  const hasComma = inBracket(scan, bracket, () => {
    const item = readLiteral(scan);
    if (item === undefined) return false;
    items.push(item);
    return true;
  });
  return hasComma === undefined ? undefined : { items, hasComma };
}

function readObject(scan: LiteralScan): Json | undefined {
  const entries: [string, Json][] = [];
  const bracket: Bracket = { closer: "}", follows: (text, at) => beginsMember(scan.form, text, at) };
  const done = inBracket(scan, bracket, () => {
    const key = readKey(scan);
    const value = key === undefined ? undefined : readMember(scan, ":");
    if (key === undefined || value === undefined) return false;
    entries.push([key, value]);
    return true;
  });
  return done === undefined ? undefined : Object.fromEntries(entries);
}

/** Reads the items of a bracket from after its opening. Returns whether there was a comma. */
export function inBracket(scan: LiteralScan, bracket: Bracket, readItem: () => boolean): boolean | undefined {
  scan.open.push(bracket);
  const hasComma = readBracket(scan, bracket, readItem);
  scan.open.pop();
  return hasComma;
}

function readBracket(scan: LiteralScan, { closer }: Bracket, readItem: () => boolean): boolean | undefined {
  const { text } = scan;
  let hasComma = false;
  for (let count = 0; ; count += 1) {
    skipSpace(scan);
    if (count > 0 && text[scan.at] === ",") {
      scan.at += 1;
      hasComma = true;
      skipSpace(scan);
    } else if (count > 0 && text[scan.at] !== closer && scan.at < text.length)
      return failExpecting(scan, `a comma or ${closer}`);
    if (text[scan.at] === closer) {
      scan.at += 1;
      return hasComma;
    }
    if (scan.at === text.length && !endsHere(scan)) return undefined;
    if (scan.at === text.length) return hasComma;
    if (!readItem()) return undefined;
  }
}

/** Closes a bracket left open at the end of the text, if its content is complete. */
function endsHere(scan: LiteralScan): boolean {
  if (/[,:=([{]$/.test(scan.text.trimEnd())) {
    fail(scan, { cut: true, problem: "it ends where more should follow" });
    return false;
  }
  note(scan, { code: addedClosers, detail: "Missing closing brackets were added.", guess: true });
  return true;
}

/** The value of a member, after one of the separators. */
function readMember(scan: LiteralScan, separators: string): Json | undefined {
  skipSpace(scan);
  const mark = scan.text.charAt(scan.at);
  if (mark === "" || !separators.includes(mark)) return failExpecting(scan, "a colon");
  scan.at += 1;
  return readLiteral(scan);
}

function readKey(scan: LiteralScan): string | undefined {
  if (isTextNext(scan)) return readText(scan, { isKey: true });
  const word = takeMatch(scan, scan.form.isBare === true ? bareKey : /\d{1,15}/y);
  return word ?? failExpecting(scan, "a key");
}

const bareKey = /[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$.-]{0,79}/uy;

const words: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
};

/** A number or a keyword value. */
function readWord(scan: LiteralScan): Json | undefined {
  const { form, text } = scan;
  const start = scan.at;
  const word = takeMatch(scan, /[-+.\w]{1,400}/y) ?? "";
  const goesOn = form.isBare === true && !isEnd(scan);
  const value = goesOn ? undefined : wordValue(word);
  if (value === undefined) {
    scan.at = start;
    if (form.isBare === true && scan.loose) return readBare(scan);
    const problem = `${JSON.stringify(text.slice(start, start + 40))} is not a plain value`;
    return fail(scan, { cut: false, problem, isCode: form.isBare !== true });
  }
  if (!scan.closed && scan.at === text.length)
    return fail(scan, { cut: true, problem: "it ends inside a number or word" });
  return value;
}

function wordValue(word: string): Json | undefined {
  if (Object.hasOwn(words, word)) return words[word];
  const digits = word.replace(/(?<=\d)_(?=\d)/g, "");
  const isNumber = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(digits);
  const isRadix = /^[-+]?0(?:[xX][\dA-Fa-f]+|[oO][0-7]+|[bB][01]+)$/.test(digits);
  if (!isNumber && !isRadix) return undefined;
  const value = isRadix
    ? Number(digits.replace(/^[-+]/, "")) * (word.startsWith("-") ? -1 : 1)
    : Number(digits);
  // A number with more digits than JavaScript can represent is passed on as text.
  if (/^[-+]?\d+$/.test(digits) && !isExact(digits, value)) return digits;
  return Number.isFinite(value) ? value : undefined;
}

const isExact = (digits: string, value: number): boolean =>
  Number.isSafeInteger(value) || String(value) === digits.replace(/^\+/, "");

/** Whether the value ends here: at a comma, a closing bracket or the end. */
function isEnd({ text, at }: LiteralScan): boolean {
  return /[,\]})]/.test(text.charAt(spaceEnd(text, at))) || spaceEnd(text, at) === text.length;
}

/** A text without its opening quotation mark, or without both: it ends where the structure continues. */
function readBare(scan: LiteralScan): string | undefined {
  const { text, form } = scan;
  const start = scan.at;
  const { delimiter } = form;
  for (let at = start; at < text.length; at += 1) {
    const isClosed = delimiter !== undefined && text.startsWith(delimiter, at);
    if (
      isClosed ? !goesOn(scan, at + delimiter.length) : !(/[,\]})]/.test(text.charAt(at)) && goesOn(scan, at))
    )
      continue;
    const value = isClosed ? text.slice(start, at) : text.slice(start, at).trimEnd();
    if (value === "") return failExpecting(scan, "a value");
    scan.at = isClosed ? at + delimiter.length : at;
    note(scan, { code: "bare-text", detail: "A text without marks around it was accepted.", guess: true });
    return value;
  }
  scan.at = text.length;
  return fail(scan, { cut: true, problem: "it ends inside a text" });
}

function beginsValue({ delimiter, isBare }: LiteralForm, text: string, at: number): boolean {
  if (delimiter !== undefined && text.startsWith(delimiter, at)) return true;
  const value =
    isBare === true
      ? /[^\s,:=\]})]/y
      : /["'\d{[(-]|[rbfu]{1,2}["']|true|false|null|True|False|None|#|[\])]|$/y;
  value.lastIndex = at;
  return value.test(text);
}

function beginsMember({ delimiter, isBare }: LiteralForm, text: string, at: number): boolean {
  if (delimiter !== undefined && text.startsWith(delimiter, at)) return true;
  const member =
    isBare === true
      ? /(?:[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$.-]{0,79}|"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}')\s*:/uy
      : /(?:"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'|\d{1,15})\s*:|[}#]|$/y;
  member.lastIndex = at;
  return member.test(text);
}
