/** Resolves the names, members and calls in code to what the data says of them. */

import { compiledCalls } from "../../commands/code/compiled.ts";
import { namesIn } from "../parts.ts";
import { noteFlows, unclear, variableNamed } from "./notes.ts";
import type { CodeLanguage } from "./strings.ts";
import {
  type Argument,
  type Reader,
  type Value,
  nothing,
  resultOf,
  textOf,
  textValue,
  valueNamed,
} from "./value.ts";
import { meaningOf } from "./vocabulary.ts";

type LanguageNames = {
  readonly calls: ReadonlyMap<string, readonly string[]>;
  readonly transparent: readonly string[];
  readonly environment: readonly string[];
  readonly namespaces: readonly string[];
};

const told = new Map<CodeLanguage, LanguageNames>();

function toldOf(language: CodeLanguage): LanguageNames {
  const known = told.get(language);
  if (known) return known;
  const { calls = {}, ...row } = compiledCalls[language];
  const made = {
    calls: new Map(
      Object.entries(calls).flatMap(([phrases, names]) =>
        namesIn(names).map((name) => [name, phrases.split("; ")] as const),
      ),
    ),
    transparent: namesIn(row.transparent ?? ""),
    environment: namesIn(row.environment ?? ""),
    namespaces: namesIn(row.namespaces ?? ""),
  };
  told.set(language, made);
  return made;
}

/** Longer paths are cut here: their first parts no longer matter. */
const longest = 400;

/** Joins `os` and `system` into `os.system`. */
export function memberOf({ names }: Reader, { path, words, isInput = false }: Value, member: string): Value {
  const joined = path.length > longest ? `.${member}` : `${path}.${member}`;
  const known = path === "" ? undefined : names.get(joined);
  return known ?? { path: words === undefined ? joined : `.${member}`, isInput };
}

function plainPath(language: CodeLanguage, path: string): string {
  let plain = path.replaceAll(/\.(?:__dict__|default)(?=\.)/gu, "");
  if (language === "javascript")
    plain = plain
      .replace(/^(?:fs\.(?:promises|extra)|fs-extra|fsp|fsPromises|fse|graceful-fs)\./u, "fs.")
      .replace(/Sync$/u, "");
  const { transparent } = toldOf(language);
  for (;;) {
    const front = transparent.find((each) => plain.startsWith(each) && plain.length > each.length);
    if (front === undefined) return plain;
    plain = plain.slice(front.length);
  }
}

/** By its whole path, or by the last name if that alone is enough. */
function phrasesOf(language: CodeLanguage, path: string): readonly string[] {
  const { calls } = toldOf(language);
  const plain = plainPath(language, path);
  const ways = [plain, path, ...[path, plain].map((each) => each.replace(/^.*\./su, "*."))];
  return ways.map((way) => calls.get(way)).find((found) => found !== undefined) ?? [];
}

/** Whether mentioning it counts as calling it: passed as a function. */
export function isMeant({ language }: Reader, path: string): boolean {
  return toldOf(language).calls.has(plainPath(language, path));
}

type CallSite = { readonly path: string; readonly receiver: Value; readonly given: readonly Argument[] };

export function callOf(reader: Reader, { path, receiver, given }: CallSite): Value {
  const { language, notes } = reader;
  const through = /^(.+)\.(?:call|apply|bind)$/u.exec(path)?.[1];
  if (through !== undefined && phrasesOf(language, through).length > 0)
    return callOf(reader, {
      path: through,
      receiver: nothing,
      given: language === "javascript" ? given.slice(1) : given,
    });
  const call = { path, receiver, given, language, notes };
  let result: Value | undefined;
  for (const phrase of phrasesOf(language, path)) result = meaningOf(phrase)?.(call) ?? result;
  return result ?? resultOf(call);
}

/** `os["system"]`, `process.env.HOME`, `list[0]`, `text[::-1]`. */
export function elementOf(reader: Reader, value: Value, key: Value, isReversed: boolean): Value {
  const { environment, namespaces } = toldOf(reader.language);
  if (isReversed) {
    reader.notes.facts.add("decodes");
    return { path: "", isInput: value.isInput === true };
  }
  const text = textOf(key) ?? (environment.includes(value.path) ? key.path : "");
  if (/^\d+$/u.test(text)) return { path: "", words: value.words?.slice(Number(text), Number(text) + 1) };
  if (value.path === "") return nothing;
  if (text !== "")
    return value.path.endsWith("()") && namespaces.includes(value.path)
      ? valueNamed(text)
      : memberOf(reader, value, text);
  if ([value.path, plainPath(reader.language, value.path)].some((path) => namespaces.includes(path)))
    reader.notes.effects.push(unclear);
  return valueNamed(`${value.path}[]`);
}

/** The whole environment is a secret, while one variable depends on its name. */
export function finalValue({ language, notes }: Reader, value: Value): Value {
  const { environment } = toldOf(language);
  const path = plainPath(language, value.path);
  const whole = environment.find((name) => path === name || path.startsWith(`${name}.`));
  if (whole === undefined) return value;
  const [name = ""] = path.slice(whole.length + 1).split(".");
  if (!(language === "javascript" ? /^\w+$/u : /^[A-Z]\w*$/u).test(name)) {
    notes.facts.add("secret");
    return value;
  }
  const word = variableNamed(name);
  noteFlows(notes, word.carries);
  return textValue(word);
}
