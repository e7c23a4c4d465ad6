/** Sets of command lines: files of JSON lines, each with a command `cmd` and an `id`. */

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { HarmLine } from "./outcome.ts";

/** What is run by default: the fixtures that people wrote, a day's work, and a set written blind for this. */
export const usualSets = ["commands", "day", "harm"].map((name) => `test/fixtures/${name}.jsonl`);

/** Lines of all files; an id occurs once. Throws one line that names the file and what is wrong. */
export function readSets(files: readonly string[], only: readonly string[] = []): HarmLine[] {
  const lines = files.flatMap(readSet);
  if (only.length === 0) return lines;
  const chosen = lines.filter(({ id }) => only.includes(id));
  const missing = only.filter((id) => !chosen.some((line) => line.id === id));
  if (missing.length > 0)
    throw new Error(`No line has the id ${missing.join(", ")}; --set names the file to look in`);
  return chosen;
}

function readSet(file: string): HarmLine[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((text, at) => (text.trim() === "" ? [] : [parsed(text, `${basename(file)}:${at + 1}`)]));
}

function parsed(text: string, place: string): HarmLine {
  let line: Partial<HarmLine> | null;
  try {
    line = JSON.parse(text);
  } catch {
    throw new Error(`${place} is no JSON; each line is { "id", "cmd" }`);
  }
  if (typeof line?.cmd !== "string") throw new Error(`${place} has no "cmd"; each line is { "id", "cmd" }`);
  return { ...line, id: line.id ?? place, cmd: line.cmd };
}
