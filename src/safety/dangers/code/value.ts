/** What is statically known of a value in code: its text, its elements, the name it stands for, its data flows. */

import { type Flow, joined, literal, noFlows, unknownWord, type Word } from "../../command-line/word.ts";

export type Value = {
  /** Its name, always with dots: `os.system`, `requests.get().text`; "" if it has none. */
  readonly path: string;
  readonly text: Word | undefined;
  /** The elements of a list or an object. */
  readonly items: readonly Argument[] | undefined;
  readonly carries: ReadonlySet<Flow>;
};

/** An argument of a call. `name`: `shell=True`, `{shell: true}`; "" for a positional one. */
export type Argument = { readonly name: string; readonly value: Value };

export const nothing: Value = { path: "", text: undefined, items: undefined, carries: noFlows };

export const named = (path: string): Value => ({ ...nothing, path });

export const texted = (text: Word): Value => ({ ...nothing, text, carries: text.carries });

export const said = (text: string): Value => texted(literal(text));

export const carrying = (...flows: readonly Flow[]): Value => ({ ...nothing, carries: new Set(flows) });

export const listOf = (values: readonly Value[]): Value => ({
  ...nothing,
  items: values.map((value) => ({ name: "", value })),
  carries: flowsIn(values),
});

export function flowsIn(values: readonly Value[]): ReadonlySet<Flow> {
  const flows = values.flatMap(({ carries }) => [...carries]);
  return flows.length === 0 ? noFlows : new Set(flows);
}

/** Its text, or an unknown word with the same data flows. */
export const wordOf = ({ text, carries }: Value): Word => text ?? unknownWord(carries);

/** The words of a list, or the single word of any other value. */
export const wordsOf = (value: Value): Word[] =>
  value.items === undefined || value.text !== undefined
    ? [wordOf(value)]
    : value.items.map((item) => wordOf(item.value));

/** Longer text becomes unknown, so that repeated doubling cannot exhaust memory. */
const longest = 100_000;

/** Concatenates the values as text. */
export function concatenated(values: readonly Value[], between = ""): Value {
  const carries = flowsIn(values);
  if (values.every(({ text }) => text === undefined)) return { ...nothing, carries };
  const text = joined(values.map(wordOf), between);
  if (text.text.length > longest) return { ...nothing, carries: new Set([...carries, "random"]) };
  return { ...nothing, text: { ...text, mayBeSeveral: false }, carries };
}

/** An unknown value made from these, which keeps their data flows. */
export const mixed = (values: readonly Value[]): Value => ({ ...nothing, carries: flowsIn(values) });
