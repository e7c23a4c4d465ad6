/** A language's grammar for this analysis: its operators and keywords, and the meanings of its calls. */

import type { Language } from "../effect.ts";
import { namesIn } from "../listed.ts";
import type { Meanings } from "./meaning.ts";
import type { Lexis } from "./token.ts";

export type Grammar = {
  readonly language: Language;
  readonly lexis: Lexis;
  readonly meanings: Meanings;
  /** Operators that concatenate text. */
  readonly joins: readonly string[];
  /** Operators in front of a member. */
  readonly members: readonly string[];
  /** Calls need no parentheses: `system "ls"`. */
  readonly bareCalls: boolean;
  /** Names for the entire environment. */
  readonly environment: readonly string[];
  /** Namespace objects through which code can call a function by its name as text: `globals()`, `process`. */
  readonly namespaces: readonly string[];
  /** Modules whose purpose is to start programs or to call native code. */
  readonly startingModules: readonly string[];
  /** Prefixes that do not change a name's meaning: `globalThis.`. */
  readonly transparent: readonly string[];
};

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

export const loopWords: ReadonlySet<string> = new Set(namesIn("while until loop redo repeat forever"));
