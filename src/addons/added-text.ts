/**
 * Text files that people have written for agents, read so that odd ones (links that lead away, FIFOs, huge ones) do no
 * harm.
 */

import { type Stats } from "node:fs";
import { lstat, realpath, stat } from "node:fs/promises";
import { sizeInWords } from "../base/amounts.ts";
import { bounds } from "../base/bounds.ts";
import type { Expected } from "../base/expected.ts";
import { isObject } from "../base/json.ts";
import { isWithin } from "../base/paths.ts";
import { readWindow } from "../base/safe-fs/own-files.ts";
import { decodeText } from "../base/text.ts";

const limits = bounds.instructions;

/** `path` as it was asked for, `real` where it is; `cut`: there was more of it. Lines end with \n alone. */
export type AddedText = { path: string; real: string; text: string; cut: boolean; stats: Stats };

export type Reading = {
  /** Absolute and real: links may not lead out of it. Anywhere by default. */
  within?: string;
  /** Where others write files, too: it counts only if it is this user's or root's, and nobody else may write it. */
  ownOnly?: boolean;
  /** Bytes. */
  most?: number;
};

/** Undefined: there is no such file. The problem is why it is not read, for people. */
export async function readAdded(
  path: string,
  reading: Reading = {},
): Promise<Expected<AddedText> | undefined> {
  const { within, ownOnly = false, most = limits.file.most } = reading;
  const refused = (why: string): Expected<never> => ({ ok: false, problem: `${path} was not read: ${why}.` });
  const found = await lookUp(path);
  if (!found) return undefined;
  const { real, stats, link } = found;
  if (within !== undefined && !isWithin(within, real))
    return refused(`it is a link that leads out of ${within}`);
  if (systemTrees.some((tree) => isWithin(tree, real))) return refused("it is in a system tree");
  if (!stats.isFile()) return refused("it is no file");
  if (ownOnly && ![stats, link].every(isOwn))
    return refused("it belongs to another user, or others may write it");
  const part = await readWindow(real, { offset: 0, length: most });
  if (!part.ok) return refused(part.problem.message);
  const cut = part.value.size > most;
  const decoded = decodeText(cut ? wholeLines(part.value.bytes) : part.value.bytes);
  if (decoded.kind === "binary") return refused(`it is no text (${decoded.type})`);
  const text = decoded.text.replaceAll("\r\n", "\n");
  return { ok: true, value: { path, real, text, cut, stats } };
}

const systemTrees = ["/proc", "/dev", "/sys"];

const mostProblems = 10;

/** As many lines as a person reads. */
export const fewOf = (problems: readonly string[]): string[] =>
  problems.length <= mostProblems
    ? [...problems]
    : [...problems.slice(0, mostProblems), `… and ${problems.length - mostProblems} more like these.`];

/** For people, of a file that is larger than what is read of it. */
export const cutWords = (path: string, most: number = limits.file.most): string =>
  `${path} is larger than ${sizeInWords(most)}: the rest of it is left out.`;

/** Why a name that stands in a folder leads to no file; undefined where it is no link, or one that leads somewhere. */
export async function brokenLink(path: string): Promise<string | undefined> {
  const link = await lstat(path).catch(() => undefined);
  if (!link?.isSymbolicLink()) return undefined;
  const why = await stat(path).then(
    () => undefined,
    (error: unknown) =>
      isObject(error) && error["code"] === "ELOOP" ? "leads back to itself" : "leads to nothing",
  );
  return why === undefined ? undefined : `${path} was not read: it is a link that ${why}.`;
}

async function lookUp(path: string): Promise<{ real: string; stats: Stats; link: Stats } | undefined> {
  try {
    const link = await lstat(path);
    const real = await realpath(path);
    return { real, stats: await stat(real), link };
  } catch {
    return undefined; // not there, a link to nothing, or not to be reached: nobody meant it for us
  }
}

/** Of this user or root, and writable by nobody else; a group of the same number as the user is the user's own. */
function isOwn(stats: Pick<Stats, "uid" | "gid" | "mode"> & { isSymbolicLink(): boolean }): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  if (stats.uid !== user && stats.uid !== 0) return false;
  if (stats.isSymbolicLink()) return true; // whose mode says nothing
  const groupWrites = (stats.mode & 0o020) !== 0 && stats.gid !== stats.uid;
  return (stats.mode & 0o002) === 0 && !groupWrites;
}

/**
 * Up to the last line that is whole, so that no character is cut in the middle; an endless line is cut all the same.
 */
function wholeLines(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(0x0a);
  if (end > bytes.length / 2) return bytes.subarray(0, end + 1);
  let last = bytes.length - 1;
  while (last > 0 && ((bytes[last] ?? 0) & 0xc0) === 0x80) last -= 1;
  return bytes.subarray(0, last);
}
