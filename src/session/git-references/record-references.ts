/** Records a repository's references before a command that may move them, so that undo can move them back. */

import { type Change, fileImage } from "../../base/safe-fs/image.ts";
import { holdAll, keepingLines, newGroup } from "./keeping.ts";
import { putReferences } from "./put-references.ts";
import { type References, referencesText } from "./references.ts";
import { readRepository, type Repository } from "./repository.ts";

/** `path`: under which undo knows them. */
type RecordedRepository = { path: string; repository: Repository };

export type ReferencesRecord = {
  /** What the command moved, and in words what of it undo cannot bring back. Nothing is held any more then. */
  changes(): Promise<{ changes: Change[]; uncovered: string[] }>;
  /** Moves all of that back at once; what could not be, in words. */
  takeBack(): Promise<string[]>;
};

export async function recordReferences(recorded: readonly RecordedRepository[]): Promise<ReferencesRecord> {
  const all = await Promise.all(recorded.map(recordOne));
  let ended: Promise<MovedOutcome[]> | undefined;
  const end = (): Promise<MovedOutcome[]> => (ended ??= Promise.all(all.map((one) => one())));
  return {
    async changes() {
      const each = await end();
      return {
        changes: each.flatMap(({ path, before, after }) =>
          after ? [{ path, before: imageOf(before), after: imageOf(after) }] : [],
        ),
        uncovered: each.flatMap(({ problem }) => problem ?? []),
      };
    },
    async takeBack() {
      const problems: string[] = [];
      const left: MovedOutcome[] = [];
      for (const one of await end()) {
        const { after, ...known } = one;
        const put = after && (await putReferences(one.repository, { from: after, to: one.before }));
        if (put && !put.ok) problems.push(put.problem);
        left.push(put && !put.ok ? one : known);
      }
      ended = Promise.resolve(left);
      return problems;
    },
  };
}

/** `after`: absent if nothing was moved, or git cannot tell. */
type MovedOutcome = RecordedRepository & { before: References; after?: References; problem?: string };

async function recordOne({ path, repository }: RecordedRepository): Promise<() => Promise<MovedOutcome>> {
  const before = await readRepository(repository);
  if (!before) return () => Promise.resolve({ path, repository, before: nowhere }); // none that git can read
  const held = await holdAll(before, repository);
  const group = held === undefined ? newGroup() : held.slice(0, held.lastIndexOf("/") + 1);
  const known = { path, repository, before: before.references };
  return async () => {
    const after = (await readRepository(repository))?.references;
    // What was held stays held then.
    if (after === undefined)
      return { ...known, problem: `what git keeps for ${path}, which it cannot read any more` };
    const isMoved = referencesText(after) !== referencesText(before.references);
    const kept = isMoved ? await keepingLines({ before, after, group }, repository) : [];
    const lines = [...(held === undefined ? [] : [`delete ${held}`]), ...kept];
    if (lines.length > 0)
      await repository.git(["update-ref", "--no-deref", "--stdin"], {
        input: lines.map((line) => `${line}\n`).join(""),
      });
    return isMoved ? { ...known, after } : known;
  };
}

const nowhere: References = { head: undefined, index: undefined, names: new Map(), stash: [], open: [] };

const imageOf = (references: References): ReturnType<typeof fileImage> =>
  fileImage(new TextEncoder().encode(referencesText(references)));
