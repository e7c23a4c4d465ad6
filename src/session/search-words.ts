/** The searchable words of a session, defined alike for every store. */

import type { Entry } from "../protocol/facts.ts";
import type { TextPart } from "../protocol/messages.ts";

/** Types of facts that are searched. */
export const searchedTypes: readonly Entry["type"][] = ["user-message", "steer", "text"];

/** The text a person or the model said; undefined for other facts. */
export function saidIn(entry: Entry): string | undefined {
  if (entry.type === "text") return entry.text;
  if (entry.type !== "user-message" && entry.type !== "steer") return undefined;
  return entry.content.flatMap((part) => (part.type === "text" ? wordsOf(part) : [])).join("\n");
}

const wordsOf = ({ text, typed }: TextPart): string[] => (typed === undefined ? [text] : [typed, text]);

/** In scripts without spaces between words, each character counts as a word. */
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]+/gv;
const longestWord = 64;

/** Each once, ignoring case and accents. */
export function wordsIn(text: string): Set<string> {
  const words = new Set<string>();
  for (const [run] of text.toWellFormed().matchAll(runs))
    for (const word of normalWords(run)) words.add(word);
  return words;
}

/** Usually a single word. */
function normalWords(run: string): string[] {
  const plain = /^\p{ASCII}*$/u.test(run) ? run : run.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const words = plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.slice(0, longestWord).toWellFormed());
}

/** Whether a text has a word that begins with this one. */
export const hasWord = (words: ReadonlySet<string>, wanted: string): boolean =>
  words.has(wanted) || [...words].some((word) => word.startsWith(wanted));

const before = 40;
const longestExcerpt = 160;

/** One line around the first match. */
export function excerptOf(text: string, wanted: readonly string[]): string {
  const whole = text.toWellFormed();
  for (const { 0: run, index } of whole.matchAll(runs)) {
    const isWanted = normalWords(run).some((word) => wanted.some((start) => word.startsWith(start)));
    if (isWanted) return around(whole, index);
  }
  return around(whole, 0);
}

function around(text: string, at: number): string {
  const start = at <= before ? 0 : text.indexOf(" ", at - before) + 1;
  const from = start > 0 && start <= at ? start : Math.max(0, at - before);
  const cut = text.slice(from, from + longestExcerpt).toWellFormed();
  const isCut = from + longestExcerpt < text.length;
  const whole = isCut ? cut.replace(/(?<=\s)\S{1,20}$/u, "") : cut; // no partial word
  const line = whole.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return `${from > 0 ? "…" : ""}${line}${isCut ? "…" : ""}`;
}
