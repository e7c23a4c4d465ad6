/** What a person has allowed in a workspace until it is taken back: one file for each workspace, in the state directory. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { bounds } from "../base/bounds.ts";
import { sha256 } from "../base/crypto.ts";
import { isObject, parseJson } from "../base/json.ts";
import { readRegularFile, removeFile, writeAtomically } from "../base/safe-fs/own-files.ts";
import type { CommandOutcome } from "../protocol/commands.ts";
import type { Grant } from "../protocol/facts.ts";
import { grantInWords } from "../safety/grants.ts";

export type ProjectGrants = {
  /** What holds, the oldest first. */
  list(): readonly Grant[];
  /** Kept when it resolves; the problem is one line. */
  add(grant: Grant): Promise<CommandOutcome>;
};

/** What can be read of a file, and what is wrong with it. */
export type KeptGrants = { grants: Grant[]; warnings: string[] };

const largestFile = bounds.files.grants.most;

/** A file that cannot be read allows nothing, and that is told. */
export async function readProjectGrants(stateDir: string, workspace: string): Promise<KeptGrants> {
  const path = fileOf(stateDir, workspace);
  const read = await readRegularFile(path, { maxBytes: largestFile });
  if (!read.ok) {
    const isAbsent = read.problem.code === "ENOENT";
    return {
      grants: [],
      warnings: isAbsent ? [] : [`${read.problem.message}: nothing that it allows holds.`],
    };
  }
  const json = parseJson(new TextDecoder().decode(read.value));
  const kept = json.ok ? await grantsIn(json.value, workspace) : undefined;
  if (kept) return { grants: kept, warnings: [] };
  return { grants: [], warnings: [`${path} is damaged: nothing that it allows holds. Remove it.`] };
}

/** The schemas take 8 ms to load, and there mostly is no file. */
async function grantsIn(file: unknown, workspace: string): Promise<Grant[] | undefined> {
  if (!isObject(file) || file["workspace"] !== workspace || !Array.isArray(file["grants"])) return undefined;
  const { grant } = await import("../protocol/fact-parts.ts");
  const read = file["grants"].map((each) => grant.safeParse(each));
  const good = read.flatMap(({ success, data }) => (success && data ? [data] : []));
  return good.length === read.length ? good : undefined;
}

/** Reads again before each change, so that of two programs none forgets what the other kept. */
export async function openProjectGrants(
  stateDir: string,
  workspace: string,
): Promise<{ grants: ProjectGrants; warnings: string[] }> {
  const kept = await readProjectGrants(stateDir, workspace);
  let now = kept.grants;
  const add = async (grant: Grant): Promise<CommandOutcome> => {
    const latest = await readProjectGrants(stateDir, workspace);
    const others = latest.grants.filter((other) => !isSame(other, grant));
    const grants = [...others, grant];
    const written = await write(stateDir, workspace, grants);
    if (written.ok) now = grants;
    return written;
  };
  return { grants: { list: () => now, add }, warnings: kept.warnings };
}

/** Takes back one by its number in the list, from 1, or all; tells what was taken back. */
export async function forgetGrants(
  stateDir: string,
  workspace: string,
  which: number | "all",
): Promise<{ ok: true; forgotten: Grant[] } | { ok: false; problem: string }> {
  const { grants } = await readProjectGrants(stateDir, workspace);
  const forgotten = which === "all" ? grants : grants.slice(which - 1, which);
  if (which !== "all" && forgotten.length === 0)
    return {
      ok: false,
      problem: `There is no grant ${which}: \`toolwright policy grants\` lists those that hold.`,
    };
  const left = grants.filter((grant) => !forgotten.includes(grant));
  const written =
    left.length > 0 ? await write(stateDir, workspace, left) : await remove(stateDir, workspace);
  return written.ok ? { ok: true, forgotten } : written;
}

async function write(stateDir: string, workspace: string, grants: readonly Grant[]): Promise<CommandOutcome> {
  const text = `${JSON.stringify({ workspace, grants }, undefined, 2)}\n`;
  const written = await writeAtomically(fileOf(stateDir, workspace), new TextEncoder().encode(text), 0o600);
  return written.ok ? written : { ok: false, problem: `${written.problem.message}. Nothing was kept.` };
}

async function remove(stateDir: string, workspace: string): Promise<CommandOutcome> {
  const removed = await removeFile(fileOf(stateDir, workspace));
  if (removed.ok || removed.problem.code === "ENOENT") return { ok: true };
  return { ok: false, problem: `${removed.problem.message}.` };
}

/** A file of its own for each workspace, by its real path. */
function fileOf(stateDir: string, workspace: string): string {
  const name = sha256(new TextEncoder().encode(workspace)).slice(0, 32);
  return join(stateDir, "grants", `${name}.json`);
}

const isSame = (one: Grant, other: Grant): boolean => JSON.stringify(one) === JSON.stringify(other);

export type ListedGrant = { number: number; words: string; grant: Grant };

export const listed = (grants: readonly Grant[]): ListedGrant[] =>
  grants.map((grant, at) => ({ number: at + 1, words: grantInWords(grant), grant }));

/** A workspace as sessions know it. */
export const realWorkspace = (path: string): Promise<string> => realpath(path).catch(() => path);
