/** What code computes, as far as that is visible, and the state of reading it. */

import { type Word, isUnknown, joinWords, literal, unknownWord } from "../../command-line/word.ts";
import { namesIn } from "../parts.ts";
import type { Notes } from "./notes.ts";
import type { CodeLanguage, CodeToken } from "./strings.ts";

export type Value = {
  /** The name it stands for, always with dots: `os.system`, `requests.get().text`; "" if it has none. */
  readonly path: string;
  /** Its text, or the texts of a list; undefined if it has none that is known. */
  readonly words?: readonly Word[] | undefined;
  /** The named parts of an object. */
  readonly fields?: readonly Argument[];
  /** It comes from standard input. */
  readonly isInput?: boolean;
};

/** An argument of a call. `name`: `shell=True`, `{shell: true}`; "" for a positional one. */
export type Argument = { readonly name: string; readonly value: Value };

export const nothing: Value = { path: "" };

export const valueNamed = (path: string): Value => ({ path });

export const textValue = (...words: readonly Word[]): Value => ({ path: "", words });

export const literalValue = (text: string): Value => textValue(literal(text));

/** Its text, or an unknown word. */
export const wordsOf = ({ words }: Value): readonly Word[] => words ?? [unknownWord()];

/** Its whole text, if it is known and not that of a list. */
export const textOf = ({ words }: Value): string | undefined =>
  words?.length === 1 && words[0] && !isUnknown(words[0]) ? words[0].text : undefined;

/** Longer text becomes unknown, so that repeated doubling cannot exhaust memory. */
const longest = 50_000;
const mostWords = 1_000;

/** The values as one text, or as one list if one of them is a list. */
export function concatenation(values: readonly Value[], between = ""): Value {
  const isInput = values.some((value) => value.isInput === true);
  const list = values.filter(({ words = [] }) => words.length !== 1);
  if (values.every(({ words }) => words === undefined)) return { path: "", isInput };
  if (list.some(({ words }) => words !== undefined) && between === "")
    return { path: "", isInput, words: values.flatMap(wordsOf).slice(0, mostWords) };
  const text = joinWords(values.flatMap(wordsOf), between);
  return text.text.length > longest
    ? { path: "", isInput }
    : { path: "", isInput, words: [{ ...text, mayBeSeveral: false }] };
}

export type CodeCall = {
  readonly path: string;
  /** The value before the last dot. */
  readonly receiver: Value;
  readonly given: readonly Argument[];
  readonly language: CodeLanguage;
  readonly notes: Notes;
};

/** Records what the call does and returns its result, if that is known. */
export type Meaning = (call: CodeCall) => Value | undefined;

const givenAsFirst = /^(?:|path|src|filename|file|url|uri|cmd|command|args)$/u;

export const positional = ({ given }: CodeCall): Value[] =>
  given.filter(({ name }) => givenAsFirst.test(name)).map(({ value }) => value);

export const argument = (call: CodeCall, at: number): Value => positional(call)[at] ?? nothing;

/** A named argument such as `shell=True`, or a field of an object among the arguments. */
export const option = ({ given }: CodeCall, names: RegExp): Value | undefined =>
  given.flatMap((one) => [one, ...(one.value.fields ?? [])]).find(({ name }) => names.test(name))?.value;

export const isInput = ({ receiver, given }: CodeCall): boolean =>
  [receiver, ...given.map(({ value }) => value)].some((value) => value.isInput === true);

/** A result of which only that is known. */
export const resultOf = (call: CodeCall): Value => ({ path: `${call.path}()`, isInput: isInput(call) });

export type Reader = {
  readonly tokens: readonly CodeToken[];
  at: number;
  /** Nesting depth in brackets. */
  depth: number;
  readonly language: CodeLanguage;
  readonly code: Word;
  readonly notes: Notes;
  /** What the code itself has assigned. */
  readonly names: Map<string, Value>;
};

const tokenAt = ({ tokens }: Reader, at: number, type: "sign" | "name"): string => {
  const token = tokens[at];
  return token?.type === type ? token.text : "";
};

export const signAt = (reader: Reader, at = reader.at): string => tokenAt(reader, at, "sign");

export const nameAt = (reader: Reader, at = reader.at): string => tokenAt(reader, at, "name");

/** They are skipped: the value is what follows them. */
export const keywords: ReadonlySet<string> = new Set(
  namesIn(`new await return typeof not const let var yield async export default static public private del void lambda else try throw
    raise and or if elif with is case switch global function def class finally print`),
);
