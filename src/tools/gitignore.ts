/** Which files of a tree git would leave out, by the `.gitignore` files in it. */
import ignore, { type Ignore } from "ignore";
import type { Tree } from "../base/safe-fs/tree.ts";

/** The rules that hold in one directory: its own first, then those of the directories above. */
export type IgnoreRules = readonly { directory: string; rules: Ignore }[];

const largestRules = 1024 * 1024;

/** The rules for a directory (workspace-relative, "." for the root), given those of the one above it. */
export async function rulesIn(files: Tree, directory: string, above: IgnoreRules): Promise<IgnoreRules> {
  const path = directory === "." ? ".gitignore" : `${directory}/.gitignore`;
  const file = await files.read(path, { maxBytes: largestRules });
  if (!file.ok) return above;
  const words = new TextDecoder().decode(file.value);
  return [{ directory, rules: ignore({ ignorecase: false }).add(words) }, ...above];
}

/** The rules of all directories above one anywhere in the tree; one that is ignored itself is free of them. */
export async function rulesAbove(files: Tree, directory: string): Promise<IgnoreRules> {
  const names = directory === "." ? [] : directory.split("/");
  let rules: IgnoreRules = [];
  let above = ".";
  for (const [at] of names.entries()) {
    const here = names.slice(0, at + 1).join("/");
    rules = await rulesIn(files, above, rules);
    if (isIgnored(rules, here, true)) rules = [];
    above = here;
  }
  return rules;
}

/** Rules nearer to the entry win; the directories above the entry are known not to be ignored. */
export function isIgnored(rules: IgnoreRules, path: string, isDirectory: boolean): boolean {
  for (const { directory, rules: own } of rules) {
    const inside = directory === "." ? path : path.slice(directory.length + 1);
    const result = own.test(isDirectory ? `${inside}/` : inside);
    if (result.ignored || result.unignored) return result.ignored;
  }
  return false;
}
