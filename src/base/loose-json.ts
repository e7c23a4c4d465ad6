/**
 * Reads JSON as models damage it: repairs what is unambiguous and records each repair, refuses the rest. A string that
 * was cut off is never closed. Every character is read a bounded number of times.
 */

import type { Json } from "./json.ts";

/** A repair that was made. `guess`: there was more than one reading. */
type LooseRepair = { code: string; detail: string; guess?: boolean };

/** `end` is the offset after the value. `cut`: the text ended inside the value, so something may be missing. */
type LooseRead =
  | { ok: true; value: Json; end: number; repairs: LooseRepair[] }
  | { ok: false; cut: boolean; problem: string };

/** The code of a guess: where a string with unescaped quotation marks ends. */
export const guessedEnd = "inner-quote";
/** The code of the repair that adds brackets missing at the very end of an answer. */
export const addedClosers = "closers";

/** Maximum nesting depth. */
export const maxDepth = 128;

/** Repairs with more than one reading. */
const guesses: ReadonlySet<string> = new Set([guessedEnd, addedClosers]);

/** `start`: offset of the value. `closed`: whether the end of the text is known to be the end of the value. */
type LoosePlace = { start?: number; closed: boolean };

export function readLoose(text: string, { start = 0, closed }: LoosePlace): LooseRead {
  const state: LooseJsonState = { text, at: start, closed, open: [], notes: new Map(), failure: undefined };
  const value = readValue(state);
  if (value === undefined || state.failure)
    return state.failure ?? { ok: false, cut: false, problem: "no JSON value" };
  const repairs = [...state.notes].map(([code, detail]): LooseRepair =>
    guesses.has(code) ? { code, detail, guess: true } : { code, detail },
  );
  return { ok: true, value, end: state.at, repairs };
}

type LooseJsonState = {
  readonly text: string;
  readonly closed: boolean;
  at: number;
  /** The containers around the current position, outermost first. */
  open: ("{" | "[")[];
  notes: Map<string, string>;
  failure: { ok: false; cut: boolean; problem: string } | undefined;
};

function readValue(state: LooseJsonState): Json | undefined {
  skipSpace(state);
  const mark = state.text[state.at];
  if (mark === undefined) return cutOff(state, "it ends where a value should be");
  if (mark === "{") return readNested(state, mark, readObject);
  if (mark === "[") return readNested(state, mark, readArray);
  return quotes.includes(mark) ? readString(state, "value") : readWord(state);
}

function readNested(
  state: LooseJsonState,
  mark: "{" | "[",
  read: (state: LooseJsonState) => Json | undefined,
): Json | undefined {
  if (state.open.length === maxDepth) return fail(state, `it is nested more than ${maxDepth} levels deep`);
  state.open.push(mark);
  state.at += 1;
  const value = read(state);
  state.open.pop();
  return value;
}

function readObject(state: LooseJsonState): Json | undefined {
  skipSpace(state);
  if (state.text[state.at] === "{") return readDoubled(state);
  const entries: [string, Json][] = [];
  for (let comma = true; ;) {
    const next = nextInside(state, "}", comma);
    if (next !== "item") return next === "end" ? Object.fromEntries(entries) : undefined;
    const key = readKey(state);
    if (key === undefined) return undefined;
    skipSpace(state);
    if (!isColon(state.text[state.at])) return failExpecting(state, "a colon");
    takeSign(state);
    const value = readValue(state);
    if (value === undefined) return undefined;
    entries.push([key, value]);
    comma = takeComma(state);
  }
}

/** `{{"a": 1}}`, as models copy it from templates that escape braces: no valid object begins with two. */
function readDoubled(state: LooseJsonState): Json | undefined {
  const value = readNested(state, "{", readObject);
  if (value === undefined) return undefined;
  skipSpace(state);
  if (state.text[state.at] === "}") state.at += 1;
  note(state, "brackets", "Doubled brackets were read as one.");
  return value;
}

function readArray(state: LooseJsonState): Json | undefined {
  const items: Json[] = [];
  for (let comma = true; ;) {
    const next = nextInside(state, "]", comma);
    if (next !== "item") return next === "end" ? items : undefined;
    const value = readValue(state);
    if (value === undefined) return undefined;
    items.push(value);
    comma = takeComma(state);
  }
}

