/** What a person does not keep of a command's held changes: checked against the question, and in words. */

import { type Expected, refuse } from "../base/expected.ts";
import type { ChangedFile, DroppedPart, FactOf, HeldFile } from "./facts.ts";
import { standingsOf } from "./fold-changes.ts";

type HeldQuestion = Pick<FactOf<"approval-asked">, "held" | "changes">;
type DroppedHunks = ReadonlySet<number> | "whole";

/**
 * Each path once, in the order of the question, with what stands or falls with it. The problem says what the question
 * does not have.
 */
export function readDrops(
  drops: readonly DroppedPart[],
  { held, changes = [] }: HeldQuestion,
): Expected<DroppedPart[]> {
  if (!held) return refuse("This question is not about changes that wait: nothing can be dropped of it.");
  const files = new Map(held.files.map((file) => [file.path, file]));
  const wanted = new Map<string, DroppedHunks>();
  for (const drop of drops) {
    const file = files.get(drop.path);
    const read = file ? wantedOf(drop, file, wanted.get(drop.path)) : notThere(drop);
    if (!read.ok) return read;
    wanted.set(drop.path, read.value);
  }
  const whole = withWhatDepends(
    [...wanted].flatMap(([path, what]) => (what === "whole" ? path : [])),
    changes,
  );
  const parts = held.files.flatMap(({ path }): DroppedPart[] => {
    if (whole.has(path)) return [{ path }];
    const numbers = wanted.get(path);
    if (numbers === undefined || numbers === "whole") return [];
    return [{ path, hunks: [...numbers].toSorted((one, other) => one - other) }];
  });
  return { ok: true, value: parts };
}

const notThere = ({ path }: DroppedPart) =>
  refuse(`${JSON.stringify(path.slice(0, 200))} is not among the changes that wait for this answer.`);

function wantedOf(
  { path, hunks }: DroppedPart,
  file: HeldFile,
  earlier: DroppedHunks | undefined,
): Expected<DroppedHunks> {
  if (hunks === undefined || earlier === "whole") return { ok: true, value: "whole" };
  const strange = hunks.find((number) => file.hunks[number - 1] === undefined);
  if (strange !== undefined || hunks.length === 0) {
    const which = strange ?? "to drop in an empty list";
    return refuse(`${path} has ${hunksInWords(file.hunks.length)}; there is no hunk ${which}.`);
  }
  const numbers = new Set([...(earlier ?? []), ...hunks]);
  return { ok: true, value: numbers.size === file.hunks.length ? "whole" : numbers };
}

function hunksInWords(count: number): string {
  if (count === 0) return "no hunks and is kept or dropped whole";
  return count === 1 ? "one hunk" : `${count} hunks`;
}

export const isAllDropped = (drops: readonly DroppedPart[], { changes = [] }: HeldQuestion): boolean =>
  drops.filter(({ hunks }) => hunks === undefined).length === changes.length;

/**
 * A directory stands or falls with what lies in it: it is not made for files that are all dropped, nothing is made in
 * one that is dropped, and it stays if something in it stays.
 */
function withWhatDepends(dropped: readonly string[], changes: readonly ChangedFile[]): Set<string> {
  const all = new Set(dropped);
  const isDropped = ({ path }: ChangedFile): boolean => all.has(path);
  const outwards = changes
    .map((change) => ({ change, becomes: directoryIn(change) }))
    .filter(({ becomes }) => becomes !== undefined)
    .toSorted((one, other) => other.change.path.length - one.change.path.length);
  const inside = (directory: ChangedFile): ChangedFile[] =>
    changes.filter(({ path }) => path.startsWith(`${directory.path}/`));
  for (const { change, becomes } of outwards) {
    const within = inside(change);
    const falls = becomes === "made" ? within.length > 0 && within.every(isDropped) : within.some(isDropped);
    if (falls) all.add(change.path);
  }
  for (const { change, becomes } of outwards)
    if (becomes === "made" && isDropped(change)) for (const { path } of inside(change)) all.add(path);
  return all;
}

function directoryIn(change: ChangedFile): "made" | "gone" | undefined {
  const { before, after } = standingsOf(change);
  if (before?.kind === after?.kind) return undefined;
  if (after?.kind === "directory") return "made";
  return before?.kind === "directory" ? "gone" : undefined;
}

/** "a.txt, hunk 2 of b.txt"; the first ones. */
export function dropsInWords(drops: readonly DroppedPart[]): string {
  const told = drops.slice(0, mostTold).map(({ path, hunks }) => {
    if (hunks === undefined) return path;
    return `${hunks.length === 1 ? "hunk" : "hunks"} ${hunks.join(", ")} of ${path}`;
  });
  return told.join(", ") + (drops.length > told.length ? ` and ${drops.length - told.length} more` : "");
}

const mostTold = 10;
