/** A language's grammar for this analysis: its operators, its keywords, and what its calls do. */

import { compiledCalls } from "../../commands/code/compiled.ts";
import type { Language } from "../effect.ts";
import { namesIn } from "../listed.ts";
import type { Meaning } from "./meaning.ts";
import { lexes, type Lexis } from "./token.ts";
import { meant } from "./vocabulary.ts";

export type Grammar = {
  readonly language: ReadLanguage;
  readonly lexis: Lexis;
  readonly meanings: ReadonlyMap<string, Meaning>;
  readonly joins: readonly string[];
  readonly members: readonly string[];
  /** Calls need no parentheses: `system "ls"`. */
  readonly bareCalls: boolean;
  readonly environment: readonly string[];
  readonly namespaces: readonly string[];
  readonly startingModules: readonly string[];
  readonly transparent: readonly string[];
};

type ReadLanguage = Exclude<Language, "shell" | "awk" | "sed">;

const grammars = new Map<ReadLanguage, Grammar>();

export function grammarOf(language: ReadLanguage): Grammar {
  const known = grammars.get(language);
  if (known) return known;
  const { calls, ...row } = compiledCalls[language];
  const grammar: Grammar = {
    language,
    lexis: lexes[language],
    meanings: new Map(
      Object.entries(calls).flatMap(([phrase, names]) => {
        const meaning = meant(phrase);
        return meaning ? namesIn(names).map((name) => [name, meaning] as const) : [];
      }),
    ),
    joins: namesIn(row.joins ?? ""),
    members: namesIn(row.members ?? ""),
    bareCalls: language !== "python" && language !== "javascript",
    environment: namesIn(row.environment ?? ""),
    namespaces: namesIn(row.namespaces ?? ""),
    startingModules: namesIn(row.starting ?? ""),
    transparent: namesIn(row.transparent ?? ""),
  };
  grammars.set(language, grammar);
  return grammar;
}

const noisy =
  "new await return typeof not my our local const let var yield async export default static public private " +
  "final del void lambda do else then begin try throw raise die and or if unless elif elsif elseif with " +
  "end in of is case when switch global state function def sub fn func class ensure finally";

/** Keywords to skip: the value is what follows them. */
export const passedOver: ReadonlySet<string> = new Set(namesIn(noisy));

/** Keywords that end the arguments of a call without parentheses. */
export const endsArguments: ReadonlySet<string> = new Set(
  namesIn("if unless while until and or do for foreach then rescue end"),
);

export const loopWords: ReadonlySet<string> = new Set([
  "while",
  "until",
  "loop",
  "redo",
  "repeat",
  "forever",
]);
