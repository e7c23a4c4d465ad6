/** Compares file names: equivalent spellings, and whether a name with patterns or unknown parts may match another. */

import { fitsPattern } from "../../base/star-pattern.ts";
import { unknown } from "../command-line/word.ts";

/**
 * Both sides may contain `*`; only the first may contain `?`, `[…]` and unknown parts. Linear in each side's length.
 */
export function mayMatch(name: string, wanted: string): boolean {
  if (name === wanted || (wanted.includes("*") && fitsPattern(wanted, name))) return true;
  return isOpen(name) && !wanted.includes("*") && fitsPattern(starsOnly(name), wanted);
}

/** An unspecific pattern (`*`, `*.json`) is meant for many files, not for the one that it might hit. */
export const saysLittle = (name: string): boolean =>
  isOpen(name) && /^\*?(?:\.\w{1,5})?$/u.test(starsOnly(name).replaceAll(/\*+/gu, "*"));

/** Whether the name has patterns or unknown parts. */
export const isOpen = (name: string): boolean => /[*?[]/u.test(name) || name.includes(unknown);

/** Replaces every uncertain part by a star. */
const starsOnly = (name: string): string => name.replaceAll(unknown, "*").replaceAll(/\?|\[[^\]]*\]/gu, "*");

/**
 * One spelling for every name that some file system takes for the same file: `.GIT`, `.git.`, `.git `,
 * `.git::$INDEX_ALLOCATION`, `GIT~1` and names with ignorable characters are all `.git`.
 */
export function canonicalName(name: string): string {
  if (isOrdinary.test(name)) return name.toLowerCase();
  const plain = name
    .normalize("NFC")
    .replace(/[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu, "")
    .replace(/:.*$/u, "")
    .replace(/[. ]+$/u, "")
    .toUpperCase() // upper case first: only that maps "ſ" to "S"
    .toLowerCase();
  return shortNames[plain.replace(/~[1-9]$/u, "~1")] ?? plain;
}

/** Most names are: letters of which no system takes other ones for the same. */
const isOrdinary = /^[\w.+@-]*[\w+@-]$/;

/** Short names as Windows makes them; the number differs if a similar name already existed. */
const shortNames: Readonly<Record<string, string>> = {
  "git~1": ".git",
  "husky~1": ".husky",
  "node_m~1": "node_modules",
};
