/** Matchers of other agents' hooks: a list of names, or a regular expression. */

import { withinTime } from "../../base/time-limit.ts";

export type Matcher = {
  fits(name: string): boolean;
  /** The matcher lists no names, so it cannot be checked against the names that exist. */
  isExpression: boolean;
};

/**
 * Empty and `*` match everything; names separated by commas or bars match exactly; anything else is a regular
 * expression that may match any part of a name. Undefined: not a usable expression.
 */
export function readMatcher(written: string): Matcher | undefined {
  if (written === "" || written === "*") return { fits: () => true, isExpression: false };
  if (/^[\w\- ,|]+$/u.test(written)) {
    const names = new Set(written.split(/[,|]/u).map((name) => name.trim()));
    return { fits: (name) => names.has(name), isExpression: false };
  }
  try {
    const expression = new RegExp(written, ""); // without "u", as those agents compile it: `\-` is an error with it
    const tried = (name: string) => withinTime(mostMs, () => expression.test(name));
    if (!tried(longName).ok) return undefined;
    return { fits: (name) => fitsOrLate(tried(name)), isExpression: true };
  } catch {
    return undefined;
  }
}

const mostMs = 250;
/** An expression with catastrophic backtracking shows it on this input. */
const longName = "a_".repeat(32);

/** On a timeout the matcher counts as a match: a guard should run too often rather than be skipped. */
const fitsOrLate = (tried: ReturnType<typeof withinTime<boolean>>): boolean => !tried.ok || tried.value;
