/** Changed lines of a file whose characters are not quite those that the model copied. */
import { diffArrays } from "diff";
import { isAscii } from "./editable.ts";
import { withoutLookAlikes } from "./look-alikes.ts";

/** `stands` is the line in the file; the model took it for `old` and wants `fresh`. */
export type LineTexts = { stands: string; old: string; fresh: string };

/** What the model wrote for characters of the file, where that is plain: unusual signs for ASCII, always the same. */
export type Miscopied = ReadonlyMap<string, string>;

/** From all lines of a passage, as the model wrote them and as they stand. */
export function miscopied(lines: readonly Omit<LineTexts, "fresh">[]): Miscopied {
  const found = new Map<string, string | undefined>();
  if (lines.every(({ stands, old }) => stands === old)) return new Map();
  for (const { stands, old } of lines) {
    if (isAscii(old)) continue;
    const [standing, wrote] = [tokensOf(stands.trimEnd()), tokensOf(old.trimEnd())];
    if (!areAlike(standing, wrote)) continue;
    for (const [at, token] of wrote.entries()) {
      if (isAscii(token)) continue;
      const meant = withoutLookAlikes(token) === standing[at] ? standing[at] : undefined;
      found.set(token, found.has(token) && found.get(token) !== meant ? undefined : meant);
    }
  }
  const sure = [...found].filter(([token, meant]) => meant !== undefined && meant !== token);
  return new Map(sure.map(([token, meant]) => [token, meant ?? token]));
}

/** A line that comes in anew, in the characters of the file. */
export function corrected(fresh: string, wrong: Miscopied): string {
  if (wrong.size === 0) return fresh;
  return tokensOf(fresh)
    .map((token) => wrong.get(token) ?? token)
    .join("");
}

/** `fresh`, but with the file's own characters wherever the model left `old` as it was. */
export function mergedLine({ stands, old, fresh }: LineTexts, wrong: Miscopied): string {
  if (stands === old) return corrected(fresh, wrong);
  const [standing, wrote, wanted] = [trimmed(stands), trimmed(old), trimmed(fresh)];
  const end = wrote.space === wanted.space ? standing.space : wanted.space;
  if (standing.words === wrote.words) return corrected(wanted.words, wrong) + end;
  return mergedWords({ stands: standing.words, old: wrote.words, fresh: wanted.words }, wrong) + end;
}

function trimmed(line: string): { words: string; space: string } {
  const words = line.trimEnd();
  return { words, space: line.slice(words.length) };
}

const mostDifferences = 500;

function mergedWords({ stands, old, fresh }: LineTexts, wrong: Miscopied): string {
  const [standing, wrote, wanted] = [tokensOf(stands), tokensOf(old), tokensOf(fresh)];
  const parts = areAlike(standing, wrote) ? differences(wrote, wanted) : undefined;
  if (!parts) return corrected(fresh, wrong);
  // A sign that the file writes in its own way and that comes in anew: which way is meant is not known.
  const own = new Set(wrote.filter((token, at) => token !== standing[at] && !wrong.has(token)));
  let [merged, at, to] = ["", 0, 0];
  for (const { added, removed, count } of parts) {
    const tokens = removed ? [] : wanted.slice(to, to + count);
    if (added && tokens.some((token) => own.has(token))) return fresh;
    for (const [index, token] of tokens.entries()) {
      const isKept = !added && token === wrote[at + index];
      merged += isKept ? (standing[at + index] ?? "") : (wrong.get(token) ?? token);
    }
    if (!added) at += count;
    if (!removed) to += count;
  }
  return merged;
}

/** Look-alikes are put side by side, whichever of them was written. */
const differences = (wrote: readonly string[], wanted: readonly string[]) =>
  diffArrays(wrote.map(withoutLookAlikes), wanted.map(withoutLookAlikes), { maxEditLength: mostDifferences });

const areAlike = (standing: readonly string[], wrote: readonly string[]): boolean =>
  standing.length === wrote.length && standing.every((token, at) => isAlike(token, wrote[at] ?? ""));

const isAlike = (one: string, other: string): boolean => withoutLookAlikes(one) === withoutLookAlikes(other);

/** Words, runs of white space or dots, and single signs, each with the marks and invisible characters after it. */
function tokensOf(line: string): string[] {
  return line.match(/(?:[\p{L}\p{N}_\p{M}]+|\s+|[.\u2026]+|[^])[\u200B-\u200D\u2060\uFEFF\p{M}]*/gu) ?? [];
}
