/** Error messages for a passage not found, or found several times: why, and what the file has instead. */

import { cutLine } from "../../base/cut-text.ts";
import { hunksOf, keptLines } from "./hunks.ts";
import { rungOf, type Tolerance } from "./ladder.ts";
import { nearestWords, startOf } from "./nearest-words.ts";
import { bareLine, isTelling, type NearPlace } from "./nearest.ts";
import { comparedLines, isClearlyNearest, occurrences } from "./passage.ts";
import { placeholdersIn } from "./placeholders.ts";

/** `lines` from 0; `takesAll`: whether `all` would help; `isAll`: whether it was requested. */
export function severalPlaces(
  lines: readonly number[],
  { takesAll, isAll }: { takesAll: boolean; isAll: boolean },
  tolerances: readonly Tolerance[] = [],
): string {
  const few = [...new Set(lines.slice(0, 10))].map((line) => line + 1);
  const where = `${few.length > 1 ? "lines" : "line"} ${few.join(", ")}${lines.length > 10 ? ", …" : ""}`;
  const but = tolerances
    .map((tolerance) => rungOf(tolerance)?.overlooked)
    .filter((words) => words !== undefined);
  const loosely = but.length > 0 ? `, ${but.join(" and ")} left out of account` : "";
  const all = takesAll ? ", or set `all` to change every one" : "";
  const advice =
    isAll && !takesAll
      ? "Copy `old` exactly as it stands there: `all` changes no others"
      : `Add surrounding lines until it is unique${all}`;
  return `\`old\` occurs ${lines.length} times${loosely} (${where}); nothing was changed. ${advice}.`;
}

const advice = "Copy `old` from the file as it is now, with its white space and without line numbers.";
const emptyFile =
  "`old` was not found: the file is empty; nothing was changed. Give an empty `old` to fill it.";
const nothingAlike = "Nothing in the file is like it: read the file, and copy `old` from it.";

/** Takes both texts of the edit as lines. Shows the file's nearest lines, and how they differ. */
export function notFound(file: readonly string[], old: readonly string[], fresh: readonly string[]): string {
  if (file.every((line) => line.trim() === "")) return emptyFile;
  const { near, difference, shown } = nearestWords(file, old, "`old`");
  const why =
    leftOut(old) ?? whyMisindented(file, old) ?? whyNotNearest(file, near, { old, fresh, difference });
  const said = `\`old\` was not found${why === undefined ? "" : `: ${why}`}; nothing was changed.`;
  return shown === undefined
    ? `${said} ${nothingAlike}`
    : `${said} ${advice} The nearest lines are:\n${shown}`;
}

function leftOut(old: readonly string[]): string | undefined {
  const [line] = placeholdersIn(old.join("\n"));
  if (line !== undefined)
    return `it leaves lines out (\`${cutLine(line, 80)}\`), but every line must be there`;
  return old.some((words) => /\[\d+ characters cut\]/.test(words))
    ? "it holds a line that was only shown in part; take a shorter piece of that line"
    : undefined;
}

function whyMisindented(file: readonly string[], old: readonly string[]): string | undefined {
  const wanted = old.map((line) => line.trim());
  const isEmpty = wanted.every((words) => words === "");
  const [line] = isEmpty ? [] : occurrences(comparedLines("indentation", file), wanted);
  return line === undefined
    ? undefined
    : `the lines from ${line + 1} on have the same words, but other indentation${wanted.some(isTelling) ? ", and not all are shifted alike" : ""}`;
}

type FailedEdit = { old: readonly string[]; fresh: readonly string[]; difference: string | undefined };

function whyNotNearest(
  file: readonly string[],
  near: readonly NearPlace[],
  { old, fresh, difference }: FailedEdit,
): string | undefined {
  const [best, second] = near;
  if (best === undefined) return undefined;
  if (!isClearlyNearest(near)) {
    const isDoubtful = second !== undefined && second.similarity > best.similarity - 0.15;
    return isDoubtful && best.similarity > 0.6
      ? `the lines from ${startOf(best) + 1} and from ${startOf(second) + 1} on are both near to it, but differ from it`
      : difference;
  }
  const kept = keptLines(old, hunksOf(old, fresh));
  const at = old.findIndex(
    (words, index) => best.places[index] === undefined && words.trim() !== "" && kept[index] !== true,
  );
  return at === -1
    ? `lines were added or taken out where it is to change${difference === undefined ? "" : ` (${difference})`}`
    : `the line \`${cutLine(bareLine(old[at] ?? ""), 120)}\`, which is to go, is not there${instead(file, best, at)}`;
}

function instead(file: readonly string[], { places }: NearPlace, at: number): string {
  const before = places[at - 1];
  const line = before === undefined ? undefined : file[before + 1];
  return line === undefined || line.trim() === ""
    ? ""
    : `; line ${(before ?? 0) + 2} is \`${cutLine(line.trim(), 120)}\``;
}
