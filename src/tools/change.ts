/** A planned file change. Tools plan; `agent/call` shows, decides and commits: no tool writes by itself. */
import { formatPatch, type StructuredPatch, structuredPatch } from "diff";
import { sha256 } from "../base/crypto.ts";
import type { Parsed } from "../base/json.ts";
import { insideWorkspace } from "../base/paths.ts";
import { type FileResult, readRegularFile, removeFile, writeAtomically } from "../base/safe-fs.ts";
import { type Decoded, decodeText, sizeInWords, splitLines } from "../base/text.ts";
import type { ChangedFile } from "../protocol/facts.ts";

/** `path` is workspace-relative with forward slashes. `before: null` creates, `after: null` deletes. */
export type Change = { path: string; before: Uint8Array | null; after: Uint8Array | null };

/** Lower-case hex SHA-256, as in facts; `null` where there is no file. */
export function hashOf(bytes: Uint8Array): string;
export function hashOf(bytes: Uint8Array | null): string | null;
export function hashOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : sha256(bytes);
}

/** What facts and badges say of a change. Binary contents count no lines. */
export function describeChange(change: Change): ChangedFile {
  const { path, before, after } = change;
  return { path, before: hashOf(before), after: hashOf(after), ...countsOf(change) };
}

/** A unified diff of all changes for people, cut at `maxBytes` (100 KB unless told) with a note. */
export function diffOf(changes: readonly Change[], maxBytes = 100 * 1024): string {
  return cutDiff(changes.map(diffOfOne).join("\n"), maxBytes);
}

export type CommitOptions = {
  /** Asked last, right before the first write: `false` (the turn was interrupted, the session lost) writes nothing. */
  stillCurrent?(): boolean | Promise<boolean>;
};

/**
 * Writes the changes if every file still is as planned. Otherwise, or when one cannot be written, all files are as
 * before, and the problem is one line. A file that changes between its last check and its rename is not noticed.
 */
export async function commitChanges(
  root: string,
  changes: readonly Change[],
  options: CommitOptions = {},
): Promise<Parsed<undefined>> {
  const twice = changes.find((change, at) => changes.findIndex((other) => other.path === change.path) !== at);
  if (twice) return refuse(`${twice.path} is changed twice in one call; nothing was written.`);
  for (const change of changes) {
    const place = await placeToChange(root, change);
    if (!place.ok) return place;
  }
  if ((await options.stillCurrent?.()) === false)
    return refuse("It was stopped before anything was written.");
  return writeAll(root, changes);
}

/** The longest that one file's comparison may take; then it is shown as a replacement of all its lines. */
const patience = { context: 3, timeout: 500 };

