/** How hooks of other agents choose among names: a list of them, or an expression. */

import { withinTime } from "../../base/time-limit.ts";

export type Matcher = {
  fits(name: string): boolean;
  /** It names nothing by itself, so that nobody can tell whether there is anything that it means. */
  isExpression: boolean;
};

/**
 * Nothing and `*` are for all; names with commas or bars between them mean just these; all else is an expression that
 * may fit any part of a name. Undefined: it is none that can be tried.
 */
export function readMatcher(written: string): Matcher | undefined {
  if (written === "" || written === "*") return { fits: () => true, isExpression: false };
  if (/^[\w\- ,|]+$/u.test(written)) {
    const names = new Set(written.split(/[,|]/u).map((name) => name.trim()));
    return { fits: (name) => names.has(name), isExpression: false };
  }
  try {
    const expression = new RegExp(written, ""); // without "u", as those agents read it: `\-` is an error with it
    const tried = (name: string) => withinTime(mostMs, () => expression.test(name));
    if (!tried(longName).ok) return undefined;
    return { fits: (name) => fitsOrLate(tried(name)), isExpression: true };
  } catch {
    return undefined;
  }
}

const mostMs = 250;
/** On this, one that can keep us busy for ever does so. */
const longName = "a_".repeat(32);

/** Who watches over calls is rather asked once too often. */
const fitsOrLate = (tried: ReturnType<typeof withinTime<boolean>>): boolean => !tried.ok || tried.value;
