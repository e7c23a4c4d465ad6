/** A row of the tables: a program, how its arguments are read, and what they do. */

import type { Word } from "../command-line/word.ts";
import type { Effect, Input, Variable } from "./effect.ts";
import { namesIn } from "./listed.ts";

/** How a program reads its options. */
export type OptionForm = {
  /** Short options (letters) that take a value: the rest of the word, or the next one. */
  short?: string;
  /** Short options whose value, if any, is the rest of the word, never the next one: `sed -i.bak`. */
  attached?: string;
  /** Short options whose value, if any, is only what fits right behind the letter: `perl -0777ne`. Others follow it. */
  behind?: Readonly<Record<string, RegExp>>;
  /** Long options that take a value in the next word (`--name=value` is always understood). Names without dashes. */
  long?: readonly string[];
  /** Other long options by name, so that abbreviations (`--recurs`) are understood, as GNU programs do. */
  known?: readonly string[];
  /** The first word that is no option ends them: for programs that take a command (`env`, `timeout`). */
  stopAtOperand?: boolean;
  /** One dash begins a long option (`find -name`, `java -jar`, `terraform -chdir=x`): there are no clusters. */
  oneDash?: boolean;
};

export type Program = {
  /** Names under which it is called, without directories. */
  readonly names: readonly string[];
  readonly options?: OptionForm;
  /** What this use of it does. No effect at all means: it computes and prints. */
  does(use: Use): Iterable<Effect>;
  /**
   * `wrapper`: runs another command; `interpreter`: runs code. Nothing wider than this one use is ever granted.
   * `builds`: runs what the workspace says (tests, builds, scripts), so it writes there.
   */
  readonly kind?: "wrapper" | "interpreter" | "builds";
  /** How many words say what it does, for a person's wider yes: 2 for `git status`; 1 by default. */
  readonly verbs?: number | ((words: readonly string[]) => number);
};

/** One use of a program, with its arguments read by the row's option form. */
export type Use = {
  /** The name it was called by, without directories, in lower case where the row has it so. */
  readonly name: string;
  /** All arguments as they stand. */
  readonly words: readonly Word[];
  /** Arguments that are no options and no options' values. */
  readonly operands: readonly Word[];
  /** Options in their order; names without dashes. */
  readonly options: readonly UsedOption[];
  /** Whether one of these options is given. */
  readonly has: (...names: readonly string[]) => boolean;
  /** The last value of these options. */
  readonly value: (...names: readonly string[]) => Word | undefined;
  readonly values: (...names: readonly string[]) => readonly Word[];
  readonly input: Input;
  /** `NAME=value` in front of it. */
  readonly variables: readonly Variable[];
  readonly around: Around;
};

export type UsedOption = { readonly name: string; readonly value?: Word };

/** Where the command line runs. All absolute and without links, "/"-separated. */
export type Around = {
  readonly home: string;
  readonly workspace: string;
  /** Undefined when a `cd` led to where only the run tells. */
  readonly directory: string | undefined;
};

export const program = (
  names: string,
  does: Program["does"],
  more: Omit<Program, "names" | "does"> = {},
): Program => ({ names: namesIn(names), does, ...more });
