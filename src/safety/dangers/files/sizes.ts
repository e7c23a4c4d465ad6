/** Sizes as programs take them, and which of them fill a disk. */

import type { Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

const units = "bkmgtpezyrq";
const written = /^[+>]?(\d{1,15})(?:([bkmgtpezyrq])(?:i?b)?)?$/iu;

/** `900G` in bytes. `b` is what a block is for dd; such a block has no weight here. */
export function bytesIn(text: string): number | undefined {
  const [, count, unit = "b"] = written.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * 1_024 ** units.indexOf(unit.toLowerCase());
}

/** How far dd writes, by its operands. */
export function bytesOfBlocks(operands: readonly Word[]): number {
  const number = (form: RegExp): number | undefined =>
    operands.flatMap(({ text }) => (form.test(text) ? (bytesIn(text.replace(form, "")) ?? []) : [])).at(-1);
  return ((number(/^count=/u) ?? 0) + (number(/^o?seek=/u) ?? 0)) * (number(/^o?bs=/u) ?? 512);
}

const most = 100 * 1_024 ** 3;

export const isTooLarge = (bytes: number | undefined): boolean => bytes !== undefined && bytes >= most;

export const takesDisk = (...sizes: readonly (number | undefined)[]): Effect[] =>
  sizes.some(isTooLarge) ? [danger("high", "it makes a file so large that it fills the disk")] : [];
