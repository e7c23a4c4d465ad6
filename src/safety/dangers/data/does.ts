/** What words (operands, or the values of an option) have a program do. */

import type { Word } from "../../command-line/word.ts";
import type { Effect } from "../effect.ts";
import type { Use } from "../program.ts";

export type WordsDo = (words: readonly Word[], use: Use) => Iterable<Effect>;
