/** What is known of a value in code before it runs: its text, its parts, what it stands for, what flows into it. */

import { type Flow, joined, literal, noFlows, unknownWord, type Word } from "../../command-line/word.ts";

export type Value = {
  /** The name it goes by, with dots whatever the language: `os.system`, `requests.get().text`; "" without one. */
  readonly path: string;
  readonly text: Word | undefined;
  /** Of a list or an object. */
  readonly items: readonly Argument[] | undefined;
  readonly carries: ReadonlySet<Flow>;
};

/** What a call is given. `name`: `shell=True`, `{shell: true}`; "" without one. */
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

/** Its text, or an unknown word that carries what flows into it. */
export const wordOf = ({ text, carries }: Value): Word => text ?? unknownWord(carries);

/** The words of a list, or the one of anything else. */
export const wordsOf = (value: Value): Word[] =>
  value.items === undefined || value.text !== undefined
    ? [wordOf(value)]
    : value.items.map((item) => wordOf(item.value));

/** Text that doubles itself is given up. */
const longest = 100_000;

/** One behind the other, as texts. */
export function concatenated(values: readonly Value[], between = ""): Value {
  const carries = flowsIn(values);
  if (values.every(({ text }) => text === undefined)) return { ...nothing, carries };
  const text = joined(values.map(wordOf), between);
  if (text.text.length > longest) return { ...nothing, carries: new Set([...carries, "random"]) };
  return { ...nothing, text: { ...text, mayBeSeveral: false }, carries };
}

/** Something of these, nobody knows what. */
export const mixed = (values: readonly Value[]): Value => ({ ...nothing, carries: flowsIn(values) });