/** What comes next in a container; `comma`: whether an item may follow. */
function nextInside(state: LooseJsonState, closer: "}" | "]", comma: boolean): "item" | "end" | undefined {
  skipSpace(state);
  const mark = state.text[state.at];
  if (mark === closer) {
    state.at += 1;
    return "end";
  }
  if (mark === undefined) {
    const begun = state.text.slice(0, state.at).trimEnd();
    if (!state.closed && comma && /[,:[{]$/.test(begun))
      return cutOff(state, "it ends where more should follow");
    note(state, addedClosers, "Missing closing brackets were added.");
    return "end";
  }
  if (comma && mark !== "}" && mark !== "]" && mark !== ",") return "item";
  if (isAtLastClosers(state)) {
    note(state, "brackets", "Closing brackets that do not match were mended.");
    // The closer of the enclosing container means that this one's is missing. Any other closer is superfluous.
    if (state.open.at(-2) === (mark === "}" ? "{" : "[")) return "end";
    if (state.text.includes(closer, state.at)) {
      state.at += 1;
      return nextInside(state, closer, false);
    }
  }
  return failExpecting(state, comma ? "a value" : `a comma or ${closer}`);
}

/** Whether the text ends the value and only closing brackets are left. */
function isAtLastClosers({ text, at, closed }: LooseJsonState): boolean {
  lastClosers.lastIndex = at;
  return closed && lastClosers.test(text);
}

const lastClosers = /[}\]][}\]\s]{0,40}$/y;

/** Skips a comma if there is one; a comma before a closer is tolerated. */
function takeComma(state: LooseJsonState): boolean {
  skipSpace(state);
  if (!isComma(state.text[state.at])) return false;
  takeSign(state);
  skipSpace(state);
  const mark = state.text[state.at];
  if (mark === "}" || mark === "]") note(state, "comma", "A comma before a closing bracket was dropped.");
  return true;
}

/** Includes the comma of Chinese and Japanese keyboards. */
const isComma = (mark: string | undefined): boolean => mark === "," || mark === "，";
const isColon = (mark: string | undefined): boolean => mark === ":" || mark === "：";

function takeSign(state: LooseJsonState): void {
  if (state.text.charCodeAt(state.at) > 127)
    note(state, "signs", "Wide commas and colons were read as JSON's.");
  state.at += 1;
}

function readKey(state: LooseJsonState): string | undefined {
  const mark = state.text[state.at] ?? "";
  if (quotes.includes(mark)) return readString(state, "key");
  const word = takeMatch(state, /[A-Za-z_$][\w$-]{0,79}/y);
  if (word === undefined) return failExpecting(state, "a key");
  note(state, "bare-key", "Keys without quotes were accepted.");
  return word;
}

const words: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  NaN: null,
  undefined: null,
};

function readWord(state: LooseJsonState): Json | undefined {
  const word = takeMatch(state, /[-+.\w]{1,400}/y);
  if (word === undefined) return failExpecting(state, "a value");
  if (!state.closed && state.at === state.text.length && !/^(true|false|null|True|False|None)$/.test(word))
    return cutOff(state, "it ends inside a number or word");
  if (Object.hasOwn(words, word)) {
    if (!/^(true|false|null)$/.test(word)) note(state, "literal", `${word} was read as JSON.`);
    return words[word];
  }
  const number = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(word) ? Number(word) : Number.NaN;
  if (!Number.isFinite(number))
    return fail(state, `${JSON.stringify(word.slice(0, 40))} is not a JSON value`);
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(word))
    note(state, "number", `${word} was read as a number.`);
  return number;
}

const quotes = "\"'“”„‘’＂＇«";
const closersOf: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "‘": "‘’'",
  "’": "‘’'",
  "＂": "＂",
  "＇": "＇",
  "«": "»",
};
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

type StringRole = "key" | "value";

function readString(state: LooseJsonState, place: StringRole): string | undefined {
  const { text } = state;
  const mark = text[state.at] ?? "";
  const closers = closersOf[mark] ?? '“”"';
  if (mark !== '"') note(state, "quotes", "Other quotation marks were read as JSON's.");
  const long = place === "value" ? readLong(state, mark) : undefined;
  if (long !== undefined) return long;
  // A path whose backslashes were not doubled: its `\n` begins a file name, not a line break. `\"` stays JSON's escape.
  const literal = /[A-Za-z]:\\(?![\\"])/y;
  literal.lastIndex = state.at + 1;
  const isPath = literal.test(text);
  const pieces: string[] = [];
  let from = state.at + 1;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92 && !isPath) {
      pieces.push(text.slice(from, at));
      const escape = readEscape(state, at, closers);
      pieces.push(escape.text);
      at = escape.end - 1;
      from = escape.end;
    } else if (code < 32)
      note(state, "control", "Line breaks and tabs inside strings were accepted unescaped.");
    else if (closers.includes(text.charAt(at))) {
      if (closesString(state, at + 1, place)) {
        pieces.push(text.slice(from, at));
        state.at = at + 1;
        if (isPath) note(state, "backslash", "Backslashes that were not doubled were kept.");
        return pieces.join("");
      }
      note(state, guessedEnd, "Quotation marks inside a string were not escaped; where it ends is a guess.");
    }
  }
  state.at = text.length;
  return cutOff(state, "a string was cut open");
}

