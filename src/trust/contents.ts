/** What a person reviews before granting trust: the files that would run, as far as readable, and what changed. */

import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { TrustItem } from "../addons/trust.ts";
import { sizeInWords } from "../base/amounts.ts";
import { kib } from "../base/bound.ts";
import { isWithin } from "../base/paths.ts";
import { readWindow } from "../base/safe-fs/own-files.ts";
import { decodeText, splitLines } from "../base/text.ts";
import { ranFileBounds } from "../safety/ran/bounds.ts";
import { diffTimeMs } from "../tools/bounds.ts";
import type { TrustApproval } from "./trust.ts";

/** All files that would run, shown together, in characters. */
const mostShown = 512 * kib;

const { followedText: shownFile } = ranFileBounds;

/** `note`: what is omitted from the text, or why there is none. */
export type ShownFile = { path: string; size: string; text?: string; note?: string };

/** In order, up to as much as a person reads; `left`: how many were omitted. */
export async function contentsOf(
  things: readonly TrustItem[],
  workspace: string,
): Promise<{ files: Map<TrustItem, ShownFile[]>; left: number }> {
  const files = new Map<TrustItem, ShownFile[]>();
  let space: number = mostShown;
  let left = 0;
  for (const thing of things) {
    const read: ShownFile[] = [];
    for (const path of thing.files ?? []) {
      if (space <= 0) {
        left += 1;
        continue;
      }
      const file = await readShown(path, workspace, Math.min(space, shownFile.most));
      space -= file.text?.length ?? 0;
      read.push(file);
    }
    files.set(thing, read);
  }
  return { files, left };
}

async function readShown(path: string, workspace: string, most: number): Promise<ShownFile> {
  const real = await realpath(join(workspace, path)).catch(() => undefined);
  if (real === undefined) return { path, size: "", note: "It is not there any more." };
  if (!isWithin(workspace, real))
    return { path, size: "", note: "It is a link that leads out of the workspace." };
  const read = await readWindow(real, { offset: 0, length: most });
  if (!read.ok) return { path, size: "", note: `It cannot be read: ${read.problem.message}.` };
  const { bytes, size } = read.value;
  const about = { path, size: sizeInWords(size) };
  const decoded = decodeText(bytes);
  if (decoded.kind === "binary") return { ...about, note: `It is no text (${decoded.type}).` };
  const rest = size - bytes.length;
  return {
    ...about,
    text: decoded.text,
    ...(rest > 0 ? { note: `${sizeInWords(rest)} more are left out: read on in the file.` } : {}),
  };
}

/** Lines prefixed with "+", "-" or a space, with "…" between hunks; undefined if the earlier content is unknown. */
export async function changedLines(
  { shows }: TrustItem,
  before: TrustApproval,
): Promise<string[] | undefined> {
  if (before.shows === undefined || before.shows === shows) return undefined;
  const { structuredPatch } = await import("diff");
  const options = { context: 3, timeout: diffTimeMs };
  const patch = structuredPatch("", "", `${before.shows}\n`, `${shows}\n`, undefined, undefined, options);
  if (patch) return patch.hunks.flatMap(({ lines }, at) => (at === 0 ? lines : ["…", ...lines]));
  return [
    ...splitLines(before.shows).map((line) => `-${line}`),
    ...splitLines(shows).map((line) => `+${line}`),
  ];
}
