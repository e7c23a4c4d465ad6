/** Fast repeated search for runs of lines in a file: a patch may have 100,000 hunks. */

import type { NamedScope } from "./scope.ts";

export type LineIndex = {
  readonly texts: readonly string[];
  /** How many more lines may be examined for inexact hunks. */
  patience: number;
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** Cache of what each header refers to. */
  readonly scopes: Map<string, NamedScope>;
  /** How many more comparisons may be made. */
  budget: number;
};

const mostLooked = 20_000_000;
const mostCompared = 50_000_000;

export function lineIndex(texts: readonly string[]): LineIndex {
  const places = new Map<string, number[]>();
  for (const [at, text] of texts.entries()) {
    const known = places.get(text);
    if (known) known.push(at);
    else places.set(text, [at]);
  }
  return { texts, places, scopes: new Map(), patience: mostLooked, budget: mostCompared };
}

/** Every line (from 0) where the run begins; undefined if the search exceeds its budget. */
export function exactPlaces(index: LineIndex, run: readonly string[]): number[] | undefined {
  let [rarest, starts]: [number, readonly number[]] = [
    0,
    index.texts.length === 0 ? [] : (index.places.get(run[0] ?? "") ?? []),
  ];
  for (const [at, text] of run.entries()) {
    const here = index.places.get(text) ?? [];
    if (here.length < starts.length) [rarest, starts] = [at, here];
  }
  const found: number[] = [];
  for (const start of starts) {
    if (fitsAt(index, run, start - rarest)) found.push(start - rarest);
    if (index.budget < 0) return undefined;
  }
  return found;
}

export function fitsAt(index: LineIndex, run: readonly string[], line: number): boolean {
  if (line < 0 || line + run.length > index.texts.length) return false;
  const differs = run.findIndex((text, at) => text !== index.texts[line + at]);
  index.budget -= differs === -1 ? run.length : differs + 1;
  return differs === -1;
}
