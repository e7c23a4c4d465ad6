/** What a model is told when its passage was not found, or at several places: why, and what stands there. */
import { cutLine } from "../../base/text.ts";
import { numbered } from "../line-numbers.ts";
import { hunksOf, keptLines } from "./hunks.ts";
import { rungOf, type Tolerance } from "./ladder.ts";
import { bareLine, isTelling, nearPlaces, type NearPlace } from "./nearest.ts";
import { comparedLines, isClearlyNearest, occurrences } from "./passage.ts";
import { placeholdersIn } from "./placeholders.ts";

/** `lines` from 0; `mayAll`: whether `all` would help. */
export function severalPlaces(
  lines: readonly number[],
  mayAll: boolean,
  tolerances: readonly Tolerance[] = [],
): string {
  const few = [...new Set(lines.slice(0, 10))].map((line) => line + 1);
  const where = `${few.length > 1 ? "lines" : "line"} ${few.join(", ")}${lines.length > 10 ? ", …" : ""}`;
  const but = tolerances
    .map((tolerance) => rungOf(tolerance)?.overlooked)
    .filter((words) => words !== undefined);
  const loosely = but.length > 0 ? `, ${but.join(" and ")} left out of account` : "";
  const all = mayAll ? ", or set `all` to change every one" : "";
  return `\`old\` occurs ${lines.length} times${loosely} (${where}); nothing was changed. Add surrounding lines until it is unique${all}.`;
}

const shownLines = 20;
const mostOldLines = 200;

const advice = "Copy `old` from the file as it is now, with its white space and without line numbers.";

/** Both texts of the edit as lines. The nearest lines of the file are shown, with what is wrong about them. */
export function notFound(file: readonly string[], old: readonly string[], fresh: readonly string[]): string {
  const { near } = nearPlaces(comparedLines("look-alikes", file), old.map(bareLine));
  const why = leftOut(old) ?? misindented(file, old) ?? whyNotNearest(file, near, { old, fresh });
  const said = `\`old\` was not found${why === undefined ? "" : `: ${why}`}; nothing was changed. ${advice}`;
  const start = near[0] === undefined ? similarLine(old.slice(0, mostOldLines), file) : startOf(near[0]);
  if (start === undefined) return said;
  const from = Math.max(0, start - 2);
  const shown = file.slice(from, start + Math.min(shownLines, old.length + 2));
  const lines = (shown.at(-1) === "" ? shown.slice(0, -1) : shown).map((line) => cutLine(line, 500));
  return lines.length === 0 ? said : `${said} The nearest lines are:\n${numbered(lines, from + 1)}`;
}

function leftOut(old: readonly string[]): string | undefined {
  const [line] = placeholdersIn(old.join("\n"));
  if (line !== undefined)
    return `it leaves lines out (\`${cutLine(line, 80)}\`), but every line must be there`;
  return old.some((words) => /\[\d+ characters cut\]/.test(words))
    ? "it holds a line that was only shown in part; take a shorter piece of that line"
    : undefined;
}

function misindented(file: readonly string[], old: readonly string[]): string | undefined {
  const wanted = old.map((line) => line.trim());
  const isEmpty = wanted.every((words) => words === "");
  const [line] = isEmpty ? [] : occurrences(comparedLines("indentation", file), wanted);
  return line === undefined
    ? undefined
    : `the lines from ${line + 1} on have the same words, but other indentation${wanted.some(isTelling) ? ", and not all are shifted alike" : ""}`;
}

function whyNotNearest(
  file: readonly string[],
  near: readonly NearPlace[],
  { old, fresh }: { old: readonly string[]; fresh: readonly string[] },
): string | undefined {
  const [best, second] = near;
  if (best === undefined) return undefined;
  if (!isClearlyNearest(near)) {
    const isDoubtful = second !== undefined && second.similarity > best.similarity - 0.15;
    return isDoubtful && best.similarity > 0.6
      ? `the lines from ${startOf(best) + 1} and from ${startOf(second) + 1} on are both near to it, but differ from it`
      : undefined;
  }
  const kept = keptLines(old, hunksOf(old, fresh));
  const at = old.findIndex(
    (words, index) => best.places[index] === undefined && words.trim() !== "" && kept[index] !== true,
  );
  return at === -1
    ? `lines were added or taken out where it is to change`
    : `the line \`${cutLine(bareLine(old[at] ?? ""), 120)}\`, which is to go, is not there${instead(file, best, at)}`;
}

function instead(file: readonly string[], { places }: NearPlace, at: number): string {
  const before = places[at - 1];
  const line = before === undefined ? undefined : file[before + 1];
  return line === undefined || line.trim() === ""
    ? ""
    : `; line ${(before ?? 0) + 2} is \`${cutLine(line.trim(), 120)}\``;
}

const startOf = ({ places }: NearPlace): number => places.find((line) => line !== undefined) ?? 0;

/** The line that shares most words with the passage. */
function similarLine(passage: readonly string[], file: readonly string[]): number | undefined {
  const words = new Set(wordsOf(passage.join(" ").slice(0, 20_000)).slice(0, 200));
  let [best, most]: [number | undefined, number] = [undefined, 0];
  for (const [at, line] of file.slice(0, 50_000).entries()) {
    const shared = wordsOf(line.slice(0, 1000)).filter((word) => words.has(word)).length;
    if (shared > most) [best, most] = [at, shared];
  }
  return best;
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
