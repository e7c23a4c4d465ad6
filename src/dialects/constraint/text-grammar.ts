/** Writes the texts of well-known formats as grammar rules. None has a character that JSON would escape. */

import type { JsonObject } from "../../base/json.ts";
import type { GrammarWriter } from "./grammar.ts";

/** Undefined if the words name no format that is known here. */
export function formattedText({ format }: JsonObject, grammar: GrammarWriter): string | undefined {
  return typeof format === "string" ? formats.get(format)?.(grammar) : undefined;
}

export const isKnownFormat = (format: string): boolean => formats.has(format);

/** RFC 3339; a leap second is left out. */
function day(grammar: GrammarWriter): string {
  const [year, upTo28] = [`[0-9]{4} "-"`, `("0" [1-9] | "1" [0-9] | "2" [0-8])`];
  const leapYear = `([0-9]{2} ("0" [48] | [2468] [048] | [13579] [26]) | ([02468] [048] | [13579] [26]) "00")`;
  return grammar.rule(
    `${year} ("0" [1-9] | "1" [0-2]) "-" ${upTo28}`,
    `${year} ("0" [13-9] | "1" [0-2]) "-" ("29" | "30")`,
    `${year} ("0" [13578] | "1" [02]) "-31"`,
    `${leapYear} "-02-29"`,
  );
}

function timeOfDay(grammar: GrammarWriter): string {
  const minutes = `([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9]`;
  return grammar.rule(`${minutes} ":" [0-5] [0-9] ("." [0-9]{1,9})? ("Z" | [+-] ${minutes})`);
}

function uuid(grammar: GrammarWriter): string {
  const hex = "[0-9a-fA-F]";
  return grammar.rule(`${hex}{8} ("-" ${hex}{4}){3} "-" ${hex}{12}`);
}

function ipv4(grammar: GrammarWriter): string {
  const byte = grammar.rule(`"25" [0-5]`, `"2" [0-4] [0-9]`, `"1" [0-9] [0-9]`, `[1-9]? [0-9]`);
  return grammar.rule(`${byte} ("." ${byte}){3}`);
}

const label = `[a-zA-Z0-9] ([a-zA-Z0-9-]{0,28} [a-zA-Z0-9])?`;
const hostname = (grammar: GrammarWriter): string => grammar.rule(`${label} ("." ${label}){0,7}`);

function email(grammar: GrammarWriter): string {
  const atom = `[a-zA-Z0-9!#$%&'*+/=?^_{|}~-]`;
  return grammar.rule(`${atom}{1,30} ("." ${atom}{1,15}){0,2} "@" ${label} ("." ${label}){1,6}`);
}

const formats: ReadonlyMap<string, (grammar: GrammarWriter) => string> = new Map([
  ["date", day],
  ["time", timeOfDay],
  ["date-time", (grammar: GrammarWriter) => grammar.rule(`${day(grammar)} "T" ${timeOfDay(grammar)}`)],
  ["uuid", uuid],
  ["ipv4", ipv4],
  ["hostname", hostname],
  ["email", email],
]);
