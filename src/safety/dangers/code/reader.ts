/** Reads code from left to right: parses only part of each language, but misses no call. */

import { literal, unknown, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import { callOf, elementOf, isMeant, memberOf, finalValue } from "./calls.ts";
import { readImport } from "./imports.ts";
import { tokensOf } from "./lexer.ts";
import { newNotes, type Notes } from "./notes.ts";
import type { CodeLanguage, CodeToken } from "./strings.ts";
import {
  type Argument,
  type Reader,
  type Value,
  concatenation,
  keywords,
  literalValue,
  nameAt,
  nothing,
  signAt,
  textOf,
  textValue,
  valueNamed,
} from "./value.ts";

const deepest = 60;

export function readCode(language: CodeLanguage, code: Word): Notes {
  const { tokens, isBroken } = tokensOf(code.text, language);
  const names = new Map<string, Value>();
  const read = (): Notes => {
    const notes = newNotes();
    readItems({ tokens, at: 0, depth: 0, language, code, notes, names }, "");
    return notes;
  };
  read(); // A name may be bound behind its use: `[f(x) for x in list]`.
  const notes = read();
  if (isBroken) notes.effects.push(danger("high", "its code cannot be read"));
  return notes;
}

const separators = new Set([",", ";", "\n"]);
const closers = new Set([")", "]", "}"]);
const assigns = new Set(["=", ":=", "||=", "+="]);
const labels = new Set([":", "=>"]);
const iterates = new Set(["in", "of"]);

/** Reads items up to and including the closing bracket. */
function readItems(reader: Reader, close: string): Argument[] {
  const items: Argument[] = [];
  while (reader.at < reader.tokens.length) {
    const sign = signAt(reader);
    if (separators.has(sign) || closers.has(sign)) {
      reader.at += 1;
      if (sign === close) break;
    } else items.push(readItem(reader));
  }
  return items;
}

/** Reads up to a separator or a closing bracket. */
function readItem(reader: Reader): Argument {
  const targets: { to: Value; sign: string }[] = [];
  let values: Value[] = [];
  let name = "";
  while (reader.at < reader.tokens.length && !endsItem(reader)) {
    if (readImport(reader)) continue;
    const value = readExpression(reader);
    const sign = signAt(reader) || nameAt(reader);
    if (!value) reader.at += 1;
    else if (assigns.has(sign) || iterates.has(sign)) {
      targets.push({ to: value, sign });
      name ||= value.path;
      values = [];
      reader.at += 1;
    } else if (labels.has(sign) && targets.length === 0 && values.length === 0) {
      name = textOf(value) ?? value.path;
      reader.at += 1;
    } else if (sign === "as") {
      reader.names.set(nameAt(reader, reader.at + 1), { ...value, path: "" });
      reader.at += 2;
    } else values.push(value);
  }
  const [only = nothing] = values;
  const value =
    values.length < 2 ? only : { path: "", isInput: values.some(({ isInput }) => isInput === true) };
  for (const target of targets) assign(reader, target, value);
  return { name, value };
}

const endsItem = (reader: Reader): boolean => separators.has(signAt(reader)) || closers.has(signAt(reader));

function assign(reader: Reader, { to, sign }: { to: Value; sign: string }, value: Value): void {
  for (const field of to.fields ?? []) {
    const member = field.name || field.value.path;
    if (field.value.path !== "") reader.names.set(field.value.path, memberOf(reader, value, member));
  }
  if (to.path === "" || to.path.includes("(")) return;
  const before = reader.names.get(to.path) ?? nothing;
  const given = iterates.has(sign) ? { ...value, path: "" } : value;
  reader.names.set(to.path, sign === "+=" ? concatenation([before, value]) : given);
}

/** Texts that are concatenated become one, and so do the parts of a path that Python divides. */
function readExpression(reader: Reader): Value | undefined {
  let value = readOperand(reader);
  while (value) {
    const sign = signAt(reader);
    const isPath = reader.language === "python" && sign === "/" && value.words !== undefined;
    const isJoin = sign === "+" || isPath;
    const isBeside = reader.language === "python" && isText(reader.tokens[reader.at]) && value.words;
    if (!isJoin && !isBeside) break;
    const start = reader.at;
    reader.at += isJoin ? 1 : 0;
    const next = readOperand(reader);
    if (!next) {
      reader.at = start;
      break;
    }
    value = concatenation([value, next], isPath ? "/" : "");
  }
  return value;
}

const isText = (token: CodeToken | undefined): boolean => token?.type === "text";

function readOperand(reader: Reader): Value | undefined {
  while (keywords.has(nameAt(reader))) reader.at += 1;
  const value = readPrimary(reader);
  return value && readPostfix(reader, value);
}

const brackets: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

function readPrimary(reader: Reader): Value | undefined {
  const token = reader.tokens[reader.at];
  if (token?.type === "sign" || !token) return readSign(reader);
  reader.at += 1;
  if (token.type === "text") return readText(reader, token);
  if (token.type === "number") return literalValue(token.text);
  if (token.text === unknown) return textValue(unknownWord(reader.code.carries));
  const next = signAt(reader) || nameAt(reader);
  const isTarget = assigns.has(next) || labels.has(next) || iterates.has(next);
  const known = isTarget ? undefined : reader.names.get(token.text);
  return known ?? valueNamed(token.text);
}

function readSign(reader: Reader): Value | undefined {
  const sign = signAt(reader);
  if (brackets[sign] === undefined) return undefined;
  const items = readBracket(reader);
  const [first = nothing] = items.map(({ value }) => value);
  if (sign === "{") return { path: "", fields: items };
  if (sign === "(" && items.length === 1) return first;
  const last = items.at(-1)?.value ?? nothing;
  return {
    ...concatenation([textValue(), ...items.map(({ value }) => value)]),
    path: sign === "(" ? last.path : "",
    ...(sign === "[" ? { fields: items } : {}),
  };
}

/** Reads what is in the brackets that open here; nesting too deeply ends the reading. */
function readBracket(reader: Reader): Argument[] {
  const close = brackets[signAt(reader)] ?? "";
  if (reader.depth >= deepest) {
    reader.notes.effects.push(danger("high", "its code is nested too deeply to be read"));
    reader.at = reader.tokens.length;
    return [];
  }
  reader.at += 1;
  reader.depth += 1;
  const items = readItems(reader, close);
  reader.depth -= 1;
  return items;
}

function readText(reader: Reader, token: Extract<CodeToken, { type: "text" }>): Value {
  const parts = token.parts.map((part) => {
    if (typeof part === "string")
      return textValue(part.includes(unknown) ? withText(reader.code, part) : literal(part));
    if (reader.depth >= deepest) return nothing;
    const value = readItems({ ...reader, tokens: part, at: 0, depth: reader.depth + 1 }, "").at(-1)?.value;
    return value?.words?.length === 1 ? value : { ...nothing, isInput: value?.isInput === true };
  });
  return concatenation([literalValue(""), ...parts]);
}

/** Reads what follows a value: calls, members and indices. */
function readPostfix(reader: Reader, first: Value): Value {
  let value = first;
  let receiver = nothing;
  let isCalled = first.path === "";
  for (;;) {
    const sign = signAt(reader);
    const member = sign === "." || sign === "?." ? nameAt(reader, reader.at + 1) : "";
    if (member !== "") {
      receiver = value;
      value = memberOf(reader, value, member);
      isCalled = false;
      reader.at += 2;
    } else if (sign === "(" || isTagged(reader, value)) {
      const path = value.path === "" ? (textOf(value) ?? "") : value.path;
      value = callOf(reader, {
        path,
        receiver,
        given: sign === "(" ? readBracket(reader) : [readTag(reader)],
      });
      receiver = nothing;
      isCalled = true;
    } else if (sign === "[") {
      value = readIndex(reader, value);
      isCalled = value.path === "";
    } else break;
  }
  if (isCalled || !isMeant(reader, value.path) || !isMentioned(reader)) return finalValue(reader, value);
  return callOf(reader, { path: value.path, receiver, given: [] });
}

/** False where the name is being assigned, and where it is called after its parenthesis: `(0, eval)("x")`. */
function isMentioned(reader: Reader): boolean {
  const sign = signAt(reader);
  return !assigns.has(sign) && !labels.has(sign) && !(sign === ")" && signAt(reader, reader.at + 1) === "(");
}

/** JavaScript's tagged template: $`ls`. */
const isTagged = ({ language, tokens, at }: Reader, { path }: Value): boolean =>
  language === "javascript" && path !== "" && isText(tokens[at]);

const readTag = (reader: Reader): Argument => ({ name: "", value: readPrimary(reader) ?? nothing });

function readIndex(reader: Reader, value: Value): Value {
  const signs = reader.tokens.slice(reader.at + 1, reader.at + 5);
  const inside = signs.map((token) => (token.type === "text" ? "" : token.text)).join("");
  const key = readBracket(reader).at(-1)?.value ?? nothing;
  return elementOf(reader, value, key, inside.startsWith("::-1"));
}
