/** Merges changed lines into a file whose characters differ slightly from the model's copy. */

import { diffArrays } from "diff";
import { sameEnds } from "../../base/text.ts";
import { isAscii } from "./editable.ts";
import { placeBefore, withoutLookAlikes } from "./look-alikes.ts";

/** `stands` is the file's line; the model copied it as `old` and wants `fresh`. */
type LineTexts = { stands: string; old: string; fresh: string };

/**
 * How the model consistently miscopied characters. `signs`: ASCII written for unusual characters of the file. `form`:
 * the file's Unicode form of accented letters, if the model always wrote the other.
 */
export type CopyErrors = { signs: ReadonlyMap<string, string>; form: NormalizationForm | undefined };

type NormalizationForm = "NFC" | "NFD";

const nothing: CopyErrors = { signs: new Map(), form: undefined };

/** Compares all lines of a passage as the model wrote them with those of the file. */
export function findCopyErrors(lines: readonly Omit<LineTexts, "fresh">[]): CopyErrors {
  const found = new Map<string, string | undefined>();
  const forms = new Set<NormalizationForm>(["NFC", "NFD"]);
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

/** Corrects a new line to use the file's characters. */
export function correctLine(fresh: string, wrong: CopyErrors): string {
  if (wrong === nothing) return fresh;
  return tokensOf(fresh)
    .map((token) => correctedToken(token, wrong))
    .join("");
}

const correctedToken = (token: string, { signs, form }: CopyErrors): string =>
  signs.get(token) ?? (form === undefined ? token : token.normalize(form));

/** `fresh`, but with the file's own characters wherever the model left `old` unchanged. */
export function mergedLine({ stands, old, fresh }: LineTexts, wrong: CopyErrors): string {
  if (stands === old) return correctLine(fresh, wrong);
  const [standing, wrote, wanted] = [
    splitTrailingSpace(stands),
    splitTrailingSpace(old),
    splitTrailingSpace(fresh),
  ];
  const end = wrote.space === wanted.space ? standing.space : wanted.space;
  if (standing.words === wrote.words) return correctLine(wanted.words, wrong) + end;
  return mergedWords({ stands: standing.words, old: wrote.words, fresh: wanted.words }, wrong) + end;
}

function splitTrailingSpace(line: string): { words: string; space: string } {
  const words = line.trimEnd();
  return { words, space: line.slice(words.length) };
}

const mostDifferences = 500;

function mergedWords({ stands, old, fresh }: LineTexts, wrong: CopyErrors): string {
  const [standing, wrote, wanted] = [tokensOf(stands), tokensOf(old), tokensOf(fresh)];
  const parts = areAlike(standing, wrote) ? differences(wrote, wanted) : undefined;
  if (!parts) return mergeEnds({ stands, old, fresh }, wrong) ?? correctLine(fresh, wrong);
  // For a new character that the file writes in its own way, the intended form is unknown.
  const own = new Set(
    wrote.filter((token, at) => token !== standing[at] && token === correctedToken(token, wrong)),
  );
  let [merged, at, to] = ["", 0, 0];
  for (const { added, removed, count } of parts) {
    const tokens = removed ? [] : wanted.slice(to, to + count);
    if (added && tokens.some((token) => own.has(token)))
      return mergeEnds({ stands, old, fresh }, nothing, own) ?? fresh;
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
 * The file's line up to the first change and from the last one on. Does not cut between a pair of the file's own signs,
 * which would otherwise begin with one kind and end with another.
 */
function mergeEnds(
  { stands, old, fresh }: LineTexts,
  wrong: CopyErrors,
  own: ReadonlySet<string> = new Set(),
): string | undefined {
  if (!isAlike(stands, old)) return undefined;
  const { start, end } = sameEnds(old, fresh);
  const [head, tail] = [headOf(stands, old.slice(0, start)), tailOf(stands, old.slice(old.length - end))];
  const ends = [head.old, tail.old].map(tokensOf);
  const isWhole = [...own].every((sign) =>
    ends.every((tokens) => tokens.filter((token) => token === sign).length % 2 === 0),
  );
  if (!isWhole) return undefined;
  const middle = fresh.slice(head.old.length, fresh.length - tail.old.length);
  return head.stands + correctLine(middle, wrong) + tail.stands;
}

type LinePart = { stands: string; old: string };

/** As much of the beginning as matches the line, in whole characters. */
function headOf(stands: string, old: string): LinePart {
  for (let length = old.length; length > 0; length--) {
    const plain = withoutLookAlikes(old.slice(0, length));
    const place = placeBefore(stands, plain.length);
    if (place !== undefined && withoutLookAlikes(stands.slice(0, place)) === plain)
      return { stands: stands.slice(0, place), old: old.slice(0, length) };
  }
  return { stands: "", old: "" };
}

function tailOf(stands: string, old: string): LinePart {
  const whole = withoutLookAlikes(stands).length;
  for (let from = 0; from < old.length; from++) {
    const plain = withoutLookAlikes(old.slice(from));
    const place = placeBefore(stands, whole - plain.length);
    if (place !== undefined && withoutLookAlikes(stands.slice(place)) === plain)
      return { stands: stands.slice(place), old: old.slice(from) };
  }
  return { stands: "", old: "" };
}

/** Pairs look-alikes, whichever was written. */
const differences = (wrote: readonly string[], wanted: readonly string[]) =>
  diffArrays(wrote.map(withoutLookAlikes), wanted.map(withoutLookAlikes), { maxEditLength: mostDifferences });

const areAlike = (standing: readonly string[], wrote: readonly string[]): boolean =>
  standing.length === wrote.length && standing.every((token, at) => isAlike(token, wrote[at] ?? ""));

const isAlike = (one: string, other: string): boolean => withoutLookAlikes(one) === withoutLookAlikes(other);

/** Splits into words, runs of white space or dots, and single characters, each with its combining marks. */
function tokensOf(line: string): string[] {
  return line.match(/(?:[\p{L}\p{N}_\p{M}]+|\s+|[.\u2026]+|[^])[\u200B-\u200D\u2060\uFEFF\p{M}]*/gu) ?? [];
}
