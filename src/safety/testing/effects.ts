/** Test helpers for the program tables: the effects of one use of a program, from a line split at blanks. */

import { noInput } from "../command-line/walking.ts";
import { literal, unknown, type Word } from "../command-line/word.ts";
import type { Effect, Input } from "../dangers/effect.ts";
import { findProgram } from "../dangers/index.ts";
import type { Program } from "../dangers/program.ts";
import { useOf } from "../dangers/use.ts";
import { around } from "./around.ts";

/** In the line, `?` in front of a word makes it unknown, a word with `*` is a pattern, `_` is a blank. */
export function effectsOf(rows: readonly Program[], line: string, input: Input = noInput): Effect[] {
  const [name = "", ...rest] = line.split(" ");
  const row = rows.find(({ names }) => names.includes(name)) ?? findProgram(name);
  if (!row) throw new Error(`no row is called ${name}`);
  const words = rest.map(wordOf);
  return [...row.does(useOf(row, { name, words, variables: [], input, around }))];
}

function wordOf(text: string): Word {
  if (text.startsWith("?")) return { ...literal(unknown), mayBeSeveral: true };
  return { ...literal(text.replaceAll("_", " ")), isPattern: text.includes("*") };
}

/** One line per effect: "deletes build deep", "danger high it stops processes". */
export function effectLines(effects: readonly Effect[]): string[] {
  return effects.map((effect) =>
    Object.entries(effect)
      .flatMap(([name, value]) => (name === "isNew" ? ["new"] : partOf(value)))
      .join(" "),
  );
}

function partOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return [value.flatMap(partOf).join(" ")];
  if (typeof value === "object" && value !== null && "text" in value)
    return [typeof value.text === "string" ? value.text.replaceAll(unknown, "…") : ""];
  return value === true ? ["deep"] : [];
}
