/** Tables for programs whose first words name the action: `docker volume rm`, `helm repo add`. */

import { isUnknown, type Word, withText } from "../command-line/word.ts";
import { danger } from "./effect-makers.ts";
import type { Effect } from "./effect.ts";
import { type OptionForm, program, type Use } from "./program.ts";
import { useOf } from "./use.ts";

type Telling = readonly Effect[] | ((use: Use) => Iterable<Effect>);

type VerbTable = {
  readonly rows: ReadonlyMap<string, VerbRow>;
  /** The effects of a verb without a row; that verb is still among the operands. */
  readonly otherwise: Telling;
  /**
   * How the words after the verb are parsed. If undefined, the program's own form has already parsed the whole line.
   */
  readonly form?: OptionForm;
};

type VerbRow = { readonly does: Telling; readonly options?: OptionForm };

type VerbLine = readonly [verbs: string, does: Telling, options?: OptionForm];

/** Each line lists one or more verbs (`"rm, volume rm"`), their effects, and how their options are parsed. */
export function verbTable(lines: readonly VerbLine[], more: Omit<VerbTable, "rows">): VerbTable {
  const rows = lines.flatMap(([verbs, does, options]) =>
    verbs.split(/,\s+/u).map((verb): [string, VerbRow] => [verb, options ? { does, options } : { does }]),
  );
  return { rows: new Map(rows), ...more };
}

const mostVerbs = 4;

/** The effects of the longest row that matches the first operands; none if the use only requests help. */
export function tellByVerb(use: Use, table: VerbTable): Iterable<Effect> {
  const [first] = use.operands;
  if (first === undefined || first.text === "help") return [];
  if (isUnknown(first)) return [onlyWhenItRuns];
  const found = longestRow(use.operands, table.rows);
  const form = table.form && (found?.row.options ?? table.form);
  const rest = after(use, use.operands.slice(found?.count ?? 0), form);
  return rest.has("help") ? [] : tell(found?.row.does ?? table.otherwise, rest);
}

const tell = (telling: Telling, use: Use): Iterable<Effect> =>
  typeof telling === "function" ? telling(use) : telling;

export const onlyWhenItRuns = danger("high", "what it does is only known when it runs");

/** The row of as many first operands as possible. */
export function longestRow<Row>(
  operands: readonly Word[],
  rows: ReadonlyMap<string, Row>,
): { row: Row; count: number } | undefined {
  const words = operands.slice(0, mostVerbs).map(({ text }) => text);
  for (let count = words.length; count > 0; count -= 1) {
    const row = rows.get(words.slice(0, count).join(" "));
    if (row !== undefined) return { row, count };
  }
  return undefined;
}

/** The same use reduced to these words, reparsed if a form is given. */
export function after(use: Use, words: readonly Word[], form: OptionForm | undefined): Use {
  if (!form) return { ...use, operands: words };
  return useOf(
    program(use.name, () => [], { options: form }),
    { ...use, words },
  );
}

/** Programs written in Go also accept `-v=value`, where others would treat the "=" as part of the value. */
export const readAsGo = (use: Use, form: OptionForm): Use =>
  after(
    use,
    use.words.map((word) => withText(word, word.text.replace(/^(?<name>-[A-Za-z])=/u, "$<name>"))),
    form,
  );
