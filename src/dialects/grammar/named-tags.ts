/** Parameters as tags of their own names: `<path>a.md</path>`. Only declared names are tags: all else may be text. */

import { fitting, inOrder, mark, some, type PatternStep } from "../reading/ahead.ts";
import type { OfferedTools } from "../reading/reader.ts";
import { parametersOf, type Parameters } from "./tool-schema.ts";
import type { XmlForm } from "./xml-form.ts";

export const tagName = some(/[^<>\s/]/, 80);

export const declares = ({ names, declared }: Parameters, key: string): boolean =>
  names.includes(declared(key) ?? "");

/** A tag whose name is accepted. */
export const tagNamed = (accepts: (name: string) => boolean): PatternStep =>
  fitting(inOrder(mark("<"), tagName, mark(">")), (tag) => accepts(tag.slice(1, -1)));

/** The parameters of one tool; `call`: how other calls begin. */
export function namedTags(
  tool: string,
  offered: OfferedTools,
  around: Pick<XmlForm, "call" | "ends">,
): XmlForm {
  const parameters = parametersOf(offered, tool);
  return {
    ...around,
    parameter: {
      marks: [],
      step: tagNamed((name) => declares(parameters, name)),
      read: (opening) => ({ key: opening.slice(1, -1) }),
    },
    closers: (key) => [`</${key}>`],
    padding: "none",
    withoutCloser: "data",
    tidy,
  };
}

/** Text on lines of its own is unchanged; short text is trimmed. */
function tidy(text: string): string {
  const [, lines] = /^\r?\n([^]*?)\r?\n[ \t]*$/.exec(text) ?? [];
  if (lines !== undefined) return lines;
  return text.trim().includes("\n") ? text.replace(/^\r?\n/, "") : text.trim();
}
