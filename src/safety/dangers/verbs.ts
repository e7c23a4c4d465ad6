/** Reads programs whose first words name the action: `docker volume rm`, `helm repo add`. */

import { type Word, withText } from "../command-line/word.ts";
import { danger } from "./effect-makers.ts";
import { type OptionForm, program, type Use } from "./program.ts";
import { useOf } from "./use.ts";

const mostVerbs = 4;

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
