/** What is known of a value in code without running it. */

import { isUnknown, joinWords, literal, unknownWord, type Word } from "../../command-line/word.ts";

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
