/** Small files in the state directory, one per workspace, that several programs read and write. */

import { join } from "node:path";
import { sha256 } from "../crypto.ts";
import { refuse } from "../expected.ts";
import { withLocks } from "./locks.ts";
import { removeFile, writeAtomically } from "./own-files.ts";
import { FileError } from "./problems.ts";

/** Names the file by the workspace's real path. */
export function workspaceFile(stateDir: string, folder: string, workspace: string): string {
  const name = sha256(new TextEncoder().encode(workspace)).slice(0, 32);
  return join(stateDir, folder, `${name}.json`);
}

type StateFileProblem = { ok: false; problem: string };

/** Holds a lock between reading and writing the file, so that concurrent programs do not lose each other's changes. */
export async function alone<T>(path: string, work: () => Promise<T>): Promise<T | StateFileProblem> {
  try {
    return await withLocks([path], work);
  } catch (error) {
    if (error instanceof FileError) return refuse(`${error.message}. Nothing was kept.`);
    throw error;
  }
}

/** Readable by its owner only. */
export async function saveJson(path: string, value: object): Promise<{ ok: true } | StateFileProblem> {
  const text = `${JSON.stringify(value, undefined, 2)}\n`;
  const written = await writeAtomically(path, new TextEncoder().encode(text), 0o600);
  return written.ok ? { ok: true } : refuse(`${written.problem.message}. Nothing was kept.`);
}

export async function removeKept(path: string): Promise<{ ok: true } | StateFileProblem> {
  const removed = await removeFile(path);
  if (removed.ok || removed.problem.code === "ENOENT") return { ok: true };
  return refuse(`${removed.problem.message}.`);
}
