/** Diffs of planned changes, as shown to people and models. */

import { formatPatch, type StructuredPatch, structuredPatch } from "diff";
import { countOf, sizeInWords } from "../../base/amounts.ts";
import { bytesOfImage, type Change, type Image, modeOf } from "../../base/safe-fs/image.ts";
import { decodeText, splitLines } from "../../base/text.ts";
import { toolBounds, diffTimeMs } from "../bounds.ts";

/** A unified diff of all changes for people, cut at `maxBytes` (100 KB by default) with a note. */
export async function diffOf(
  changes: readonly Change[],
  maxBytes = toolBounds.diffBytes.most,
): Promise<string> {
  const shown = changes.filter(isShownAmong(changes));
  const pieces: string[] = [];
  let bytes = 0;
  for (const change of shown) {
    const piece = await diffOfOne(change);
    pieces.push(piece);
    bytes += Buffer.byteLength(piece) + 1;
    if (bytes > maxBytes) break;
  }
  const cut = cutDiff(pieces.join("\n"), maxBytes);
  const left = shown.length - pieces.length;
  return left > 0 ? `${cut}[and ${countOf(left, "more file")}]\n` : cut;
}

/** The text before and after a change; undefined if either is binary. A missing file counts as empty. */
export async function textsOf({ before, after }: Change): Promise<{ old: string; new: string } | undefined> {
  const [old, made] = [await textOf(before), await textOf(after)];
  return old === undefined || made === undefined ? undefined : { old, new: made };
}

/** Undefined if the texts have so little in common that diffing takes too long. */
export function patchOf(change: Change, texts: { old: string; new: string }): StructuredPatch | undefined {
  const { from, to } = headers(change);
  return structuredPatch(from, to, texts.old, texts.new, undefined, undefined, patience);
}

/** Time limit for diffing one file; past it, the change is shown as a replacement of all lines. */
const patience = { context: 3, timeout: diffTimeMs };

export const isDirectory = (image: Image | null): boolean => image?.kind === "directory";

/** Hides a created or removed directory if the changes include its contents. */
function isShownAmong(changes: readonly Change[]): (change: Change) => boolean {
  const above = new Set(changes.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf("/")))));
  return ({ path, before, after }) => {
    const comesOrGoes = (isDirectory(before) && after === null) || (before === null && isDirectory(after));
    return !comesOrGoes || !above.has(path);
  };
}

async function diffOfOne(change: Change): Promise<string> {
  const { path, before, after } = change;
  if (isDirectory(before) && isDirectory(after)) return aboutKind(change);
  if (isDirectory(before))
    return `deleted directory ${path}\n${after === null ? "" : await diffOfOne({ path, before: null, after })}`;
  if (isDirectory(after))
    return `${before === null ? "" : await diffOfOne({ path, before, after: null })}new directory ${path}\n`;
  return diffOfFile(change);
}

async function diffOfFile(change: Change): Promise<string> {
  const texts = await textsOf(change);
  const about = aboutKind(change);
  if (texts === undefined) return about + binaryNote(change);
  if (texts.old === texts.new && about !== "") return about;
  const patch = patchOf(change, texts);
  if (patch)
    return (
      about + formatPatch(patch, { includeIndex: false, includeUnderline: false, includeFileHeaders: true })
    );
  const { from, to } = headers(change);
  const lines = [
    ...splitLines(texts.old).map((line) => `-${line}`),
    ...splitLines(texts.new).map((line) => `+${line}`),
  ];
  return about + [`--- ${from}`, `+++ ${to}`, ...lines, ""].join("\n");
}

/** Git-style header lines, for changes to more than content. */
function aboutKind({ path, before, after }: Change): string {
  const [old, made] = [gitMode(before), gitMode(after)];
  if (before !== null && after !== null && old !== undefined && made !== undefined && old !== made)
    return `old mode ${old}\nnew mode ${made} (${path})\n`;
  if (before === null && after?.kind === "link") return `new link ${path}\n`;
  return before?.kind === "link" && after === null ? `deleted link ${path}\n` : "";
}

function gitMode(image: Image | null): string | undefined {
  if (image === null) return undefined;
  if (image.kind === "link") return "120000";
  const mode = modeOf(image);
  return mode === undefined ? undefined : ((image.kind === "file" ? 0o100000 : 0o40000) | mode).toString(8);
}

function headers({ path, before, after }: Change): { from: string; to: string } {
  return {
    from: before === null ? "/dev/null" : `a/${path}`,
    to: after === null ? "/dev/null" : `b/${path}`,
  };
}

/** Keeps a byte order mark, since it may be the only change; binary gives `undefined`. */
async function textOf(image: Image | null): Promise<string | undefined> {
  if (image === null) return "";
  const decoded = decodeText(await bytesOfImage(image));
  if (decoded.kind === "binary") return undefined;
  return decoded.bom ? "\uFEFF" + decoded.text : decoded.text;
}

function binaryNote(change: Change): string {
  const { from, to } = headers(change);
  return `Binary files ${from} (${sizeOf(change.before)}) and ${to} (${sizeOf(change.after)}) differ\n`;
}

function sizeOf(image: Image | null): string {
  return image?.kind === "file" ? sizeInWords(image.content.size) : "none";
}

function cutDiff(diff: string, maxBytes: number): string {
  const bytes = Buffer.from(diff);
  if (bytes.length <= maxBytes) return diff;
  const shown = bytes.subarray(0, bytes.lastIndexOf("\n", maxBytes) + 1).toString();
  const left = splitLines(diff).length - splitLines(shown).length;
  return `${shown}[the diff goes on for ${left} more lines]\n`;
}
