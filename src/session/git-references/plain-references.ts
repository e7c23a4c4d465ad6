/** Reads a repository's references from git's own files where those are plain; whatever is odd is left to git. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { mib } from "../../base/bound.ts";
import { statsBehind } from "../../base/paths.ts";
import { readRegularFile } from "../../base/safe-fs/own-files.ts";
import { isHash, type StashEntry } from "./references.ts";

/** `kept`: names of ours, which `names` has not. `hashes`: of all that `names` lead to. */
export type NamedReferences = { names: Map<string, string>; kept: string[]; hashes: ReadonlySet<string> };

/** `directory`: git's own for a working tree. `common`: with what all working trees share; mostly the same. */
export type GitDirectories = { directory: string; common: string };

/** What Toolwright itself keeps. */
export const keptNames = "refs/toolwright/";
/** References of one repository that are read. */
export const mostReferences = 10_000;
export const mostPackedBytes = 4 * mib;
export const mostNameBytes = 4096;

/** Each of these belongs to one working tree. */
const ownOfTrees = ["bisect", "worktree", "rewritten"];

/** Thrown where only git itself can tell what a file means. */
class OddReferences extends Error {}

/** Undefined if git has to be asked. */
export async function plainReferences(places: GitDirectories): Promise<NamedReferences | undefined> {
  try {
    return namedIn(await valuesIn(places));
  } catch (error) {
    if (error instanceof OddReferences) return undefined;
    throw error;
  }
}

/** What each name's own file says: a hash, or the name of another after `ref: `. Loose ones hide packed ones. */
async function valuesIn({ directory, common }: GitDirectories): Promise<Map<string, string>> {
  const values = packedIn((await textAt(join(common, "packed-refs"), mostPackedBytes)) ?? "");
  const top = namesAt(common);
  // A format of its own (reftable) has no such directory.
  if (top.some(({ name }) => name === "reftable") || !top.some(({ name }) => name === "refs"))
    throw new OddReferences();
  const isLinked = directory !== common;
  for (const name of looseIn(common, "refs"))
    if (!isLinked || !ownOfTrees.some((own) => name.startsWith(`refs/${own}/`)))
      values.set(name, await valueAt(join(common, name)));
  if (isLinked)
    for (const own of ownOfTrees)
      for (const name of looseIn(directory, `refs/${own}`))
        values.set(name, await valueAt(join(directory, name)));
  if (values.size > mostReferences) throw new OddReferences();
  return values;
}

function packedIn(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#") || line.startsWith("^")) continue;
    const [hash = "", name = "", ...more] = line.split(" ");
    if (!isObject(hash) || !name.startsWith("refs/") || isOdd(name) || more.length > 0)
      throw new OddReferences();
    values.set(name, hash);
  }
  return values;
}

/**
 * Whether git may be asked: it reads whatever it finds here, and behind links, to the end. A device has none, and a FIFO not
 * before somebody writes to it.
 */
export function isOfFiles({ directory, common }: GitDirectories): boolean {
  const top = [...namesAt(directory), ...namesAt(common)];
  const waiting = top.filter((entry) => !entry.isDirectory() || entry.name === "refs");
  let left = mostReferences;
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    const path = join(entry.parentPath, entry.name);
    if ((left -= 1) < 0) return false; // of so many, none would be read
    if (entry.isDirectory()) waiting.push(...namesAt(path));
    else if (!entry.isFile() && isEndless(path)) return false;
  }
  return true;
}

function isEndless(path: string): boolean {
  const stats = statsBehind(path);
  return stats?.isCharacterDevice() === true || stats?.isFIFO() === true;
}

/** Git passes over what it is still writing, and over hidden files. */
function looseIn(place: string, above: string): string[] {
  const names: string[] = [];
  const waiting = [above];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
    for (const entry of namesAt(join(place, name))) {
      if (entry.name.startsWith(".") || entry.name.endsWith(".lock")) continue;
      const path = `${name}/${entry.name}`;
      if (isOdd(path) || names.length + waiting.length > mostReferences) throw new OddReferences();
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) names.push(path);
      else throw new OddReferences();
    }
  return names;
}

function namesAt(path: string): ReturnType<typeof entriesAt> {
  try {
    return entriesAt(path);
  } catch {
    return [];
  }
}

const entriesAt = (path: string) => readdirSync(path, { withFileTypes: true });

/** What git takes for no name; and beyond the plain plane, where its order is another than ours. */
const isOdd = (name: string): boolean =>
  // eslint-disable-next-line no-control-regex
  /[\s\u0000-\u001F\u007F~^:?*[\\\uFFFD\uD800-\uDFFF]|\.\.|@\{|\/\/|\/\.|\.\/|\.$|\.lock\//.test(name);

async function valueAt(path: string): Promise<string> {
  const text = (await textAt(path, mostNameBytes))?.trimEnd();
  if (text === undefined || !(isObject(text) || /^ref:\s*refs\/\S+$/.test(text))) throw new OddReferences();
  return text;
}

const isObject = (text: string): boolean => isHash(text) && !/^0+$/.test(text);

/** Undefined if there is no such file. */
async function textAt(path: string, maxBytes: number): Promise<string | undefined> {
  const read = await readRegularFile(path, { maxBytes });
  if (read.ok) return Buffer.from(read.value).toString();
  if (read.problem.code === "ENOENT") return undefined;
  throw new OddReferences();
}

/** In git's order. A name that leads to one that is not there is passed over. */
function namedIn(values: ReadonlyMap<string, string>): NamedReferences {
  const names = new Map<string, string>();
  const kept: string[] = [];
  const hashes = new Set<string>();
  for (const name of [...values.keys()].toSorted((one, other) => (one < other ? -1 : 1))) {
    const value = values.get(name) ?? "";
    const other = isHash(value) ? undefined : value.replace(/^ref:\s*/, "");
    const hash = other === undefined ? value : values.get(other);
    if (hash === undefined) continue;
    if (!isHash(hash)) throw new OddReferences();
    if (name.startsWith(keptNames)) kept.push(name);
    else names.set(name, other ?? hash);
    if (!name.startsWith(keptNames)) hashes.add(hash);
  }
  return { names, kept, hashes };
}

/** The newest first: each is a line of the log of one reference. Undefined if git has to be asked. */
export async function plainStash({ common }: GitDirectories): Promise<StashEntry[] | undefined> {
  const read = await readRegularFile(join(common, "logs/refs/stash"), { maxBytes: mib });
  if (!read.ok) return read.problem.code === "ENOENT" ? [] : undefined;
  const lines = Buffer.from(read.value).toString().split("\n");
  if (lines.pop() !== "") return undefined;
  const entries = lines.flatMap((line) => {
    const [, hash, message = ""] =
      /^[\da-f]{40,64} ([\da-f]{40,64}) .*> \d+ [+-]\d{4}\t?(.*)$/su.exec(line) ?? [];
    return hash === undefined ? [] : [{ hash, message }];
  });
  return entries.length === lines.length ? entries.toReversed() : undefined;
}
