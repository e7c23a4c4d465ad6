/** Short constructors for effects, used by the program tables. */

import type { Risk } from "../../protocol/facts.ts";
import type { Word } from "../command-line/word.ts";
import type { Effect, Language } from "./effect.ts";

/** A danger specific to one program. `because` continues a sentence about it: "it stops every process". */
export const danger = (severity: Risk, because: string): Effect => ({ type: "danger", severity, because });

/**
 * Does more than read and print, but nothing dangerous: runs workspace-defined code, or changes the program's own data.
 */
export const doesMore: Effect = danger("none", "it does more than read");

export const onlyWhenItRuns = danger("high", "what it does is only known when it runs");

export const reads = (paths: readonly Word[]): Effect[] => paths.map((path) => ({ type: "reads", path }));

export const replaces = (paths: readonly Word[]): Effect[] =>
  paths.map((path) => ({ type: "writes", path, how: "replaces" }));

export type Runs = Extract<Effect, { type: "runs" }>;

export const runs = (words: readonly Word[], more: Omit<Partial<Runs>, "type" | "words"> = {}): Effect => ({
  type: "runs",
  words,
  ...more,
});

/** Prints every environment variable, including keys and tokens. */
export const printsVariables: Effect = { type: "prints", flows: ["secret", "variables"] };

/** `words`: the values of `$0`, `$1` … in the code. */
export const interprets = (language: Language, code: Word, words: readonly Word[] = []): Effect =>
  words.length > 0
    ? { type: "interprets", language, code, arguments: words }
    : { type: "interprets", language, code };

export const loads = (path: Word, language: Language = "other"): Effect => ({
  type: "loads",
  path,
  language,
});
