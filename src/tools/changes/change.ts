/** Describes planned changes for facts. Tools only plan: `agent/call/change` shows, decides and applies their changes. */

import { mib } from "../../base/bound.ts";
import { sha256 } from "../../base/crypto.ts";
import { type Change, hashOfImage, type Image, modeOf } from "../../base/safe-fs/image.ts";
import { splitLines } from "../../base/text.ts";
import type { ChangedFile } from "../../protocol/facts.ts";
import type { LineCounts } from "../../protocol/fold-changes.ts";
import { isDirectory, patchOf, textsOf } from "./diff.ts";

/** Lower-case hex SHA-256, as in facts; `null` for a missing file. */
export function hashOf(bytes: Uint8Array): string;
export function hashOf(bytes: Uint8Array | null): string | null;
export function hashOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : sha256(bytes);
}

/**
 * Describes changes in order. Lines are diffed until that grows expensive; the rest are counted regardless of position.
 */
export async function describeChanges(changes: readonly Change[]): Promise<ChangedFile[]> {
  const described: ChangedFile[] = [];
  let budget = mostCompared;
  for (const change of changes) {
    const { before, after } = change;
    const size = sizeOf(before) + sizeOf(after);
    budget -= size;
    described.push({
      path: change.path,
      before: hashOfImage(before),
      after: hashOfImage(after),
      ...(await countsOf(change, budget >= 0)),
      ...standing(change),
    });
  }
  return described;
}

/** Limit on the bytes, over all files, whose lines are diffed. */
const mostCompared = 8 * mib;

const sizeOf = (image: Image | null): number => (image?.kind === "file" ? image.content.size : 0);

/** Returns `was` and `is` unless the change is simply to a file that keeps its mode. */
function standing({ before, after }: Change): Pick<ChangedFile, "was" | "is"> {
  const [was, is] = [imageSummary(before), imageSummary(after)];
  const staysFile = was?.kind === "file" && is?.kind === "file";
  if (staysFile && (is.mode === undefined || is.mode === was.mode)) return {};
  return { ...(isOdd(was) ? { was } : {}), ...(isOdd(is) ? { is } : {}) };
}

function imageSummary(image: Image | null): ChangedFile["is"] {
  if (image === null) return undefined;
  const mode = modeOf(image);
  return { kind: image.kind, ...(mode === undefined ? {} : { mode }) };
}

const isOdd = (standing: ChangedFile["is"]): boolean =>
  standing !== undefined && (standing.kind !== "file" || standing.mode !== undefined);

/** Binary contents and directories have no line counts. */
async function countsOf(change: Change, closely: boolean): Promise<LineCounts> {
  const { before, after } = change;
  if (isDirectory(before) || isDirectory(after)) return { added: 0, removed: 0 };
  if (hashOfImage(before) === hashOfImage(after)) return { added: 0, removed: 0 };
  const texts = await textsOf(change);
  if (texts === undefined) return { added: 0, removed: 0 };
  const isWhole = texts.old === "" || texts.new === "";
  if (!closely && !isWhole) return roughCounts(texts.old, texts.new);
  const patch = isWhole ? undefined : patchOf(change, texts);
  if (!patch) return { added: splitLines(texts.new).length, removed: splitLines(texts.old).length };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** Counts the lines by which each side exceeds the other, ignoring their order. */
function roughCounts(old: string, made: string): LineCounts {
  const surplus = new Map<string, number>();
  for (const line of splitLines(made)) surplus.set(line, (surplus.get(line) ?? 0) + 1);
  for (const line of splitLines(old)) surplus.set(line, (surplus.get(line) ?? 0) - 1);
  let [added, removed] = [0, 0];
  for (const count of surplus.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  return { added, removed };
}
