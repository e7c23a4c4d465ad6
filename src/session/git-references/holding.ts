/** Holds what references lead to while a command runs: one commit of ours leads to it, so no clean-up of git takes it. */

import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { hashOfParts, randomHex } from "../../base/crypto.ts";
import { makeDirectorySync, readRegularFile } from "../../base/safe-fs/own-files.ts";
import { isLooseCommit, objectFile } from "./object-file.ts";
import { keptNames, mostNameBytes, mostPackedBytes } from "./plain-references.ts";
import type { Repository, RepositoryState } from "./repository.ts";

/** `commit`: absent if there is nothing to hold, or git refused. `group`: of what is kept afterwards, too. */
export type HeldReferences = { group: string; commit: string | undefined };

/** A group of kept references, by the time at which it was made. */
export const newGroup = (): string => `${keptNames}${Date.now()}-${randomHex(4)}/`;

/** A file beside the group, whose directory is only there if something is kept. */
const heldName = (group: string): string => `${group.slice(0, -1)}-before`;

export async function holdAll(state: RepositoryState, repository: Repository): Promise<HeldReferences> {
  const group = newGroup();
  const [first] = state.commits;
  if (first === undefined) return { group, commit: undefined };
  const text = commitText(state, first);
  const isLong = first.length === 64;
  const plain = state.isPlain ? await writePlainly({ group, text, isLong }, repository) : undefined;
  return { group, commit: plain ?? (await writeByGit({ group, text }, repository)) };
}

/** The same for the same state, so that the next command need not write the object again. */
function commitText({ references, commits }: RepositoryState, { length }: string): string {
  return [
    `tree ${references.index ?? (length === 64 ? emptyTreeLong : emptyTree)}`,
    ...commits.map((hash) => `parent ${hash}`),
    `author ${who}`,
    `committer ${who}`,
    "",
    "What Toolwright holds while a command runs.\n",
  ].join("\n");
}

const who = "Toolwright <toolwright@localhost> 0 +0000";
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const emptyTreeLong = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

type HeldCommit = { group: string; text: string; isLong: boolean };

/** As git does, but without a process of its own; undefined if that cannot be. */
async function writePlainly(
  { group, text, isLong }: HeldCommit,
  { common }: Repository,
): Promise<string | undefined> {
  const bytes = Buffer.from(`commit ${Buffer.byteLength(text)}\0${text}`);
  const hash = hashOfParts(isLong ? "sha256" : "sha1", [bytes]);
  const object = objectFile(common, hash);
  const name = join(common, heldName(group));
  try {
    if (!((await isLooseCommit(common, hash)) && isFreshened(object))) writeObject(object, bytes);
    makeDirectorySync(dirname(name));
    writeFileSync(name, `${hash}\n`, { flag: "wx" });
    return hash;
  } catch {
    return undefined;
  }
}

/** One that is there already is made young, as git does it: a clean-up takes what is old. */
function isFreshened(object: string): boolean {
  const now = new Date();
  try {
    utimesSync(object, now, now);
    return true;
  } catch {
    return false;
  }
}

function writeObject(object: string, bytes: Uint8Array): void {
  const aside = join(dirname(object), `tmp_obj_${randomHex(8)}`);
  makeDirectorySync(dirname(object));
  try {
    writeFileSync(aside, deflateSync(bytes, { level: 1 }), { flag: "wx", mode: 0o444 });
    renameSync(aside, object);
  } finally {
    rmSync(aside, { force: true });
  }
}

async function writeByGit(
  { group, text }: Pick<HeldCommit, "group" | "text">,
  { git }: Repository,
): Promise<string | undefined> {
  const made = await git(["hash-object", "-t", "commit", "-w", "--stdin"], { input: text });
  const hash = made?.trim();
  if (hash === undefined || (await git(["update-ref", heldName(group), hash])) === undefined)
    return undefined;
  return hash;
}

/** Whether it was let go without asking git: it is still where it was put, and nowhere else. */
export async function letGoPlainly(
  { group, commit }: HeldReferences,
  { common }: Repository,
): Promise<boolean> {
  if (commit === undefined) return true;
  const name = join(common, heldName(group));
  const packed = (await plainText(join(common, "packed-refs"), mostPackedBytes)) ?? heldName(group);
  if ((await plainText(name, mostNameBytes)) !== `${commit}\n` || packed.includes(heldName(group)))
    return false;
  try {
    rmSync(name); // the commit stays: another git may just have read its name
  } catch {
    // Somebody else has let it go.
  }
  return true;
}

/** Empty if there is no such file; undefined if it is none that is read as it is. */
async function plainText(path: string, maxBytes: number): Promise<string | undefined> {
  const read = await readRegularFile(path, { maxBytes });
  if (read.ok) return Buffer.from(read.value).toString();
  return read.problem.code === "ENOENT" ? "" : undefined;
}

/** For `update-ref --stdin`. */
export const letGoLines = ({ group, commit }: HeldReferences): string[] =>
  commit === undefined ? [] : [`delete ${heldName(group)}`];
