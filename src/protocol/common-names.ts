/** Names that tools have for the same argument: a model writes the one that it was trained with. */

import { looseName } from "./tool-name.ts";

/** Without case and separators. */
const groups: readonly (readonly string[])[] = [
  ["path", "filepath", "file", "filename", "targetfile", "absolutepath"],
  ["command", "cmd", "script", "commandline", "shellcommand"],
  ["old", "oldstring", "oldstr", "oldtext", "search", "find"],
  ["new", "newstring", "newstr", "newtext", "replace", "replacement"],
  ["content", "contents", "text", "filetext", "body"],
];

/**
 * Which declared argument each undeclared name means. Of each group exactly one undeclared name must be given, and be able
 * to stand for one argument only: the required one that is missing, or else the only one that the tool declares.
 */
export function meantByCommonName(
  given: readonly string[],
  { declared, required }: { declared: readonly string[]; required: readonly string[] },
): ReadonlyMap<string, string> {
  const meant = new Map<string, string>();
  for (const group of groups) {
    const ofGroup = (names: readonly string[]): string[] =>
      names.filter((name) => group.includes(looseName(name)));
    const isMissing = (name: string): boolean => !given.includes(name);
    const [from, ...others] = ofGroup(given).filter((name) => !declared.includes(name));
    const needed = ofGroup(required).filter(isMissing);
    const [to, ...rivals] = needed.length > 0 ? needed : ofGroup(declared);
    const isClear = others.length + rivals.length === 0;
    if (from !== undefined && to !== undefined && isClear && isMissing(to)) meant.set(from, to);
  }
  return meant;
}
