/** Remembers that a command has made the workspace's repository: no later session takes its settings for a person's word. */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseJson } from "../base/json.ts";
import { readRegularFile } from "../base/safe-fs/own-files.ts";
import { saveJson, workspaceFile } from "../base/safe-fs/state-files.ts";

type RepositoryPlace = { workspace: string; stateDir: string };

/** Call what it returns whenever the command may have made one. */
export function repositoryWatch({ workspace, stateDir }: RepositoryPlace): () => Promise<void> {
  if (markOf(workspace) !== undefined) return () => Promise.resolve();
  return async () => {
    const repository = markOf(workspace);
    if (repository !== undefined) await saveJson(fileOf({ workspace, stateDir }), { workspace, repository });
  };
}

/** Whether it is the one that is there now. What cannot be read counts as remembered. */
export async function isMadeByCommand(place: RepositoryPlace): Promise<boolean> {
  const read = await readRegularFile(fileOf(place), { maxBytes: mostBytes });
  if (!read.ok) return read.problem.code !== "ENOENT";
  const json = parseJson(new TextDecoder().decode(read.value));
  if (!json.ok || !isObject(json.value)) return true;
  return json.value["repository"] === markOf(place.workspace);
}

const mostBytes = 16_384;

/** A repository that a person makes in its place later is another file. */
const markOf = (workspace: string): string | undefined =>
  lstatSync(join(workspace, ".git"), { bigint: true, throwIfNoEntry: false })?.ino.toString();

const fileOf = ({ stateDir, workspace }: RepositoryPlace): string =>
  workspaceFile(stateDir, "made-repositories", workspace);
