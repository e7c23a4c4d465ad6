/** Functions of `system.yaml`: who may use files. */

import { unknownWord, type Word } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { filesIn, readsFiles } from "../file-effect-makers.ts";
import type { Use } from "../program.ts";

export const permissions: Readonly<Record<string, WordsDo>> = {
  "changes mode": (_, use) => changesMode(use),
  "changes owner": (paths, use) => permits(paths, undefined, use),
  /** Whether new files may be changed by everybody. */
  "leaves open": ([mask]) =>
    mask && leavesOpen(mask.text)
      ? [danger("high", "it lets everybody change the files that are made from now on")]
      : [],
};

const permits = (paths: readonly Word[], mode: Word | undefined, { has }: Use): Effect[] =>
  filesIn(paths).map((path) => ({ type: "permits", path, mode, deep: has("R", "recursive") }));

/** A mode may start with a dash: `chmod -x file`, `chmod -w,u+x file`. */
function changesMode(use: Use): Effect[] {
  const { words, operands } = use;
  const reference = use.value("reference");
  if (reference) return [...readsFiles([reference]), ...permits(operands, unknownWord(), use)];
  const dashed = words.find(({ text }) => /^-(?:[rwxXstugo]+|[0-7]{1,5})(?:[,+=-].*)?$/u.test(text));
  const mode = dashed ?? operands[0];
  return mode ? permits(dashed ? operands : operands.slice(1), mode, use) : [];
}

function leavesOpen(mask: string): boolean {
  const [, last] = /^[0-7]{0,4}([0-7])$/u.exec(mask) ?? [];
  if (last !== undefined) return (Number(last) & 2) === 0;
  return /(?:^|,)[ug]*[oa][ugoa]*[=+][rx]*w/u.test(mask);
}
