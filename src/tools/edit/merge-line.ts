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
  for (const { stands, old } of lines) {
    if (stands === old) continue;
    const [standing, wrote] = [tokensOf(stands.trimEnd()), tokensOf(old.trimEnd())];
    if (!areAlike(standing, wrote)) continue;
    for (const [at, token] of wrote.entries()) {
      const meant = standing[at] ?? "";
      if (isAscii(token) || withoutLookAlikes(token) !== meant) continue;
      found.set(token, (found.get(token) ?? meant) === meant ? meant : undefined);
    }
  }
  return new Map(
    [...found].flatMap(([token, meant]) => (meant === undefined ? [] : [[token, meant] as const])),
  );
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
  const [standing, wrote] = [tokensOf(stands), tokensOf(old)];
  const parts = areAlike(standing, wrote)
    ? diffArrays(wrote, tokensOf(fresh), { maxEditLength: mostDifferences })
    : undefined;
  if (!parts) return corrected(fresh, wrong);
  // A sign that the file writes in its own way and that comes in anew: which way is meant is not known.
  const own = new Set(wrote.filter((token, at) => token !== standing[at] && !wrong.has(token)));
  if (parts.some(({ added, value }) => added && value.some((token) => own.has(token)))) return fresh;
  let [merged, at] = ["", 0];
  for (const { added, removed, value } of parts) {
    if (added) merged += value.map((token) => wrong.get(token) ?? token).join("");
    else if (!removed) merged += standing.slice(at, at + value.length).join("");
    if (!added) at += value.length;
  }
  return merged;
}

const areAlike = (standing: readonly string[], wrote: readonly string[]): boolean =>
  standing.length === wrote.length && standing.every((token, at) => isAlike(token, wrote[at] ?? ""));

const isAlike = (one: string, other: string): boolean => withoutLookAlikes(one) === withoutLookAlikes(other);

/** Words, runs of white space or dots, and single signs, each with the marks and invisible characters after it. */
function tokensOf(line: string): string[] {
  return line.match(/(?:[\p{L}\p{N}_\p{M}]+|\s+|[.\u2026]+|[^])[\u200B-\u200D\u2060\uFEFF\p{M}]*/gu) ?? [];
}
