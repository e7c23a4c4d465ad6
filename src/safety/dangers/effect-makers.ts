/** Short ways to tell effects, for the rows of the tables. */

import type { Risk } from "../../protocol/facts.ts";
import type { Word } from "../command-line/word.ts";
import type { Effect, Language } from "./effect.ts";

/** What only the program knows of itself. `because` goes on from "it": "it stops every process". */
export const danger = (severity: Risk, because: string): Effect => ({ type: "danger", severity, because });

/** It does more than read and print, and nothing bad: it runs what the workspace says, or changes what is its own. */
export const doesMore: Effect = danger("none", "it does more than read");

export const reads = (paths: readonly Word[]): Effect[] => paths.map((path) => ({ type: "reads", path }));

export const replaces = (paths: readonly Word[]): Effect[] =>
  paths.map((path) => ({ type: "writes", path, how: "replaces" }));

type Runs = Extract<Effect, { type: "runs" }>;

export const runs = (words: readonly Word[], more: Omit<Partial<Runs>, "type" | "words"> = {}): Effect => ({
  type: "runs",
  words,
  ...more,
});

/** Every variable that programs get, keys and tokens included. */
export const printsVariables: Effect = { type: "prints", flows: ["secret", "variables"] };

/** `words`: what `$0`, `$1` … stand for in it. */
export const interprets = (language: Language, code: Word, words: readonly Word[] = []): Effect =>
  words.length > 0
    ? { type: "interprets", language, code, arguments: words }
    : { type: "interprets", language, code };

export const loads = (path: Word, language: Language = "other"): Effect => ({
  type: "loads",
  path,
  language,
});
