/** Grants that hold in a workspace until revoked: one file per workspace, in the state directory. */

import { mostStateFileBytes } from "../base/bounds.ts";
import { refuse } from "../base/expected.ts";
import { isObject, parseJson } from "../base/json.ts";
import { readRegularFile } from "../base/safe-fs/own-files.ts";
import { fileState } from "../base/safe-fs/small-file.ts";
import { alone, removeKept, saveJson, workspaceFile } from "../base/safe-fs/state-files.ts";
import type { CommandOutcome } from "../protocol/commands.ts";
import type { Grant } from "../protocol/facts.ts";
import { isSameGrant } from "../protocol/same-grant.ts";
import { grantInWords } from "../safety/grants.ts";

export type ProjectGrants = {
  /** The grants in force, oldest first. Re-reads the file if it changed: another program may have revoked one. */
  list(): Promise<readonly Grant[]>;
  /** Stored once resolved; the problem is one line. */
  add(grant: Grant): Promise<CommandOutcome>;
};

/** The readable grants of a file, and warnings about the rest. */
type StoredGrants = { grants: Grant[]; warnings: string[] };

/** An unreadable file grants nothing and produces a warning. */
export async function readProjectGrants(stateDir: string, workspace: string): Promise<StoredGrants> {
  const path = fileOf(stateDir, workspace);
  const read = await readRegularFile(path, { maxBytes: mostStateFileBytes });
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

/** Imports the schema late: it takes 8 ms to load, and usually there is no file. */
async function grantsIn(file: unknown, workspace: string): Promise<Grant[] | undefined> {
  if (!isObject(file) || file["workspace"] !== workspace || !Array.isArray(file["grants"])) return undefined;
  const { grant } = await import("../protocol/fact-parts.ts");
  const read = file["grants"].map((each) => grant.safeParse(each));
  const good = read.flatMap(({ success, data }) => (success && data ? [data] : []));
  return good.length === read.length ? good : undefined;
}

export async function openProjectGrants(
  stateDir: string,
  workspace: string,
): Promise<{ grants: ProjectGrants; warnings: string[] }> {
  const path = fileOf(stateDir, workspace);
  const read = async () => ({ state: fileState(path), ...(await readProjectGrants(stateDir, workspace)) });
  let known = await read();
  const { warnings } = known;
  const list = async (): Promise<readonly Grant[]> => {
    if (fileState(path) !== known.state) known = await read();
    return known.grants;
  };
  const add = (grant: Grant): Promise<CommandOutcome> =>
    alone(path, async () => {
      const others = (await list()).filter((other) => !isSameGrant(other, grant));
      return saveJson(path, { workspace, grants: [...others, grant] });
    });
  return { grants: { list, add }, warnings };
}

type RevokedGrants = { ok: true; forgotten: Grant[] } | { ok: false; problem: string };

/** Revokes one grant by its 1-based number in the list, or all; returns what was revoked. */
export async function forgetGrants(
  stateDir: string,
  workspace: string,
  which: number | "all",
): Promise<RevokedGrants> {
  const path = fileOf(stateDir, workspace);
  return alone(path, async (): Promise<RevokedGrants> => {
    const { grants } = await readProjectGrants(stateDir, workspace);
    const forgotten = which === "all" ? grants : grants.slice(which - 1, which);
    if (which !== "all" && forgotten.length === 0) return noSuchGrant(which);
    const left = grants.filter((grant) => !forgotten.includes(grant));
    const written =
      left.length > 0 ? await saveJson(path, { workspace, grants: left }) : await removeKept(path);
    return written.ok ? { ok: true, forgotten } : written;
  });
}

const noSuchGrant = (number: number): RevokedGrants =>
  refuse(`There is no grant ${number}: \`toolwright policy grants\` lists those that hold.`);

const fileOf = (stateDir: string, workspace: string): string => workspaceFile(stateDir, "grants", workspace);

type ListedGrant = { number: number; words: string; grant: Grant };

export const numberedGrants = (grants: readonly Grant[], first = 1): ListedGrant[] =>
  grants.map((grant, at) => ({ number: first + at, words: grantInWords(grant), grant }));
