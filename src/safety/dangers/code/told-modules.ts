/** Whether the data tells what the calls of a module do. */

import { compiledCalls } from "../../commands/code/compiled.ts";
import type { Language } from "../effect.ts";
import { namesIn } from "../listed.ts";

/** A module's first name, except in Perl and PHP, whose names are whole. */
export function isTold(language: Language, module: string): boolean {
  if (language === "shell" || language === "awk" || language === "sed") return true;
  const { modules } = compiledCalls[language];
  const name = language === "perl" || language === "php" ? module : module.replace(/[./].*$/su, "");
  return modules === undefined || namesIn(modules).includes(name);
}

/** In Perl and PHP no call loads a library: a word in front of its name does. */
const loading: Readonly<Partial<Record<Language, RegExp>>> = {
  perl: /\b(?:use|require)\s+([A-Za-z][\w:]*)/gu,
  php: /\bnew\s+\\?(\w+)|\b(?:sqlite|dba|mysqli|pg|oci|odbc)_\w+/giu,
};

/** Whether code loads what is not told by a word of the language; also true of such a word in a text. */
export const loadsUntold = (language: Language, code: string): boolean =>
  [...code.matchAll(loading[language] ?? /(?!)/gu)].some(([, name = "untold"]) =>
    /^v?\d/u.test(name) ? false : !isTold(language, name),
  );
