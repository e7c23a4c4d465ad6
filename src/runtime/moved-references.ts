/** What commands of git move in repositories: recorded for undo, and kept whole or not at all. */

import { basename, dirname, relative } from "node:path";
import type { GitPlace } from "../base/git-run.ts";
import { isWithin } from "../base/paths.ts";
import { referencesIn } from "../protocol/references-path.ts";
import type { ContainedRun } from "../safety/sandbox/sandbox.ts";
import { recordReferences, type ReferencesRecord } from "../session/git-references/record-references.ts";
import { gitDirectoryOf, readRepository, repositoryIn } from "../session/git-references/repository.ts";
import type { Contain, ContainedCommand, ContainedOutcome } from "../tools/tool.ts";

type MovingRequest = Pick<Parameters<Contain>[0], "directory" | "env">;

/** Repositories of one workspace whose references are recorded before a command. */
const mostRepositories = 16;

/** The workspace's own repository, that of the command's directory, and those that the sandbox lets it write. */
export async function recordRepositories(
  workspace: string,
  { directory, env }: MovingRequest,
  writable: readonly string[] = [],
): Promise<ReferencesRecord> {
  const own = await gitDirectoryOf(workspace);
  const there = await gitDirectoryOf(directory);
  const inside = [...writable, ...(there === undefined ? [] : [there])].filter(
    (path) => path !== own && basename(path) === ".git" && isWithin(workspace, path),
  );
  const places = new Map(inside.map((path) => [path, referencesIn(relative(workspace, dirname(path)))]));
  if (own !== undefined) places.set(own, referencesIn(""));
  return recordReferences(
    [...places].slice(-mostRepositories).map(([path, name]) => ({
      path: name,
      repository: repositoryIn(path, { workspace, env }),
    })),
  );
}

/** So that the first command which may move any of it need not ask git. */
export async function knowRepository(place: GitPlace): Promise<void> {
  const own = await gitDirectoryOf(place.workspace);
  if (own !== undefined) await readRepository(repositoryIn(own, place));
}

/**
 * What git changes in the working tree and what it moves are one thing. If it was refused a place in the middle of that,
 * it leaves half of it, so none of it is kept.
 */
export function wholeOrNothing(
  command: ContainedRun,
  { references, workspace }: { references: ReferencesRecord; workspace: string },
): ContainedCommand {
  const finished = async (): Promise<ContainedOutcome> => {
    const ended = await command.finished();
    const refused = (ended.refused ?? []).flatMap((one) => (one.wanted === "write" ? [one.path] : []));
    const places = refused.filter((path) => isWithin(workspace, path) && !path.includes("/.git/"));
    if (places.length === 0) return ended;
    const moved = await references.changes();
    if (ended.changes.length + ended.uncovered.length + moved.changes.length === 0) return ended;
    const stuck = await references.takeBack();
    const { settled, warnings } = ended;
    const told = [...warnings, nothingKept(places.map((path) => relative(workspace, path))), ...stuck];
    return { refused: ended.refused, settled, changes: [], warnings: told };
  };
  return { ...command, finished };
}

const nothingKept = (places: readonly string[]): string =>
  `Git was refused ${[...new Set(places)].slice(0, 6).join(", ")} in the middle of its work. So nothing of this command was kept: files, branches and what is staged are as they were before it.`;
