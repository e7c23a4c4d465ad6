/** Undoes part of a turn's change to one file: some hunks of its diff, numbered as in the review. */

import { type Expected, refuse } from "../../base/expected.ts";
import { bytesOfImage } from "../../base/safe-fs/image.ts";
import { inForce, type PathStanding, type Trail } from "../../protocol/fold-changes.ts";
import { checkpointId } from "../../protocol/fold-changes.ts";
import type { TrailSelection } from "./choose.ts";
import { type CheckpointContext, keptBytes, presentAt, standingOf } from "./images.ts";
import { bytesOfLines, type Hunk, hunksOf, type Lines, linesOf, withoutHunks } from "./lines.ts";
import type { Wish } from "./ways.ts";

/** `rest`: what the turn's change amounts to without these hunks; absent if nothing is left. */
type UndoPart = { wish: Wish; rest?: { path: string; hash: string } };

/** Stores the contents involved, so that the wish can be fulfilled. */
export async function partOf(
  { turn, trails }: TrailSelection,
  numbers: readonly number[],
  context: CheckpointContext,
): Promise<Expected<UndoPart>> {
  const files = trails.filter(
    ({ before, left }) => before?.kind !== "directory" && left.at(-1)?.kind !== "directory",
  );
  const [trail, second] = files;
  if (!trail || second) return refuse("Hunks are taken back of one file at a time: name the file.");
  const { path } = trail;
  const whole: UndoPart = { wish: { path, left: inForce(trail), target: trail.before } };
  const compared = await hunksIn(trail, context);
  if (!compared.ok) return refuse(`The hunks of ${path} cannot be told: ${compared.problem}.`);
  const { old, hunks } = compared.value;
  const wanted = new Set(numbers);
  const strange = numbers.find((number) => !hunks.some((hunk) => hunk.number === number));
  if (strange !== undefined || numbers.length === 0)
    return refuse(
      `${path} has ${hunks.length === 1 ? "one hunk" : `${hunks.length} hunks`}; there is no hunk ${strange ?? "to take back in an empty list"}.`,
    );
  if (wanted.size === hunks.length) return { ok: true, value: whole };
  const bytes = bytesOfLines(withoutHunks(old, hunks, wanted));
  const hash = await context.store.keepImage(context.state.session, checkpointId(context.state, turn), bytes);
  const mode = inForce(trail).at(-1)?.mode;
  const target: PathStanding = { kind: "file", hash, ...(mode === undefined ? {} : { mode }) };
  return { ok: true, value: { wish: { ...whole.wish, target }, rest: { path, hash } } };
}

type ComparedFile = { old: Lines; hunks: Hunk[] };

/** The hunks of the turn's change to a file; the problem is why they cannot be determined. */
export async function hunksIn(trail: Trail, context: CheckpointContext): Promise<Expected<ComparedFile>> {
  const left = trail.now === "nothing" ? trail.left : inForce(trail);
  const [old, now] = [
    await linesAt([trail.before], trail.path, context),
    await linesAt(left, trail.path, context),
  ];
  if (!old.ok) return refuse(`what stood there before is ${old.problem}`);
  if (!now.ok) return refuse(`what the request left there is ${now.problem}`);
  return { ok: true, value: { old: old.value, hunks: hunksOf(old.value, now.value) } };
}

async function linesAt(
  standings: readonly PathStanding[],
  path: string,
  context: CheckpointContext,
): Promise<Expected<Lines>> {
  const standing = standings.at(-1) ?? null;
  if (standing === null) return { ok: true, value: [] };
  if (standing.kind !== "file") return refuse(`a ${standing.kind}`);
  const bytes = (await keptBytes(standing.hash, context)) ?? (await presentBytes(standings, path, context));
  if (bytes === undefined) return refuse("not known any more");
  const lines = linesOf(bytes);
  return lines ? { ok: true, value: lines } : refuse("no text, or too large to compare");
}

/** The file's present content, if it is the expected one. */
export async function presentBytes(
  standings: readonly PathStanding[],
  path: string,
  context: CheckpointContext,
): Promise<Uint8Array | undefined> {
  const present = await presentAt(path, context);
  if (!present.ok || present.value === null) return undefined;
  const { hash } = standingOf(present.value) ?? {};
  return standings.some((standing) => standing?.hash === hash) ? bytesOfImage(present.value) : undefined;
}
