/** Replaces a passage of a text, descending the ladder of tolerance: one match, or an error listing all of them. */

import { type Expected, refuse } from "../../base/expected.ts";
import { isAfterOddByte } from "./editable.ts";
import { hunksOf } from "./hunks.ts";
import { rungOf, type Tolerance } from "./ladder.ts";
import {
  type EditLines,
  withoutEmptyEdges,
  matchExact,
  type PassageMatches,
  matchIndented,
  matchLookAlikes,
  matchNearest,
  matchTrailing,
} from "./match.ts";
import { bareLine } from "./nearest.ts";
import { notFound, severalPlaces } from "./not-found.ts";
import { type EditReading, type EditTexts, unnumberedReading, unquotedReadings } from "./readings.ts";
import { type Match, type TextSplice, applySplices, splicesOf } from "./splices.ts";
import { lineOf, type TextLines, textLines, toLf } from "./text-lines.ts";

export type Replacement = { old: string; new: string; all: boolean };

/**
 * `text`: the whole new text; `places`: how many passages were replaced; `line` (from 1): where the first change
 * begins; `tolerances`: how the passage differed.
 */
export type ReplacedText = { text: string; places: number; line: number; tolerances: readonly Tolerance[] };

export function replaceText(text: string, wanted: Replacement): Expected<ReplacedText> {
  if (wanted.old === "") return refuse("`old` is empty; nothing was changed.");
  if (wanted.old === wanted.new) return refuse("`old` and `new` are the same; nothing would change.");
  const asked = { old: toLf(wanted.old), new: toLf(wanted.new) };
  if (asked.old === asked.new) return replaceVerbatim(text, wanted);
  const file = textLines(text);
  for (const { reading, rung } of attempts(asked, file.words)) {
    const old = reading.old.split("\n");
    const fresh = reading.new.ok ? reading.new.value.split("\n") : [];
    const matched = rung.match(file, { old, fresh, whole: reading.whole });
    if (matched === undefined) continue;
    const tolerances = [reading.tolerance, rung.tolerance].filter((one) => one !== undefined);
    return outcome(file, matched, { wanted, asked: { old, fresh }, reading, rung, tolerances });
  }
  return refuse(notFound(file.words, asked.old.split("\n"), asked.new.split("\n")));
}

/** For edits that change the line endings themselves. */
function replaceVerbatim(text: string, { old, new: replacement, all }: Replacement): Expected<ReplacedText> {
  const file = textLines(text);
  const places: number[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) places.push(at);
  const lines = places.map((place) => lineOf(file.from, place));
  const [first] = lines;
  if (first === undefined) {
    return refuse(
      "`old` was not found with exactly these line endings, which are all that `new` changes; nothing was changed.",
    );
  }
  if (lines.length > 1 && !all) return refuse(severalPlaces(lines, { takesAll: true, isAll: all }));
  const changed = text.replaceAll(old, () => replacement);
  return { ok: true, value: { text: changed, places: lines.length, line: first + 1, tolerances: [] } };
}

/** `isAbout`: whether the edit changes the very thing that the rung ignores. */
type LadderRung = {
  tolerance: Tolerance | undefined;
  match: (file: TextLines, asked: EditLines) => PassageMatches | undefined;
  isAbout?: (asked: EditLines) => boolean;
};

const exact: LadderRung = { tolerance: undefined, match: matchExact };
const trailing: LadderRung = {
  tolerance: "trailing-space",
  match: matchTrailing,
  isAbout: (asked) =>
    isSame(asked, (line) => line.trimEnd()) || isSame(withoutEmptyEdges(asked), (line) => line.trimEnd()),
};
const indentation: LadderRung = {
  tolerance: "indentation",
  match: matchIndented,
  isAbout: (asked) => isSame(withoutEmptyEdges(asked), (line) => line.trim()),
};
const lookAlikes: LadderRung = {
  tolerance: "look-alikes",
  match: matchLookAlikes,
  isAbout: (asked) => isSame(withoutEmptyEdges(asked), bareLine),
};
const nearest: LadderRung = { tolerance: "nearest", match: matchNearest };

