/**
 * Reads text files that people write for agents, and refuses anything harmful: links that leave the workspace, FIFOs,
 * huge files.
 */

import { type Stats } from "node:fs";
import { lstat, realpath, stat } from "node:fs/promises";
import { sizeInWords } from "../base/amounts.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { isObject } from "../base/json.ts";
import { isWithin } from "../base/paths.ts";
import { readWindow } from "../base/safe-fs/own-files.ts";
import { decodeText } from "../base/text.ts";
import { addedTextBounds } from "./bounds.ts";
import type { AddonDirectories } from "./part.ts";

const limits = addedTextBounds;

/** `path` is the requested path, `real` the resolved one; `cut`: the file was truncated. Line endings are \n only. */
export type AddedText = { path: string; real: string; text: string; cut: boolean; stats: Stats };

export type TextReading = Pick<AddonDirectories, "withheld"> & {
  /** Absolute and real: links may not leave this directory. Unrestricted by default. */
  within?: string;
  /**
   * For directories that other users can write to: accepts only files that belong to this user or root, writable by
   * nobody else.
   */
  ownOnly?: boolean;
  /** Largest size to read, in bytes. */
  most?: number;
};

/** Undefined: there is no such file. The problem tells people why the file was rejected. */
export async function readAdded(
  path: string,
  reading: TextReading,
): Promise<Expected<AddedText> | undefined> {
  const { within, withheld, ownOnly = false, most = limits.file.most } = reading;
  const refused = (why: string): Expected<never> => refuse(`${path} was not read: ${why}.`);
  const found = await lookUp(path);
  if (!found) return undefined;
  const { real, stats, link } = found;
  if (within !== undefined && !isWithin(within, real))
    return refused(`it is a link that leads out of ${within}`);
  if (systemTrees.some((tree) => isWithin(tree, real))) return refused("it is in a system tree");
  if (!stats.isFile()) return refused("it is no file");
  if (ownOnly && ![stats, link].every(isOwn))
    return refused("it belongs to another user, or others may write it");
  const why = withheld(path) ?? withheld(real);
  if (why !== undefined) return refused(why);
  const part = await readWindow(real, { offset: 0, length: most });
  if (!part.ok) return refused(part.problem.message);
  const cut = part.value.size > most;
  const decoded = decodeText(cut ? wholeLines(part.value.bytes) : part.value.bytes);
  if (decoded.kind === "binary") return refused(`it is no text (${decoded.type})`);
  const text = decoded.text.replaceAll("\r\n", "\n");
  return { ok: true, value: { path, real, text, cut, stats } };
}

const systemTrees = ["/proc", "/dev", "/sys"];

/** Caps the list of problems at a length that a person will read. */
export const fewOf = (problems: readonly string[], most = 10): string[] =>
  problems.length <= most
    ? [...problems]
    : [...problems.slice(0, most), `… and ${problems.length - most} more like these.`];

/** Tells people that a file exceeded the size limit and was truncated. */
export const cutWords = (path: string, most: number = limits.file.most): string =>
  `${path} is larger than ${sizeInWords(most)}: the rest of it is left out.`;

/** Why a directory entry resolves to no file. Undefined where it is not a link, or its target exists. */
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
    return undefined; // missing, dangling or unreachable: not written for us
  }
}

/**
 * Owned by this user or root and writable by nobody else; a group whose id equals the user's counts as the user's own.
 */
function isOwn(stats: Pick<Stats, "uid" | "gid" | "mode"> & { isSymbolicLink(): boolean }): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  if (stats.uid !== user && stats.uid !== 0) return false;
  if (stats.isSymbolicLink()) return true; // a link's mode carries no permissions
  const groupWrites = (stats.mode & 0o020) !== 0 && stats.gid !== stats.uid;
  return (stats.mode & 0o002) === 0 && !groupWrites;
}

/**
 * Cuts after the last complete line, so that no character is split; a single endless line is cut at a character
 * boundary.
 */
function wholeLines(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(0x0a);
  if (end > bytes.length / 2) return bytes.subarray(0, end + 1);
  let last = bytes.length - 1;
  while (last > 0 && ((bytes[last] ?? 0) & 0xc0) === 0x80) last -= 1;
  return bytes.subarray(0, last);
}
