/** Decides which files git would ignore, by the `.gitignore` files in the tree. */

import ignore, { type Ignore } from "ignore";
import { mib } from "../../base/bound.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { withinTime } from "../../base/time-limit.ts";

/** The rules that hold in one directory: its own first, then those of the directories above. */
export type IgnoreRules = readonly OwnRules[];

/** `patience`: milliseconds left for potentially slow rules; undefined for rules that are never slow. */
type OwnRules = { directory: string; rules: Ignore; patience: number | undefined };

/** A `.gitignore` file, in bytes. */
const largestRules = mib;

/** The rules for a directory (workspace-relative, "." for the root), given those of the one above it. */
export async function rulesIn(files: Tree, directory: string, above: IgnoreRules): Promise<IgnoreRules> {
  const path = directory === "." ? ".gitignore" : `${directory}/.gitignore`;
  const file = await files.read(path, { maxBytes: largestRules });
  if (!file.ok) return above;
  const words = new TextDecoder().decode(file.value);
  const patience = canTakeLong(words) ? 1000 : undefined;
  return [{ directory, rules: ignore({ ignorecase: false }).add(words), patience }, ...above];
}

/** Each inner `**` multiplies the ways in which a deep path may match, and every rule is tested against every path. */
const canTakeLong = (words: string): boolean => words.length > 32 * 1024 || /\*\*.*\*\*.*\*\*/.test(words);

/**
 * Collects the rules of all directories above the given one, starting afresh below each directory on the way that is
 * itself ignored.
 */
export async function rulesAbove(files: Tree, directory: string): Promise<IgnoreRules> {
  const names = directory === "." ? [] : directory.split("/");
  let rules: IgnoreRules = [];
  let above = ".";
  for (const [at] of names.entries()) {
    const here = names.slice(0, at + 1).join("/");
    rules = await rulesIn(files, above, rules);
    if (isIgnored(rules, { path: here, isDirectory: true })) rules = [];
    above = here;
  }
  return rules;
}

type IgnoreCandidate = { path: string; isDirectory: boolean };

/** Rules nearer to the entry win; the directories above the entry are known not to be ignored. */
export function isIgnored(rules: IgnoreRules, { path, isDirectory }: IgnoreCandidate): boolean {
  for (const own of rules) {
    const inside = own.directory === "." ? path : path.slice(own.directory.length + 1);
    const result = testRules(own, isDirectory ? `${inside}/` : inside);
    if (result && (result.ignored || result.unignored)) return result.ignored;
  }
  return false;
}

type IgnoreVerdict = ReturnType<Ignore["test"]>;

/** Rules crafted to waste time are abandoned; the files they name then become visible. */
function testRules(own: OwnRules, path: string): IgnoreVerdict | undefined {
  if (own.patience === undefined) return own.rules.test(path);
  if (own.patience <= 0) return undefined;
  const start = performance.now();
  const result = withinTime(Math.ceil(own.patience), () => own.rules.test(path));
  own.patience -= performance.now() - start;
  return result.ok ? result.value : undefined;
}
