/** What the expansion of words needs from the walk. */

import type { Risk } from "../../protocol/facts.ts";
import type { ParsedScript } from "./parse.ts";
import type * as syntax from "./parse.ts";
import type { Output, Shell } from "./shell.ts";
import type { Word } from "./word.ts";

export type Expansion = {
  readonly shell: Shell;
  /** Traces the script of a substitution in a subshell. */
  substitute: (script: ParsedScript | undefined) => Output;
  /**
   * Traces the script of `>(…)` on the input of its command, since most commands pass their input on, and on what is
   * written to this path.
   */
  feed: (script: ParsedScript | undefined, path: string) => void;
  /** Marks the scripts in this word as traced elsewhere. */
  passBy: (word: syntax.Word) => void;
  /** Reports text that cannot be trusted, or that runs. */
  doubt: (severity: Risk, because: string) => void;
  /** Handles text that bash will evaluate: a subscript, a prompt. */
  evaluate: (code: Word) => void;
};
