/** Programs that print some of their input lines unchanged, so that a list of files remains one. */

import { namesIn } from "../listed.ts";
import type { Use } from "../program.ts";

/** With these options the output no longer consists of input lines. */
const selecting: readonly (readonly [names: RegExp, changing: string])[] = [
  [/^g?(?:head|tail)$/u, "c bytes v verbose"],
  [/^g?(?:sort|shuf)$/u, "e echo i input-range files0-from o"],
  [/^g?uniq$/u, "c count group"],
  [/^g?tac$/u, "s r b"],
  [
    /^[efg]?grep$/u,
    `o c n H b A B C T l L q r R only-matching count line-number with-filename byte-offset context after-context
      before-context label recursive color colour`,
  ],
];

/** Further operands than the pattern of grep are input files. */
export function onlySelects({ name, operands, has }: Use): boolean {
  const changing = selecting.find(([names]) => names.test(name))?.[1];
  const isSearch = name.endsWith("grep") && !has("e", "f", "regexp", "file");
  return changing !== undefined && operands.length <= (isSearch ? 1 : 0) && !has(...namesIn(changing));
}
