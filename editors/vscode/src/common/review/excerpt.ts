/** What one request did to a file, as far as its hunks show it: its lines before and after, without the rest. */

import type { ReviewHunk } from "./hunk.ts";

export type Excerpt = { before: string; after: string };

/** Stands for the lines between two hunks. */
const gap = ["", "⋯", ""];

export function excerptOf(hunks: readonly ReviewHunk[]): Excerpt {
  return {
    before: textOf(hunks.map(linesBefore)),
    after: textOf(hunks.map(({ now }) => now)),
  };
}

function linesBefore({ now, replacements }: ReviewHunk): string[] {
  let at = 0;
  const lines = replacements.flatMap((replacement) => {
    const same = now.slice(at, replacement.at);
    at = replacement.at + replacement.added.length;
    return [...same, ...replacement.removed];
  });
  return [...lines, ...now.slice(at)];
}

const textOf = (pieces: readonly (readonly string[])[]): string =>
  pieces
    .flatMap((lines, at) => (at === 0 ? lines : [...gap, ...lines]))
    .map((line) => `${line}\n`)
    .join("");