function isSame({ old, fresh }: EditLines, bare: (line: string) => string): boolean {
  return old.length === fresh.length && old.every((line, at) => bare(line) === bare(fresh[at] ?? ""));
}

type AnyReading = Omit<EditReading, "tolerance"> & { tolerance: Tolerance | undefined };
type MatchAttempt = { reading: AnyReading; rung: LadderRung };

/** In the order of the ladder. */
function* attempts(asked: EditTexts, file: readonly string[]): Generator<MatchAttempt> {
  const plain: AnyReading = {
    tolerance: undefined,
    old: asked.old,
    new: { ok: true, value: asked.new },
    whole: false,
  };
  const bare = unnumberedReading(asked);
  const readings = bare === undefined ? [plain] : [plain, bare];
  const tolerant = [trailing, indentation, lookAlikes];
  for (const rung of [exact, ...tolerant]) for (const reading of readings) yield { reading, rung };
  for (const reading of unquotedReadings(asked, file))
    for (const rung of [exact, ...tolerant]) yield { reading, rung };
  for (const reading of readings) yield { reading, rung: nearest };
}

type ReplacementAttempt = {
  wanted: Replacement;
  asked: EditLines;
  reading: AnyReading;
  rung: LadderRung;
  tolerances: readonly Tolerance[];
};

function outcome(
  file: TextLines,
  matched: PassageMatches,
  found: ReplacementAttempt,
): Expected<ReplacedText> {
  const { wanted, asked, reading, rung, tolerances } = found;
  if ("problem" in matched) {
    const isAbout = reading.new.ok && rung.isAbout?.(asked) === true;
    return refuse(isAbout ? aboutThat("The file", rung) : `${matched.problem}. Nothing was changed.`);
  }
  const takesAll = tolerances.every((tolerance) => rungOf(tolerance)?.takesAll === true);
  const isPlain = matched.lines.length === 1 || (wanted.all && takesAll);
  if (!isPlain) return refuse(severalPlaces(matched.lines, { takesAll, isAll: wanted.all }, tolerances));
  if (!reading.new.ok) return refuse(`${reading.new.problem}. Nothing was changed.`);
  if (rung.isAbout?.(asked) === true)
    return refuse(aboutThat(`Line ${(matched.lines[0] ?? 0) + 1} of the file`, rung));
  const matches = matched.matches();
  if ("problem" in matches) return refuse(`${matches.problem}. Nothing was changed.`);
  const made = allSplices(file, matches);
  const [first] = made ?? [];
  if (made === undefined || first === undefined)
    return refuse("`old` and `new` come to the same here; nothing would change.");
  if (made.some((splice) => isAfterOddByte(file.text, firstChange(file.text, splice))))
    return refuse(afterOddByte);
  const line = lineOf(file.from, first.from) + 1;
  return {
    ok: true,
    value: { text: applySplices(file.text, made), places: matches.length, line, tolerances },
  };
}

function allSplices(file: TextLines, matches: readonly Match[]): TextSplice[] | undefined {
  const splices: TextSplice[] = [];
  for (const match of matches) {
    const made = splicesOf(file, match, hunksOf(match.old, match.fresh));
    if (made === undefined) return undefined;
    splices.push(...made);
  }
  return splices;
}

function firstChange(text: string, { from, to, text: fresh }: TextSplice): number {
  const most = Math.min(to - from, fresh.length);
  let same = 0;
  while (same < most && text[from + same] === fresh[same]) same++;
  return from + same;
}

const afterOddByte =
  "The file is not UTF-8, and the change would begin right after a character that is not ASCII, whose end cannot be told; nothing was changed. Choose a passage that begins elsewhere.";

function aboutThat(place: string, { tolerance }: LadderRung): string {
  const what = tolerance === undefined ? undefined : rungOf(tolerance)?.overlooked;
  return `${place} differs from \`old\` in ${what ?? "that"}, which is also all that \`new\` would change; nothing was changed. Read the lines again and copy \`old\` exactly.`;
}
