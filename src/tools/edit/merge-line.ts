/** Changed lines of a file whose characters are not quite those that the model copied. */

import { diffArrays } from "diff";
import { isAscii } from "./editable.ts";
import { placeBefore, withoutLookAlikes } from "./look-alikes.ts";

/** `stands` is the line in the file; the model took it for `old` and wants `fresh`. */
type LineTexts = { stands: string; old: string; fresh: string };

/**
 * What the model wrote for characters of the file, where that is plain. `signs`: unusual signs for ASCII, always the
 * same. `form`: in which the file has letters with marks, where the model always wrote the other.
 */
export type Miscopied = { signs: ReadonlyMap<string, string>; form: Form | undefined };

type Form = "NFC" | "NFD";

const nothing: Miscopied = { signs: new Map(), form: undefined };

/** From all lines of a passage, as the model wrote them and as they stand. */
export function miscopied(lines: readonly Omit<LineTexts, "fresh">[]): Miscopied {
  const found = new Map<string, string | undefined>();
  const forms = new Set<Form>(["NFC", "NFD"]);
  let isOtherForm = false;
  for (const { stands, old } of lines) {
    if (stands === old || (isAscii(old) && isAscii(stands))) continue;
    const [standing, wrote] = [tokensOf(stands.trimEnd()), tokensOf(old.trimEnd())];
    if (!areAlike(standing, wrote)) continue;
    for (const [at, token] of wrote.entries()) {
      const own = standing[at] ?? "";
      if (token !== own && token.normalize() === own.normalize()) {
        isOtherForm = true;
        for (const form of forms) if (own !== token.normalize(form)) forms.delete(form);
      }
      if (isAscii(token)) continue;
      const meant = withoutLookAlikes(token) === own ? own : undefined;
      found.set(token, found.has(token) && found.get(token) !== meant ? undefined : meant);
    }
  }
  const sure = [...found].filter(([token, meant]) => meant !== undefined && meant !== token);
  const signs = new Map(sure.map(([token, meant]) => [token, meant ?? token]));
  const [form] = isOtherForm ? forms : [];
  return signs.size === 0 && form === undefined ? nothing : { signs, form };
}

/** A line that comes in anew, in the characters of the file. */
export function corrected(fresh: string, wrong: Miscopied): string {
  if (wrong === nothing) return fresh;
  return tokensOf(fresh)
    .map((token) => correctedToken(token, wrong))
    .join("");
}

const correctedToken = (token: string, { signs, form }: Miscopied): string =>
  signs.get(token) ?? (form === undefined ? token : token.normalize(form));

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
  if (!parts) return framed({ stands, old, fresh }, wrong) ?? corrected(fresh, wrong);
  // A sign that the file writes in its own way and that comes in anew: which way is meant is not known.
  const own = new Set(
    wrote.filter((token, at) => token !== standing[at] && token === correctedToken(token, wrong)),
  );
  let [merged, at, to] = ["", 0, 0];
  for (const { added, removed, count } of parts) {
    const tokens = removed ? [] : wanted.slice(to, to + count);
    if (added && tokens.some((token) => own.has(token)))
      return framed({ stands, old, fresh }, nothing, own) ?? fresh;
    for (const [index, token] of tokens.entries()) {
      const isKept = !added && token === wrote[at + index];
      merged += isKept ? (standing[at + index] ?? "") : correctedToken(token, wrong);
    }
    if (!added) at += count;
    if (!removed) to += count;
  }
  return merged;
}

/**
 * The line as it stands up to the first and from the last change on. Not between the two of a pair of signs which the
 * file writes in its own way: then it would begin with one sort and end with another.
 */
function framed(
  { stands, old, fresh }: LineTexts,
  wrong: Miscopied,
  own: ReadonlySet<string> = new Set(),
): string | undefined {
  if (!isAlike(stands, old)) return undefined;
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const [head, tail] = [headOf(stands, old.slice(0, start)), tailOf(stands, old.slice(old.length - end))];
  const ends = [head.old, tail.old].map(tokensOf);
  const isWhole = [...own].every((sign) =>
    ends.every((tokens) => tokens.filter((token) => token === sign).length % 2 === 0),
  );
  if (!isWhole) return undefined;
  const middle = fresh.slice(head.old.length, fresh.length - tail.old.length);
  return head.stands + corrected(middle, wrong) + tail.stands;
}

type Part = { stands: string; old: string };

/** As much of the beginning as can be found in the line, by whole characters. */
function headOf(stands: string, old: string): Part {
  for (let length = old.length; length > 0; length--) {
    const plain = withoutLookAlikes(old.slice(0, length));
    const place = placeBefore(stands, plain.length);
    if (place !== undefined && withoutLookAlikes(stands.slice(0, place)) === plain)
      return { stands: stands.slice(0, place), old: old.slice(0, length) };
  }
  return { stands: "", old: "" };
}

function tailOf(stands: string, old: string): Part {
  const whole = withoutLookAlikes(stands).length;
  for (let from = 0; from < old.length; from++) {
    const plain = withoutLookAlikes(old.slice(from));
    const place = placeBefore(stands, whole - plain.length);
    if (place !== undefined && withoutLookAlikes(stands.slice(place)) === plain)
      return { stands: stands.slice(place), old: old.slice(from) };
  }
  return { stands: "", old: "" };
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
