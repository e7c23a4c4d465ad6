/** Describes to the model what comes nearest to a passage that was not found: the first difference, and its context. */

import { cutLine } from "../../base/cut-text.ts";
import { withLineNumbers } from "../files/line-numbers.ts";
import { bareLine, likeness, type NearPlace, nearPlaces } from "./nearest.ts";
import { comparedLines } from "./passage.ts";

/**
 * `near`: the places sharing lines with the passage, best first. `words`: two texts, both without a final full stop.
 */
type Nearest = {
  near: readonly NearPlace[];
  difference: string | undefined;
  shown: string | undefined;
};

/** `name` is how messages call the passage: "`old`". */
export function nearestWords(file: readonly string[], passage: readonly string[], name: string): Nearest {
  const { near } = nearPlaces(comparedLines("look-alikes", file), passage.map(bareLine));
  const [best] = near;
  const difference = best && firstDifference({ file, passage, places: best.places });
  const similar = best === undefined ? similarLine(passage, file) : startOf(best);
  const start = similar ?? (file.length <= shownLines ? 0 : undefined);
  return {
    near,
    difference: difference && difference.words(name),
    shown: start === undefined ? undefined : shownFrom(file, { start, focus: difference?.line, passage }),
  };
}

/** The first file line (from 0) that matches a line of the passage. */
export const startOf = ({ places }: NearPlace): number => places.find((line) => line !== undefined) ?? 0;

const shownLines = 20;
const shownWidth = 300;

type FocusRegion = { start: number; focus: number | undefined; passage: readonly string[] };

/** Excerpt from just above the place, or around its first difference if that is far below. */
function shownFrom(
  file: readonly string[],
  { start, focus = start, passage }: FocusRegion,
): string | undefined {
  const from = Math.max(0, focus - start < shownLines - 4 ? start - 2 : focus - shownLines / 2);
  const count = file.length <= shownLines ? file.length : Math.min(shownLines, passage.length + 2) + 2;
  const shown = file.slice(from, from + count);
  const lines = (shown.at(-1) === "" ? shown.slice(0, -1) : shown).map((line) => cutLine(line, shownWidth));
  return lines.length === 0 ? undefined : withLineNumbers(lines, from + 1);
}

type PassageAlignment = { file: readonly string[]; passage: readonly string[]; places: NearPlace["places"] };
type PassageDifference = { line: number; words: (name: string) => string };

const width = 100;
const quotedLine = (line: string): string => `\`${cutLine(line.trim(), width)}\``;

function firstDifference(all: PassageAlignment): PassageDifference | undefined {
  for (const at of all.passage.keys()) {
    const found = all.places[at] === undefined ? differing(all, at) : leftOutAbove(all, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A line of the passage is replaced by another in the file, or is missing. */
function differing({ file, passage, places }: PassageAlignment, at: number): PassageDifference | undefined {
  const wanted = passage[at] ?? "";
  if (wanted.trim() === "") return undefined;
  const next = places.findIndex((line, index) => index > at && line !== undefined);
  const [above, below] = [places[at - 1], places[next]];
  if (above === undefined && below === undefined) return undefined;
  const line = above === undefined ? (below ?? 0) - (next - at) : above + 1;
  const stands = file[line]?.trim() ?? "";
  if (stands === "" || (below !== undefined && line >= below)) {
    const where = above === undefined ? `above line ${(below ?? 0) + 1}` : `below line ${above + 1}`;
    return {
      line,
      words: (name) => `${where} there is no line ${quotedLine(wanted)}, which ${name} has there`,
    };
  }
  return {
    line,
    words: (name) =>
      cutLine(stands, width) === cutLine(wanted.trim(), width)
        ? `line ${line + 1} is another than in ${name}, though it begins like it`
        : `line ${line + 1} is ${quotedLine(stands)}, where ${name} has ${quotedLine(wanted)}`,
  };
}

/** The file has an extra line between two adjacent lines of the passage. */
function leftOutAbove({ file, places }: PassageAlignment, at: number): PassageDifference | undefined {
  const [above, here] = [places[at - 1], places[at]];
  if (above === undefined || here === undefined) return undefined;
  const line = file.findIndex((text, index) => index > above && index < here && text.trim() !== "");
  return line === -1
    ? undefined
    : { line, words: (name) => `line ${line + 1}, ${quotedLine(file[line] ?? "")}, is not in ${name}` };
}

const mostPassageLines = 100;
const mostCandidates = 30;
const leastLikeness = 0.35;

/** If no line is equal: the file line most similar to one of the passage. */
function similarLine(passage: readonly string[], file: readonly string[]): number | undefined {
  const lines = passage.slice(0, mostPassageLines).map((line) => line.trim().slice(0, shownWidth));
  const longest = lines.toSorted((one, other) => other.length - one.length).slice(0, 5);
  const alike = candidates(lines, file).map((line) => {
    const text = (file[line] ?? "").trim();
    return { line, likeness: Math.max(0, ...longest.map((wanted) => likeness(wanted, text))) };
  });
  const [best] = alike.toSorted((one, other) => other.likeness - one.likeness);
  return best === undefined || best.likeness < leastLikeness ? undefined : best.line;
}

/** The lines sharing most words with the passage; if none does, the first ones. */
function candidates(passage: readonly string[], file: readonly string[]): number[] {
  const words = new Set(passage.flatMap(wordsOf).slice(0, 200));
  const scored = file.slice(0, 50_000).map((text, line) => {
    const shared = wordsOf(text.slice(0, 1000)).filter((word) => words.has(word)).length;
    return { line, shared };
  });
  const sharing = scored.filter(({ shared }) => shared > 0);
  if (sharing.length === 0) return scored.slice(0, 2000).map(({ line }) => line);
  const best = sharing.toSorted((one, other) => other.shared - one.shared).slice(0, mostCandidates);
  return best.map(({ line }) => line);
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
