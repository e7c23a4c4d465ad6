/** Reads code from left to right: parses only part of each language, but misses no call. */

import { literal, unknown, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import { callOf, elementOf, isMeant, memberOf, finalValue } from "./calls.ts";
import { readImport } from "./imports.ts";
import { tokensOf } from "./lexer.ts";
import { newNotes, type Notes } from "./notes.ts";
import { keywords, nameAt, type Reader, signAt, stopsArguments } from "./reading.ts";
import { runsShell } from "./running.ts";
import type { CodeLanguage, CodeToken } from "./token.ts";
import {
  type Argument,
  concatenation,
  valueNamed,
  nothing,
  literalValue,
  textOf,
  textValue,
  type Value,
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
const assigns = new Set(["=", ":=", "||=", "+=", ".=", "<<="]);
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

const noWords: ReadonlySet<string> = new Set();

/** Reads up to a separator, a closing bracket or one of the words. */
function readItem(reader: Reader, stops = noWords): Argument {
  const targets: { to: Value; sign: string }[] = [];
  let values: Value[] = [];
  let name = "";
  while (reader.at < reader.tokens.length && !endsItem(reader, stops)) {
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

const endsItem = (reader: Reader, stops: ReadonlySet<string>): boolean =>
  separators.has(signAt(reader)) || closers.has(signAt(reader)) || stops.has(nameAt(reader));

function assign(reader: Reader, { to, sign }: { to: Value; sign: string }, value: Value): void {
  for (const field of to.fields ?? []) {
    const member = field.name || field.value.path;
    if (field.value.path !== "") reader.names.set(field.value.path, memberOf(reader, value, member));
  }
  if (to.path === "" || to.path.includes("(")) return;
  const before = reader.names.get(to.path) ?? nothing;
  const isMore = sign === "+=" || sign === ".=";
  const given = iterates.has(sign) ? { ...value, path: "" } : value;
  reader.names.set(to.path, isMore ? concatenation([before, value]) : given);
}

const joins: Readonly<Record<CodeLanguage, readonly string[]>> = {
  python: ["+"],
  javascript: ["+"],
  perl: ["."],
  ruby: ["+", "<<"],
  php: ["."],
};

/** Texts that are concatenated become one, and so do the parts of a path that Python divides. */
function readExpression(reader: Reader): Value | undefined {
  let value = readOperand(reader);
  while (value) {
    const sign = signAt(reader);
    const isPath = reader.language === "python" && sign === "/" && value.words !== undefined;
    const isJoin = joins[reader.language].includes(sign) || isPath;
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
  const name = token.text.replace(/^&/u, "");
  const known = isTarget ? undefined : reader.names.get(name);
  return known ?? valueNamed(name.replaceAll("::", "."));
}

function readSign(reader: Reader): Value | undefined {
  const sign = signAt(reader);
  const close = brackets[sign];
  if (close === undefined) return sign === "<" && reader.language === "perl" ? readAngles(reader) : undefined;
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

/** Perl's `<STDIN>` and `<*.c>`. */
function readAngles(reader: Reader): Value | undefined {
  let inside = "";
  for (let at = reader.at + 1; at < Math.min(reader.at + 16, reader.tokens.length); at += 1) {
    const token = reader.tokens[at];
    if (token?.type === "text") return undefined;
    if (token?.text === ">") {
      reader.at = at + 1;
      return /[*?]/u.test(inside)
        ? textValue({ ...literal(inside), isPattern: true })
        : { path: "", isInput: true };
    }
    inside += token?.text ?? "";
  }
  return undefined;
}

function readText(reader: Reader, token: Extract<CodeToken, { type: "text" }>): Value {
  const parts = token.parts.map((part) => {
    if (typeof part === "string")
      return textValue(part.includes(unknown) ? withText(reader.code, part) : literal(part));
    if (reader.depth >= deepest) return nothing;
    const value = readItems({ ...reader, tokens: part, at: 0, depth: reader.depth + 1 }, "").at(-1)?.value;
    return value?.words?.length === 1 ? value : { ...nothing, isInput: value?.isInput === true };
  });
  const value = concatenation([literalValue(""), ...parts]);
  if (!token.isCommand) return value;
  runsShell(reader.notes, value.words?.[0] ?? unknownWord());
  return nothing;
}

const members: ReadonlySet<string> = new Set([".", "?.", "->", "::", "&."]);

/** Reads what follows a value: calls, members, indices, and arguments without parentheses. */
function readPostfix(reader: Reader, first: Value): Value {
  let value = first;
  let receiver = nothing;
  let isCalled = first.path === "";
  for (;;) {
    const sign = signAt(reader);
    const member = isMember(reader, sign) ? nameAt(reader, reader.at + 1) : "";
    if (member !== "") {
      receiver = value;
      value = memberOf(reader, value, member);
      isCalled = false;
      reader.at += 2;
    } else if (sign === "->" && brackets[signAt(reader, reader.at + 1)] !== undefined) reader.at += 1;
    else if (sign === "(" || isTagged(reader, value)) {
      const path = value.path === "" ? (textOf(value) ?? "") : value.path;
      value = callOf(reader, {
        path,
        receiver,
        given: sign === "(" ? readBracket(reader) : [readTag(reader)],
      });
      receiver = nothing;
      isCalled = true;
    } else if ((sign === "[" && !isCommand(reader, value)) || (sign === "{" && isPerlIndex(reader))) {
      value = readIndex(reader, value);
      isCalled = value.path === "";
    } else break;
  }
  if (isCalled || !isMeant(reader, value.path) || !isMentioned(reader)) return finalValue(reader, value);
  return callOf(reader, { path: value.path, receiver, given: readBareArguments(reader) });
}

const isMember = ({ language }: Reader, sign: string): boolean =>
  members.has(sign) && !(sign === "." && (language === "perl" || language === "php"));

/** False where the name is being assigned, and where it is called after its parenthesis: `(0, eval)("x")`. */
function isMentioned(reader: Reader): boolean {
  const sign = signAt(reader);
  return !assigns.has(sign) && !labels.has(sign) && !(sign === ")" && signAt(reader, reader.at + 1) === "(");
}

/** JavaScript's tagged template: $`ls`. */
const isTagged = ({ language, tokens, at }: Reader, { path }: Value): boolean =>
  language === "javascript" && path !== "" && isText(tokens[at]);

const readTag = (reader: Reader): Argument => ({ name: "", value: readPrimary(reader) ?? nothing });

function isPerlIndex({ language, tokens, at }: Reader): boolean {
  const before = tokens[at - 1];
  if (language !== "perl" || !before || before.type === "text") return false;
  return before.type === "name" ? before.text.startsWith("$") : /^(?:->|[}\]])$/u.test(before.text);
}

function readIndex(reader: Reader, value: Value): Value {
  const signs = reader.tokens.slice(reader.at + 1, reader.at + 5);
  const inside = signs.map((token) => (token.type === "text" ? "" : token.text)).join("");
  const isBare = signAt(reader) === "{";
  const key = readBracket(reader).at(-1)?.value ?? nothing;
  return elementOf(
    reader,
    value,
    isBare && key.words === undefined ? literalValue(key.path) : key,
    inside.startsWith("::-1"),
  );
}

/** `eval [x].join`: behind a command, a bracket starts its argument, not an index. */
const isCommand = (reader: Reader, { path }: Value): boolean =>
  (reader.language === "ruby" || reader.language === "perl") &&
  /^[a-z]\w*$/u.test(path) &&
  isMeant(reader, path);

/** Arguments without parentheses, in the languages that allow them. */
function readBareArguments(reader: Reader): Argument[] {
  const given: Argument[] = [];
  if (reader.language === "python" || reader.language === "javascript") return given;
  while (reader.depth < deepest && beginsOperand(reader)) {
    reader.depth += 1;
    given.push(readItem(reader, stopsArguments));
    reader.depth -= 1;
    if (signAt(reader) !== ",") break;
    reader.at += 1;
    while (signAt(reader) === "\n") reader.at += 1;
  }
  return given;
}

function beginsOperand(reader: Reader): boolean {
  const token = reader.tokens[reader.at];
  if (!token) return false;
  if (token.type === "sign") return /^[[<\\$@\-*&(]$/u.test(token.text);
  return token.type !== "name" || !stopsArguments.has(token.text);
}
