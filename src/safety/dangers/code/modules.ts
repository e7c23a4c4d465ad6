/** The effects of importing a module. */

import { literal } from "../../command-line/word.ts";
import { danger, doesMore, loads } from "../effect-makers.ts";
import { tell } from "./notes.ts";
import type { Reader } from "./reading.ts";
import { isTold } from "./told-modules.ts";

/** Records the import and returns the module's name as used in the tables. */
export function noteModule({ grammar, notes }: Pick<Reader, "grammar" | "notes">, module: string): string {
  if (grammar.language !== "python" && /^(?:\.{0,2}\/|~\/|file:)/u.test(module)) {
    tell(notes, loads(literal(module.replace(/^file:(?:\/\/)?/u, "")), grammar.language));
    return "";
  }
  if (/^https?:/u.test(module)) {
    tell(notes, danger("critical", "its code runs text from the network"));
    return "";
  }
  const path = module.replace(/^node:/u, "").replaceAll(/::|\//gu, ".");
  if (grammar.startingModules.includes(path)) notes.facts.add("starts");
  if (!isTold(grammar.language, path)) tell(notes, doesMore);
  return path;
}
