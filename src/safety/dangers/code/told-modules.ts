/** Whether the data tells what the calls of a module do. */

import { literal } from "../../command-line/word.ts";
import { compiledCalls } from "../../commands/code/compiled.ts";
import { danger, doesMore, loads } from "../effect-makers.ts";
import type { Language } from "../effect.ts";
import { namesIn } from "../listed.ts";
import type { Notes } from "./notes.ts";
import type { CodeLanguage } from "./token.ts";

/** A module's first name, except in Perl and PHP, whose names are whole. */
export function isTold(language: Language, module: string): boolean {
  if (language === "shell" || language === "awk" || language === "sed" || language === "other") return true;
  const name = language === "perl" || language === "php" ? module : module.replace(/[./].*$/su, "");
  return namesIn(compiledCalls[language].modules).includes(name);
}

/** In Perl and PHP no call loads a library: a word in front of its name does. */
const loading: Readonly<Partial<Record<CodeLanguage, RegExp>>> = {
  perl: /\b(?:use|require)\s+([A-Za-z][\w:]*)/gu,
  // A pattern with `e` behind it runs what it puts in.
  php: /\bnew\s+\\?(\w+)|\b(?:sqlite|dba|mysqli|pg|oci|odbc)_\w+|\b\w*reg\w*_replace\s*\(\s*["'][^"']*\W\w*e\w*["']/giu,
};

/** Whether code loads what is not told by a word of the language; also true of such a word in a text. */
export const loadsUntold = (language: CodeLanguage, code: string): boolean =>
  [...code.matchAll(loading[language] ?? /(?!)/gu)].some(([, name = "untold"]) =>
    /^v?\d/u.test(name) ? false : !isTold(language, name),
  );

/** Records the import of a module and returns the name by which the data knows it. */
export function noteModule(language: CodeLanguage, { effects, facts }: Notes, module: string): string {
  if (/^https?:/u.test(module)) {
    effects.push(danger("critical", "its code runs text from the network"));
    return "";
  }
  if (language !== "python" && /^(?:\.{0,2}\/|~\/|file:)/u.test(module)) {
    effects.push(loads(literal(module.replace(/^file:(?:\/\/)?/u, "")), language));
    return "";
  }
  const path = module.replace(/^node:/u, "").replaceAll(/::|\//gu, ".");
  if (namesIn(compiledCalls[language].starting ?? "").includes(path)) facts.add("starts");
  if (!isTold(language, path)) effects.push(doesMore);
  return path;
}
