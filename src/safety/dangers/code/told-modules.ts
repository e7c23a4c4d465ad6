/** Whether the data tells what the calls of a module do. */

import { literal } from "../../command-line/word.ts";
import { compiledCalls } from "../../commands/code/compiled.ts";
import { danger, doesMore, loads } from "../effect-makers.ts";
import type { Language } from "../effect.ts";
import { namesIn } from "../listed.ts";
import type { Notes } from "./notes.ts";
import type { CodeLanguage } from "./strings.ts";

/** A module's first name, except in Perl and PHP, whose names are whole. */
export function isTold(language: Language, module: string): boolean {
  if (language === "shell" || language === "awk" || language === "sed" || language === "other") return true;
  const name = language === "perl" || language === "php" ? module : module.replace(/[./].*$/su, "");
  return namesIn(compiledCalls[language].modules).includes(name);
}

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
