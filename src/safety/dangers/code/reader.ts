/**
 * Reads code from left to right and records what its calls mean. It parses only part of each language, but never misses
 * a call.
 */

import { type Flow, literal, unknown, unknownWord } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import { callOf, indexOf, isMeant, memberOf, settled } from "./calls.ts";
import { endsArguments, type Grammar, loopWords, passedOver } from "./grammar.ts";
import { readImport } from "./imports.ts";
import { readAhead, readLoop } from "./loops.ts";
import { runsShell } from "./meaning.ts";
import { newNotes, type Notes, tell } from "./notes.ts";
import { nameAt, type Reader, signAt } from "./reading.ts";
import type { Token } from "./token.ts";
import {
  type Argument,
  carrying,
  concatenated,
  listOf,
  mixed,
  named,
  nothing,
  said,
  texted,
  type Value,
} from "./value.ts";

const deepest = 80;

export function readCode(
  tokens: readonly Token[],
  { grammar, carries }: { grammar: Grammar; carries: ReadonlySet<Flow> },
): Notes {
  const notes = newNotes();
  readItems({ tokens, at: 0, depth: 0, grammar, notes, names: new Map(), carries }, "");
  return notes;
}

const separators = new Set([",", ";", "\n"]);
const closers = new Set([")", "]", "}"]);

/** Reads items up to and including the closing bracket. */
function readItems(reader: Reader, close: string): Argument[] {
  const items: Argument[] = [];
  while (reader.at < reader.tokens.length) {
    const sign = signAt(reader, reader.at);
    if (sign !== "" && (separators.has(sign) || closers.has(sign))) {
      reader.at += 1;
      if (sign === close) break;
    } else items.push(readItem(reader, noWords));
  }
  return items;
}

const noWords: ReadonlySet<string> = new Set();
const assigns = new Set(["=", ":=", "||=", "+=", ".="]);
const names = new Set([":", "=>"]);

/** Reads up to a separator, a closing bracket or one of the keywords. */
function readItem(reader: Reader, stops: ReadonlySet<string>): Argument {
  const values: Value[] = [];
  const targets: { to: Value; sign: string }[] = [];
  let name = "";
  while (reader.at < reader.tokens.length && !endsItem(reader, stops)) {
    if (readImport(reader) || readLoop(reader, readExpression)) continue;
    const target = nameAt(reader, reader.at);
    const assigned = signAt(reader, reader.at + 1);
    if (target !== "" && assigns.has(assigned)) {
      targets.push({ to: named(target), sign: assigned });
      name ||= target;
      reader.at += 2;
      continue;
    }
    const value = readExpression(reader);
    if (!value) {
      reader.at += 1;
      continue;
    }
    const sign = signAt(reader, reader.at);
    if (assigns.has(sign)) {
      targets.push({ to: value, sign });
      name ||= value.path;
      reader.at += 1;
    } else if (names.has(sign) && values.length === 0 && targets.length === 0) {
      name = value.text?.text ?? value.path;
      reader.at += 1;
    } else values.push(value);
  }
  const [only] = values;
  const value = values.length === 1 && only ? only : mixed(values);
  for (const { to, sign } of targets) assign(reader, { to, sign, value });
  return { name, value };
}

function endsItem(reader: Reader, stops: ReadonlySet<string>): boolean {
  const sign = signAt(reader, reader.at);
  return separators.has(sign) || closers.has(sign) || stops.has(nameAt(reader, reader.at));
}

function assign(reader: Reader, { to, sign, value }: { to: Value; sign: string; value: Value }): void {
  if (to.items) {
    for (const item of to.items) {
      const member = item.name || item.value.path;
      const known = value.path === "" ? value : memberOf(reader, value, member);
      if (item.value.path !== "") reader.names.set(item.value.path, known);
    }
  }
  if (to.path === "" || to.path.includes("(")) return;
  const before = reader.names.get(to.path) ?? nothing;
  const isMore = sign === "+=" || sign === ".=";
  reader.names.set(to.path, isMore ? concatenated([before, value]) : value);
}

/** Values that are concatenated become one value. */
function readExpression(reader: Reader): Value | undefined {
  const first = readOperand(reader);
  if (!first) return undefined;
  let value = first;
  const parts = [first];
  const { joins, language } = reader.grammar;
  for (;;) {
    const token = reader.tokens[reader.at];
    const sign = token?.type === "sign" ? token.text : "";
    const isPath = sign === "/" && language === "python" && first.text !== undefined;
    const isBeside = language === "python" && token?.type === "text" && parts.length > 0;
    if (!joins.includes(sign) && !isPath && !isBeside) break;
    if (!isBeside) reader.at += 1;
    const right = readOperand(reader);
    if (!right) break;
    if (isPath) parts.push(said("/"));
    parts.push(right);
  }
  if (parts.length > 1) value = concatenated(parts);
  return value;
}