function countsOf(change: Change): { added: number; removed: number } {
  const [before, after] = [textOf(change.before), textOf(change.after)];
  if (before === undefined || after === undefined) return { added: 0, removed: 0 };
  const patch = before === "" || after === "" ? undefined : patchOf(change, before, after);
  if (!patch) return { added: splitLines(after).length, removed: splitLines(before).length };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

function diffOfOne(change: Change): string {
  const [before, after] = [textOf(change.before), textOf(change.after)];
  if (before === undefined || after === undefined) return binaryNote(change);
  const patch = patchOf(change, before, after);
  if (patch)
    return formatPatch(patch, { includeIndex: false, includeUnderline: false, includeFileHeaders: true });
  const { from, to } = headers(change);
  const lines = [
    ...splitLines(before).map((line) => `-${line}`),
    ...splitLines(after).map((line) => `+${line}`),
  ];
  return [`--- ${from}`, `+++ ${to}`, ...lines, ""].join("\n");
}

function patchOf(change: Change, before: string, after: string): StructuredPatch | undefined {
  const { from, to } = headers(change);
  return structuredPatch(from, to, before, after, undefined, undefined, patience);
}

function headers({ path, before, after }: Change): { from: string; to: string } {
  return {
    from: before === null ? "/dev/null" : `a/${path}`,
    to: after === null ? "/dev/null" : `b/${path}`,
  };
}

/** Missing files are empty; a byte order mark is shown, because it may be all that changed; binary is `undefined`. */
function textOf(bytes: Uint8Array | null): string | undefined {
  if (bytes === null) return "";
  const decoded: Decoded = decodeText(bytes);
  if (decoded.kind === "binary") return undefined;
  return decoded.bom ? "\uFEFF" + decoded.text : decoded.text;
}

function binaryNote(change: Change): string {
  const { from, to } = headers(change);
  return `Binary files ${from} (${sizeOf(change.before)}) and ${to} (${sizeOf(change.after)}) differ\n`;
}

function sizeOf(bytes: Uint8Array | null): string {
  return bytes === null ? "none" : sizeInWords(bytes.length);
}

function cutDiff(diff: string, maxBytes: number): string {
  const bytes = Buffer.from(diff);
  if (bytes.length <= maxBytes) return diff;
  const shown = bytes.subarray(0, bytes.lastIndexOf("\n", maxBytes) + 1).toString();
  const left = splitLines(diff).length - splitLines(shown).length;
  return `${shown}[the diff goes on for ${left} more lines]\n`;
}

async function writeAll(root: string, changes: readonly Change[]): Promise<Parsed<undefined>> {
  const written: Change[] = [];
  for (const change of changes) {
    const done = await writeOne(root, change);
    if (!done.ok) return refuse(await rolledBack(root, written, done.problem));
    written.push(change);
  }
  return { ok: true, value: undefined };
}

async function writeOne(root: string, change: Change): Promise<Parsed<undefined>> {
  const place = await placeToChange(root, change);
  if (!place.ok) return place;
  return inWords(await put(place.value, change.after), place.value, change.path);
}

/** The absolute path, if the file there still has the content that the change was planned for. */
async function placeToChange(root: string, change: Change): Promise<Parsed<string>> {
  const place = await insideWorkspace(root, change.path);
  if (!place.ok) return place;
  // Planned paths have no links in them: one that leads elsewhere now was put there since.
  if (place.value.relative !== change.path) return refuse(stale(change.path));
  const { absolute } = place.value;
  const now = await readRegularFile(absolute, { maxBytes: Math.max(change.before?.length ?? 0, 1) });
  if (now.ok)
    return hashOf(now.value) === hashOf(change.before)
      ? { ok: true, value: absolute }
      : refuse(stale(change.path));
  if (now.problem.code === "EFBIG") return refuse(stale(change.path));
  if (now.problem.code === "ENOENT")
    return change.before === null ? { ok: true, value: absolute } : refuse(stale(change.path));
  return refuse(`${now.problem.message.replaceAll(absolute, change.path)}; nothing was written.`);
}

function stale(path: string): string {
  return `${path} has changed since this was planned; nothing was written. Read it again and repeat the change.`;
}

async function put(absolute: string, content: Uint8Array | null): Promise<FileResult<void>> {
  return content === null ? removeFile(absolute) : writeAtomically(absolute, content);
}

/** Takes the written changes back, newest first, and says what came of it. */
async function rolledBack(root: string, written: readonly Change[], problem: string): Promise<string> {
  const lost: string[] = [];
  for (const { path, before, after } of written.toReversed()) {
    const back = await writeOne(root, { path, before: after, after: before });
    if (!back.ok) lost.push(path);
  }
  if (lost.length > 0)
    return `${problem} These files could not be put back as they were: ${lost.join(", ")}.`;
  return written.length > 0 ? `${problem} The files written before it were put back as they were.` : problem;
}

function inWords(result: FileResult<void>, absolute: string, path: string): Parsed<undefined> {
  return result.ok
    ? { ok: true, value: undefined }
    : refuse(`${result.problem.message.replaceAll(absolute, path)}.`);
}

function refuse(problem: string): Parsed<never> {
  return { ok: false, problem };
}
