/** Which dialect a model was trained on: told by its chat template, else by its name. */

import type { Dialect } from "./dialect.ts";
import { allDialects } from "./index.ts";

type ModelTraits = {
  /** The name as its server lists it: "qwen3-coder:30b". */
  model: string;
  /** The chat template, where the server shows it. */
  template?: string | undefined;
};

/** How it was found out, in words for a person. Undefined: nobody knows the model. */
export function dialectOf(
  { model, template = "" }: ModelTraits,
  among: readonly Dialect[] = allDialects,
): { dialect: Dialect; because: string } | undefined {
  const byTemplate = bestOf(among, ({ family }) => shownBy(template, family?.template ?? []));
  if (byTemplate) return { dialect: byTemplate, because: "its chat template writes calls that way" };
  const byName = bestOf(among, ({ family }) => family?.models?.exec(model)?.[0].length ?? 0);
  return byName && { dialect: byName, because: "models of its name write calls that way" };
}

/** How long all of the texts are together; 0 unless the template has each. */
const shownBy = (template: string, texts: readonly string[]): number =>
  texts.every((text) => template.includes(text)) ? texts.join("").length : 0;

/** The more of a template or a name was found, the less can it be another's: "qwen3-coder" is no other "qwen". */
function bestOf(among: readonly Dialect[], found: (dialect: Dialect) => number): Dialect | undefined {
  const most = Math.max(0, ...among.map(found));
  return most === 0 ? undefined : among.find((dialect) => found(dialect) === most);
}
