/** Programs that print some of their input lines unchanged, so that a list of files remains one. */

import { namesIn } from "../listed.ts";
import type { Use } from "../program.ts";

type Selecting = { readonly names: RegExp; readonly operands: number; readonly changes: readonly string[] };

/**
 * `operands`: further ones are input files. `changes`: options with which the output no longer consists of input lines.
 */
const selecting: readonly Selecting[] = [
  { names: /^g?(?:head|tail)$/u, operands: 0, changes: ["c", "bytes", "v", "verbose"] },
  {
    names: /^g?(?:sort|shuf)$/u,
    operands: 0,
    changes: ["e", "echo", "i", "input-range", "files0-from", "o"],
  },
  { names: /^g?uniq$/u, operands: 0, changes: ["c", "count", "group"] },
  { names: /^g?tac$/u, operands: 0, changes: ["s", "r", "b"] },
  {
    names: /^(?:[efg]?grep)$/u,
    operands: 1,
    changes: [
      ...namesIn("o c n H b A B C T l L q r R"),
      "only-matching",
      "count",
      "line-number",
      "with-filename",
      "byte-offset",
      "context",
      "after-context",
      "before-context",
      "label",
      "recursive",
      "color",
      "colour",
    ],
  },
];

export function onlySelects({ name, operands, has }: Use): boolean {
  const row = selecting.find(({ names }) => names.test(name));
  if (!row) return false;
  const hasPattern = row.operands > 0 && has("e", "f", "regexp", "file");
  return operands.length <= (hasPattern ? 0 : row.operands) && !has(...row.changes);
}
