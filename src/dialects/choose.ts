/** Identifies the dialect a model was trained on, by its chat template, else by its name. */

import type { Dialect } from "./dialect.ts";
import { allDialects } from "./index.ts";

type ModelTraits = {
  /** The name as listed by the server: "qwen3-coder:30b". */
  model: string;
  /** The chat template, if the server exposes it. */
  template?: string | undefined;
};

/** A dialect, what shows that a model writes it, and that evidence in words for people. */
type ChosenDialect = { dialect: Dialect; by: "template" | "name"; because: string };

/** Undefined if the model is unknown. */
export function dialectOf(
  { model, template = "" }: ModelTraits,
  among: readonly Dialect[] = allDialects,
): ChosenDialect | undefined {
  const shown = among.filter(({ family }) => shownBy(template, family?.template ?? []) > 0);
  const byTemplate = bestOf(
    shown.filter((dialect) => !shown.some((other) => holds(other, dialect))),
    ({ family }) => shownBy(template, family?.template ?? []),
  );
  if (byTemplate)
    return { dialect: byTemplate, by: "template", because: "its chat template writes calls that way" };
  const byName = bestOf(among, ({ family }) => family?.models?.exec(model)?.[0].length ?? 0);
  return byName && { dialect: byName, by: "name", because: "models of its name write calls that way" };
}

/** The total length of the texts; 0 unless the template contains each of them. */
const shownBy = (template: string, texts: readonly string[]): number =>
  texts.every((text) => template.includes(text)) ? texts.join("").length : 0;

/** Whether a mark of one dialect stands inside a longer one of another: then that may be what the template shows. */
const holds = (other: Dialect, dialect: Dialect): boolean =>
  other.openers.some(
    ({ mark }) =>
      !dialect.openers.some((one) => one.mark === mark) &&
      dialect.openers.some((one) => mark.length > one.mark.length && mark.includes(one.mark)),
  );

/** The longest match is the most specific: "qwen3-coder" is not just any "qwen". */
function bestOf(among: readonly Dialect[], found: (dialect: Dialect) => number): Dialect | undefined {
  const most = Math.max(0, ...among.map(found));
  return most === 0 ? undefined : among.find((dialect) => found(dialect) === most);
}
