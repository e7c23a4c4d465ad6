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
 * Which missing argument each undeclared name means: only where one of a group is missing and exactly one other name of
 * it was given.
 */
export function meantByCommonName(
  undeclared: readonly string[],
  missing: readonly string[],
): ReadonlyMap<string, string> {
  const meant = new Map<string, string>();
  for (const group of groups) {
    const isOfGroup = (name: string): boolean => group.includes(looseName(name));
    const [from, ...others] = undeclared.filter(isOfGroup);
    const [to, ...rivals] = missing.filter(isOfGroup);
    if (from !== undefined && to !== undefined && others.length + rivals.length === 0) meant.set(from, to);
  }
  return meant;
}
