/** What it means to name a module. */
import { literal } from "../../command-line/word.ts";
import { danger, loads } from "../telling.ts";
import { tell } from "./notes.ts";
import type { Reader } from "./reading.ts";

/** The module's name as the tables have it. */
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
  return path;
}
