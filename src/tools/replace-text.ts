/** Replacing a passage of a text exactly, whatever its line endings, and saying where it might be when it is not found. */
import type { Parsed } from "../base/json.ts";
import { cutLine, splitLines } from "../base/text.ts";
import { numbered, withoutLineNumbers } from "./line-numbers.ts";

export type Replacement = { old: string; new: string; all: boolean };

/** `text` is the new whole; `places` how many passages were replaced; `line` where the first one begins. */
export type Replaced = { text: string; places: number; line: number };

/**
 * Line endings of `old` and of the text may differ; new lines get the ending of the passage they replace. Characters
 * that `old` and `new` share at their start and end are not touched, so bytes outside the true change stay as they are.
 */
export function replaceText(text: string, wanted: Replacement): Parsed<Replaced> {
  if (wanted.old === "") return refuse("`old` is empty; nothing was changed.");
  const flat = flattened(text);
  const verbatim = toLf(wanted.old) === toLf(wanted.new) && wanted.old !== wanted.new;
  if (verbatim) return replaceVerbatim(text, wanted);
  const asked = { old: toLf(wanted.old), new: toLf(wanted.new) };
  const found = flat.text.includes(asked.old)
    ? { ok: true as const, value: asked }
    : unnumbered(asked, flat.text);
  if (!found.ok) return found;
  const places = placesOf(flat.text, found.value.old, wanted.all);
  if (!places.ok) return places;
  if (found.value.old === found.value.new)
    return refuse("`old` and `new` are the same; nothing would change.");
  return { ok: true, value: rebuilt(text, flat, { ...found.value, places: places.value }) };
}

/** The line endings themselves are what is to change. */
function replaceVerbatim(text: string, { old, new: replacement, all }: Replacement): Parsed<Replaced> {
  const places = placesOf(text, old, all);
  if (!places.ok) return places;
  const [first = 0] = places.value;
  const changed = text.replaceAll(old, () => replacement);
  return { ok: true, value: { text: changed, places: places.value.length, line: lineAt(text, first) } };
}

/** `crlfs` are the places in `text` (which has "\n" only) of line ends that were "\r\n", in order. */
type Flat = { text: string; crlfs: number[] };

function flattened(text: string): Flat {
  const crlfs: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2))
    crlfs.push(at - crlfs.length);
  return { text: crlfs.length === 0 ? text : toLf(text), crlfs };
}

function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The place in the original text of a place in the flat one. */
function originalPlace(flat: Flat, place: number): number {
  let [low, high] = [0, flat.crlfs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((flat.crlfs[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return place + low;
}

type Texts = { old: string; new: string };

/** Models copy the line numbers that files are shown with; they are taken off if every line has one. */
function unnumbered(asked: Texts, text: string): Parsed<Texts> {
  const old = withoutLineNumbers(asked.old);
  if (old === undefined || old === "" || !text.includes(old)) return refuse(notFound(asked.old, text));
  const replacement = withoutLineNumbers(asked.new);
  return { ok: true, value: { old, new: replacement ?? asked.new } };
}

function placesOf(text: string, old: string, all: boolean): Parsed<number[]> {
  const places: number[] = [];
  let overlapping = 0;
  for (let at = text.indexOf(old), free = 0; at !== -1; at = text.indexOf(old, at + 1)) {
    overlapping++;
    if (at < free) continue;
    places.push(at);
    free = at + old.length;
  }
  if (places.length === 0) return refuse(notFound(old, text));
  if (all || overlapping === 1) return { ok: true, value: places };
  const lines = places.slice(0, 10).map((place) => lineAt(text, place));
  const where = `${lines.length > 1 ? "lines" : "line"} ${lines.join(", ")}${places.length > 10 ? ", …" : ""}`;
  return refuse(
    `\`old\` occurs ${overlapping} times (${where}); nothing was changed. Add surrounding lines until it is unique, or set \`all\` to change every one.`,
  );
}

function rebuilt(
  text: string,
  flat: Flat,
  { old, new: replacement, places }: Texts & { places: number[] },
): Replaced {
  const start = sharedStart(old, replacement);
  const end = sharedEnd(old, replacement, start);
  const middle = replacement.slice(start, replacement.length - end);
  const pieces: string[] = [];
  let done = 0;
  for (const place of places) {
    const from = originalPlace(flat, place + start);
    const to = originalPlace(flat, place + old.length - end);
    pieces.push(text.slice(done, from), withEnding(middle, endingAt(text, from)));
    done = to;
  }
  pieces.push(text.slice(done));
  return { text: pieces.join(""), places: places.length, line: lineAt(flat.text, (places[0] ?? 0) + start) };
}

function sharedStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count++;
  return count;
}

function sharedEnd(one: string, other: string, start: number): number {
  const most = Math.min(one.length, other.length) - start;
  let count = 0;
  while (count < most && one[one.length - 1 - count] === other[other.length - 1 - count]) count++;
  return count;
}

/** The ending of the line a passage begins on; on an unfinished last line, that of the line before. */
function endingAt(text: string, from: number): "\n" | "\r\n" {
  const next = text.indexOf("\n", from);
  const nearest = next === -1 ? text.lastIndexOf("\n", from) : next;
  return nearest > 0 && text[nearest - 1] === "\r" ? "\r\n" : "\n";
}

function withEnding(text: string, ending: "\n" | "\r\n"): string {
  return ending === "\n" ? text : text.replaceAll("\n", "\r\n");
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

const shownLines = 20;
const comparedLines = 40;

function notFound(old: string, text: string): string {
  const file = splitLines(text);
  const start = nearestLine(splitLines(old).slice(0, comparedLines), file);
  const advice =
    "`old` must be copied exactly, with its white space, and without line numbers; nothing was changed.";
  if (start === undefined) return `\`old\` was not found. ${advice}`;
  const from = Math.max(0, start - 2);
  const shown = file.slice(from, start + Math.min(shownLines, splitLines(old).length + 2));
  const lines = shown.map((line) => cutLine(line, 500));
  return `\`old\` was not found. ${advice} The nearest lines are:\n${numbered(lines, from + 1)}`;
}

/** Where in the file (from 0) most lines of the passage are, white space aside; or the line sharing most words with it. */
function nearestLine(passage: readonly string[], file: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  passage.forEach((line, at) => {
    const bare = line.trim();
    if (bare !== "") places.set(bare, [...(places.get(bare) ?? []), at]);
  });
  const votes = new Map<number, number>();
  file.forEach((line, at) => {
    for (const offset of places.get(line.trim()) ?? [])
      votes.set(at - offset, (votes.get(at - offset) ?? 0) + 1);
  });
  const best = highest(votes);
  return best === undefined ? similarLine(passage, file) : Math.max(0, best);
}

function similarLine(passage: readonly string[], file: readonly string[]): number | undefined {
  const words = new Set(
    passage
      .join(" ")
      .match(/[\p{L}\p{N}_]{2,}/gu)
      ?.slice(0, 200),
  );
  const votes = new Map<number, number>();
  file.slice(0, 50_000).forEach((line, at) => {
    const shared =
      line
        .slice(0, 1000)
        .match(/[\p{L}\p{N}_]{2,}/gu)
        ?.filter((word) => words.has(word)).length ?? 0;
    if (shared > 0) votes.set(at, shared);
  });
  return highest(votes);
}

function highest(votes: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  for (const [place, count] of votes) if (best === undefined || count > (votes.get(best) ?? 0)) best = place;
  return best;
}

function refuse(problem: string): Parsed<never> {
  return { ok: false, problem };
}
