/** Shared by programs that run another command, which follows their own options and operands. */

import type { Word } from "../../command-line/word.ts";
import { type Runs, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { type OptionForm, program, type Use } from "../program.ts";
import { mayBeOption, useOf } from "../use.ts";

/** Runs these words. If the first may turn out to be an option or empty, the next may be the command instead. */
export function* command(
  words: readonly Word[],
  more: Omit<Partial<Runs>, "type" | "words"> = {},
): Iterable<Effect> {
  const [first, ...rest] = words[0]?.text === "--" ? words.slice(1) : words;
  if (first === undefined) return;
  yield runs([first, ...rest], more);
  if (mayBeOption(first) && rest.length > 0) yield runs(rest, more);
}

export const readAgain = (use: Use, words: readonly Word[], options: OptionForm): Use =>
  useOf(
    program(use.name, () => [], { options }),
    { ...use, words },
  );
