/** The changes of a command that wait for a person: by file and hunk for the question, and what is kept of them. */

import { type Expected, refuse } from "../../base/expected.ts";
import { bytesOfImage, type Change, contentOf, hashOfImage, type Image } from "../../base/safe-fs/image.ts";
import type { DroppedPart, FactOf, HeldFile } from "../../protocol/facts.ts";
import {
  bytesOfLines,
  type Hunk,
  hunksOf,
  type Lines,
  linesOf,
  withoutHunks,
} from "../../session/checkpoints/lines.ts";
import { toolBounds } from "../../tools/bounds.ts";

/** In order; the hunks of all files together are as long as a diff may be that a person is shown. */
export async function heldFiles(changes: readonly Change[]): Promise<HeldFile[]> {
  const files: HeldFile[] = [];
  let left = toolBounds.diffBytes.most;
  for (const change of changes) {
    const file = left < 0 ? undefined : await heldFile(change);
    left -= (file?.hunks ?? []).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    files.push(file && left >= 0 ? file : { path: change.path, hunks: [], whole: tooMuch });
  }
  return files;
}

const tooMuch = "there is more than can be shown hunk by hunk";

async function heldFile(change: Change): Promise<HeldFile> {
  const { path } = change;
  const compared = await compare(change);
  return compared.ok
    ? { path, hunks: compared.value.hunks.map(({ text }) => text) }
    : { path, hunks: [], whole: compared.problem };
}

type ComparedText = { old: Lines; hunks: Hunk[] };

/** The hunks of a change to a text file; the problem is why there are none. */
async function compare({ before, after }: Change): Promise<Expected<ComparedText>> {
  const odd = [after, before].find((image) => image !== null && image.kind !== "file");
  if (odd) return refuse(`it is a ${odd.kind}`);
  if (hashOfImage(before) === hashOfImage(after)) return refuse("only its permissions differ");
  const [old, now] = [await linesAt(before), await linesAt(after)];
  if (!old || !now) return refuse("it is no text, or too large to compare");
  const hunks = hunksOf(old, now);
  return hunks.length === 0 ? refuse("it is empty") : { ok: true, value: { old, hunks } };
}

const linesAt = async (image: Image | null): Promise<Lines | undefined> =>
  image === null ? [] : linesOf(await bytesOfImage(image));

/** Without what a person dropped; the problem is why that cannot be done exactly. */
export async function keptOf(
  changes: readonly Change[],
  drops: readonly DroppedPart[],
  asked: FactOf<"approval-asked"> | undefined,
): Promise<Expected<Change[]>> {
  const parts = new Map(drops.map((part) => [part.path, part]));
  const shown = new Map(asked?.held?.files.map((file) => [file.path, file]));
  const kept: Change[] = [];
  for (const change of changes) {
    const { hunks } = parts.get(change.path) ?? {};
    if (hunks === undefined) {
      kept.push(change);
      continue;
    }
    const part = await withoutThese(change, new Set(hunks), shown.get(change.path));
    if (!part.ok) return part;
    kept.push(part.value);
  }
  return { ok: true, value: kept };
}

async function withoutThese(
  change: Change,
  dropped: ReadonlySet<number>,
  shown: HeldFile | undefined,
): Promise<Expected<Change>> {
  const { path, after } = change;
  const compared = await compare(change);
  if (!compared.ok || after?.kind !== "file" || !isAsShown(compared.value.hunks, shown))
    return refuse(`The hunks of ${path} are not those that were shown; nothing was changed.`);
  const bytes = bytesOfLines(withoutHunks(compared.value.old, compared.value.hunks, dropped));
  return { ok: true, value: { ...change, after: { ...after, content: contentOf(bytes) } } };
}

/** Another version, which compared files differently, may have asked. */
const isAsShown = (hunks: readonly Hunk[], shown: HeldFile | undefined): boolean =>
  hunks.length === shown?.hunks.length && hunks.every(({ text }, at) => text === shown.hunks[at]);

/** For the model: which files, and which parts of files by their place in what the command had made. */
export function droppedForModel(
  drops: readonly DroppedPart[],
  asked: FactOf<"approval-asked"> | undefined,
): string {
  const files = new Map(asked?.held?.files.map((file) => [file.path, file]));
  const told = drops.slice(0, mostTold).map(({ path, hunks }) => {
    if (hunks === undefined) return path;
    const places = hunks.map(
      (number) => files.get(path)?.hunks[number - 1]?.split("\n", 1)[0] ?? `${number}`,
    );
    return `of ${path} only ${places.join(", ")}`;
  });
  const more = drops.length > told.length ? `; and ${drops.length - told.length} more` : "";
  return `The user kept only a part of what it changed. Not kept: ${told.join("; ")}${more}. The rest is in place.`;
}

const mostTold = 20;
