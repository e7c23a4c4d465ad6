/** What the expansion of words needs of the walk. */

import type { Risk } from "../../protocol/facts.ts";
import type { ParsedScript } from "./parse.ts";
import type * as syntax from "./parse.ts";
import type { Output, Shell } from "./shell.ts";
import type { Word } from "./word.ts";

export type Expansion = {
  readonly shell: Shell;
  /** Runs the script of a substitution in a shell of its own. */
  substitute: (script: ParsedScript | undefined) => Output;
  /** Runs the script of `>(…)` on what its command was given, which mostly passes it on. */
  feed: (script: ParsedScript | undefined) => void;
  /** What stands in this word is followed in another way. */
  passBy: (word: syntax.Word) => void;
  /** Something about the text that cannot be trusted, or runs. */
  doubt: (severity: Risk, because: string) => void;
  /** Text that bash will evaluate: a subscript, a prompt. */
  evaluate: (code: Word) => void;
};
