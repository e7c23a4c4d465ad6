/** How one language is read: its signs and words, and what its calls mean. */

import type { Language } from "../effect.ts";
import { namesIn } from "../listed.ts";
import type { Meanings } from "./meaning.ts";
import type { Lexis } from "./token.ts";

export type Grammar = {
  readonly language: Language;
  readonly lexis: Lexis;
  readonly meanings: Meanings;
  /** Signs that put texts together. */
  readonly joins: readonly string[];
  /** Signs in front of a member. */
  readonly members: readonly string[];
  /** Calls need no brackets: `system "ls"`. */
  readonly bareCalls: boolean;
  /** Where the whole environment stands. */
  readonly environment: readonly string[];
  /** What stands for everything that has a name, so that code may call by a text: `globals()`, `process`. */
  readonly namespaces: readonly string[];
  /** Modules that are there to start programs, or to leave the language. */
  readonly startingModules: readonly string[];
  /** In front of a name without changing what it means: `globalThis.`. */
  readonly transparent: readonly string[];
};

const noisy =
  "new await return typeof not my our local const let var yield async export default static public private " +
  "final del void lambda do else then begin try throw raise die and or if unless elif elsif elseif with " +
  "end in of is case when switch global state function def sub fn func class ensure finally";

/** Words that say nothing of a value: what stands behind them does. */
export const passedOver: ReadonlySet<string> = new Set(namesIn(noisy));

/** Words that end the arguments of a call without brackets. */
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