/** Reads Python's triple-quoted string, in which a single quotation mark is data. */
function readLong(state: LooseJsonState, mark: string): string | undefined {
  const { text } = state;
  const fence = mark.repeat(3);
  const start = state.at + fence.length;
  if (!/["']/.test(mark) || !text.startsWith(fence, state.at) || !text.includes(fence, start))
    return undefined;
  const pieces: string[] = [];
  let at = start;
  while (!text.startsWith(fence, at)) {
    if (at >= text.length) return undefined;
    const next = text[at] === "\\" ? readEscape(state, at, mark) : { text: text.charAt(at), end: at + 1 };
    pieces.push(next.text);
    at = next.end;
  }
  note(state, "quotes", "Other quotation marks were read as JSON's.");
  state.at = at + fence.length;
  return pieces.join("");
}

function readEscape(state: LooseJsonState, at: number, closers: string): { text: string; end: number } {
  const mark = state.text[at + 1] ?? "";
  const known = escapes[mark];
  if (known !== undefined) return { text: known, end: at + 2 };
  const digits = mark === "u" ? state.text.slice(at + 2, at + 6) : "";
  if (/^[\dA-Fa-f]{4}$/.test(digits))
    return { text: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 6 };
  if (mark !== "" && closers.includes(mark)) return { text: mark, end: at + 2 };
  note(state, "backslash", "Backslashes that were not doubled were kept.");
  return { text: "\\", end: at + 1 };
}

/** A quotation mark closes a string only if the text after it continues the JSON structure. */
function closesString(state: LooseJsonState, after: number, place: StringRole): boolean {
  const { text, open } = state;
  let at = spaceEnd(text, after);
  if (place === "key") return isColon(text[at]) || at === text.length;
  let level = open.length;
  for (; level > 0 && text[at] === (open[level - 1] === "{" ? "}" : "]"); level -= 1)
    at = spaceEnd(text, at + 1);
  if (at === text.length) return true;
  if (level === 0) return /[}\]{[,，;<`]/.test(text.charAt(at));
  if (!state.notes.has(guessedEnd) && isAtLastClosers({ ...state, at })) return true;
  if (!isComma(text[at])) return isMatch(commentAhead, text, at);
  const next = open[level - 1] === "{" ? keyAhead : valueAhead;
  return isMatch(next, text, at + 1);
}

function isMatch(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** A hash starts a comment only if the line after it continues the JSON structure. */
const commentAhead = /\/[/*]|#[^\n"]*\n\s*[}\]]/y;
const keyAhead =
  /\s*(?:#[^\n"]*\n\s*)?(?:(?:"(?:[^"\\\n]|\\.){0,200}"|['‘’][^'‘’\n]{1,80}['‘’]|[“”„][^“”„"\n]{1,80}[“”"]|[＂＇«][^＂＇»"\n]{1,80}[＂＇»])\s*[:：]|[A-Za-z_$][\w$-]{0,79}\s*[:：]|\}|$|\/[/*])/y;
const valueAhead = /\s*(?:["'“”„‘’＂＇«\d{[\]-]|true|false|null|True|False|None|$|\/[/*])/y;

function skipSpace(state: LooseJsonState): void {
  for (;;) {
    state.at = spaceEnd(state.text, state.at);
    const line = state.text[state.at] === "#" || state.text.startsWith("//", state.at);
    if (!line && !state.text.startsWith("/*", state.at)) return;
    const end = state.text.indexOf(line ? "\n" : "*/", state.at + (line ? 1 : 2));
    // What a model wrote on one line behind a comment's mark would be lost.
    if (end === -1) cutOff(state, "it ends inside a comment");
    state.at = end === -1 ? state.text.length : end + (line ? 1 : 2);
    note(state, "comment", "Comments were dropped.");
  }
}

/** The end of the white space that begins at `from`; `from` itself if there is none. */
export function spaceEnd(text: string, from: number): number {
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

const space = /[\s\uFEFF]*/y;

/** Consumes the match of a sticky pattern. */
export function takeMatch(from: { readonly text: string; at: number }, pattern: RegExp): string | undefined {
  pattern.lastIndex = from.at;
  const found = pattern.exec(from.text)?.[0];
  if (found !== undefined) from.at += found.length;
  return found;
}

function note(state: LooseJsonState, code: string, detail: string): void {
  if (!state.notes.has(code)) state.notes.set(code, detail);
}

function failExpecting(state: LooseJsonState, wanted: string): undefined {
  const found = state.text.slice(state.at, state.at + 20);
  if (found === "") return cutOff(state, `it ends where ${wanted} should be`);
  return fail(state, `${wanted} was expected before ${JSON.stringify(found)}`);
}

function fail(state: LooseJsonState, problem: string): undefined {
  state.failure ??= { ok: false, cut: false, problem };
  return undefined;
}

/** Records that the text ended inside the value. */
function cutOff(state: LooseJsonState, problem: string): undefined {
  state.failure ??= { ok: false, cut: true, problem };
  return undefined;
}