const prefixes = new Set(["-", "!", "&", "*", "\\", "...", "~", "+", "@", "$", "**", "|", "||"]);

function readOperand(reader: Reader): Value | undefined {
  for (;;) {
    const word = nameAt(reader, reader.at);
    if (loopWords.has(word)) reader.notes.facts.add("loops");
    else if (isLoading(reader, word)) break;
    else if (!passedOver.has(word) && !prefixes.has(signAt(reader, reader.at))) break;
    reader.at += 1;
  }
  const start = reader.at;
  const value = readPrimary(reader);
  if (!value || reader.at === start) return value;
  return readPostfix(reader, value);
}

/** Perl's `do "file"`. */
const isLoading = ({ grammar, tokens, at }: Reader, word: string): boolean =>
  word === "do" && grammar.language === "perl" && tokens[at + 1]?.type === "text";

const brackets: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

function readPrimary(reader: Reader): Value | undefined {
  const token = reader.tokens[reader.at];
  if (!token) return undefined;
  if (token.type !== "sign") reader.at += 1;
  switch (token.type) {
    case "name":
      if (token.text === unknown) return texted(unknownWord(reader.carries));
      return reader.names.get(token.text) ?? named(token.text.replaceAll("::", "."));
    case "number":
      return said(token.text);
    case "words":
      return listOf(token.texts.map(said));
    case "text":
      return readText(reader, token);
    default:
      return readSign(reader, token.text);
  }
}

function readSign(reader: Reader, sign: string): Value | undefined {
  const close = brackets[sign];
  if (close !== undefined) {
    reader.at += 1;
    const items = readBracket(reader, close);
    const last = items.at(-1)?.value ?? nothing;
    if (sign === "(" && items.length === 1) return last;
    const values = items.map(({ value }) => value);
    return { ...mixed(values), items, path: sign === "(" ? last.path : "" };
  }
  if (sign === "<" && reader.grammar.language === "perl") return readAngles(reader);
  return undefined;
}

/** Reads the contents of a bracket; nesting too deeply ends the reading. */
function readBracket(reader: Reader, close: string): Argument[] {
  if (reader.depth >= deepest) {
    tell(reader.notes, danger("high", "its code is nested too deeply to be read"));
    reader.at = reader.tokens.length;
    return [];
  }
  reader.depth += 1;
  if (reader.grammar.language === "python" && reader.depth < 4) readAhead(reader, readExpression);
  const items = readItems(reader, close);
  reader.depth -= 1;
  return items;
}

/** Perl's `<STDIN>` and `<*.c>`. */
function readAngles(reader: Reader): Value | undefined {
  let inside = "";
  for (let at = reader.at + 1; at < Math.min(reader.at + 16, reader.tokens.length); at += 1) {
    const token = reader.tokens[at];
    if (token?.type === "sign" && token.text === ">") {
      reader.at = at + 1;
      return /[*?]/u.test(inside) ? texted({ ...literal(inside), isPattern: true }) : carrying("input");
    }
    if (token && "text" in token) inside += token.text;
  }
  return undefined;
}

function readText(reader: Reader, token: Extract<Token, { type: "text" }>): Value {
  const parts = token.parts.map((part) => {
    if (typeof part === "string")
      return texted({
        ...literal(part),
        carries: part.includes(unknown) ? reader.carries : literal("").carries,
      });
    const inner = { ...reader, tokens: part, at: 0, depth: reader.depth + 1 };
    if (inner.depth > deepest) return nothing;
    return { ...(readItems(inner, "").at(-1)?.value ?? nothing), path: "" };
  });
  const value =
    parts.length === 0
      ? said("")
      : concatenated(parts.some(({ text }) => text) ? parts : [said(""), ...parts]);
  if (!token.command) return value;
  runsShell(reader.notes, value);
  return carrying("random");
}

/** Reads what follows a value: calls, indexing, members, and arguments without parentheses. */
function readPostfix(reader: Reader, first: Value): Value {
  let value = first;
  let receiver = nothing;
  let isCalled = first.path === "";
  for (;;) {
    const sign = signAt(reader, reader.at);
    const member = reader.grammar.members.includes(sign) ? nameAt(reader, reader.at + 1) : "";
    if (member !== "") {
      receiver = value;
      value = memberOf(reader, value, member);
      isCalled = false;
      reader.at += 2;
    } else if (sign === "->" && brackets[signAt(reader, reader.at + 1)] !== undefined) reader.at += 1;
    else if (sign === "(" || isTagged(reader, value)) {
      const given = sign === "(" ? readArguments(reader, value, receiver) : tagged(reader);
      value = callOf(reader, { callee: value, receiver, given });
      receiver = nothing;
      isCalled = true;
    } else if (sign === "[" && isRubyCommand(reader, value)) break;
    else if (sign === "[" || (sign === "{" && isPerlIndex(reader))) {
      value = indexOf(reader, value, readIndex(reader));
      receiver = nothing;
      isCalled = value.path === "";
    } else break;
  }
  if (iterators.test(value.path) && (signAt(reader, reader.at) === "{" || nameAt(reader, reader.at) === "do"))
    bindParameter({ ...reader, at: reader.at + 1 }, receiver);
  if (!isCalled && isMeant(reader, value) && isMentioned(reader))
    return callOf(reader, { callee: value, receiver, given: readBareArguments(reader) });
  return settled(reader, value);
}

/** False where the name is being assigned, and where it is called after its parenthesis: `(0, eval)("x")`. */
function isMentioned(reader: Reader): boolean {
  const sign = signAt(reader, reader.at);
  return !assigns.has(sign) && !names.has(sign) && !(sign === ")" && signAt(reader, reader.at + 1) === "(");
}

/** JavaScript's tagged template: $`ls`. */
const isTagged = ({ grammar, tokens, at }: Reader, { path }: Value): boolean =>
  grammar.language === "javascript" && path !== "" && tokens[at]?.type === "text";

function tagged(reader: Reader): Argument[] {
  const value = readPrimary(reader) ?? nothing;
  return [{ name: "", value }];
}

function isPerlIndex({ grammar, tokens, at }: Reader): boolean {
  const before = tokens[at - 1];
  if (grammar.language !== "perl" || !before) return false;
  if (before.type === "name") return before.text.startsWith("$");
  return before.type === "sign" && ["->", "}", "]"].includes(before.text);
}

function readIndex(reader: Reader): { key: Value; isReversal: boolean } {
  const signs = reader.tokens.slice(reader.at + 1, reader.at + 5);
  const isReversal = signs
    .map((token) => ("text" in token ? token.text : ""))
    .join("")
    .startsWith("::-1");
  const close = brackets[signAt(reader, reader.at)] ?? "";
  reader.at += 1;
  const items = readBracket(reader, close);
  const key = items.at(-1)?.value ?? nothing;
  const bare = key.path !== "" && key.text === undefined && close === "}" ? said(key.path) : key;
  return { key: items.length > 1 ? mixed(items.map(({ value }) => value)) : bare, isReversal };
}

const iterators = /\.(?:each\w*|forEach|map|flatMap|then|filter|for_each|select|reject)$/u;

/** Binds a callback's parameter to the receiver: `files.forEach((file) => …)`. */
function readArguments(reader: Reader, callee: Value, receiver: Value): Argument[] {
  if (iterators.test(callee.path)) bindParameter(reader, receiver);
  reader.at += 1;
  return readBracket(reader, ")");
}

function bindParameter(reader: Reader, value: Value): void {
  for (let at = reader.at; at < reader.at + 5; at += 1) {
    const name = nameAt(reader, at);
    if (name === "" || passedOver.has(name)) continue;
    const next = signAt(reader, at + 1);
    const isBracketed = next === ")" && ["=>", "{"].includes(signAt(reader, at + 2));
    if (next === "=>" || next === "|" || isBracketed) reader.names.set(name, value);
    return;
  }
}

/** `eval [x].join`: after a Ruby command, a bracket starts its argument, not an index. */
const isRubyCommand = (reader: Reader, { path }: Value): boolean =>
  reader.grammar.language === "ruby" && /^[a-z]\w*$/u.test(path) && isMeant(reader, { ...nothing, path });

/** Arguments without parentheses after a known name, if the language allows them. */
function readBareArguments(reader: Reader): Argument[] {
  if (!reader.grammar.bareCalls) return [];
  const given: Argument[] = [];
  while (reader.depth < deepest && beginsOperand(reader)) {
    reader.depth += 1;
    given.push(readItem(reader, endsArguments));
    reader.depth -= 1;
    if (signAt(reader, reader.at) !== ",") break;
    reader.at += 1;
    while (signAt(reader, reader.at) === "\n") reader.at += 1;
  }
  return given;
}

const beginning = new Set(["[", "<", "\\", "$", "@", "-", "*", "&", "(", "{"]);

function beginsOperand(reader: Reader): boolean {
  const token = reader.tokens[reader.at];
  if (!token) return false;
  if (token.type === "sign") return beginning.has(token.text) && token.text !== "{";
  return token.type !== "name" || !endsArguments.has(token.text);
}
