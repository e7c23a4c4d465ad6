/** Records a repository's references before a command that may move them, so that undo can move them back. */

import { type Change, fileImage } from "../../base/safe-fs/image.ts";
import { type HeldReferences, holdAll, letGoLines, letGoPlainly } from "./holding.ts";
import { keepingLines, losesTag } from "./keeping.ts";
import { putReferences } from "./put-references.ts";
import { type References, referencesText } from "./references.ts";
import { readReferences, readRepository, type Repository, type RepositoryState } from "./repository.ts";

/** `path`: under which undo knows them. */
type RecordedRepository = { path: string; repository: Repository };

export type ReferencesRecord = {
  /** What the command moved, and in words what of it undo cannot bring back. */
  changes(): Promise<{ changes: Change[]; uncovered: string[] }>;
  /** Moves all of that back at once; what could not be, in words. */
  takeBack(): Promise<string[]>;
  /** For each repository: once nothing is held any more, and what the next record needs is known. Never rejects. */
  settling: readonly (() => Promise<void>)[];
};

export async function recordReferences(recorded: readonly RecordedRepository[]): Promise<ReferencesRecord> {
  const all = await Promise.all(recorded.map(recordOne));
  let ended: Promise<MovedOutcome[]> | undefined;
  const end = (): Promise<MovedOutcome[]> => (ended ??= Promise.all(all.map((one) => one())));
  const settling = recorded.map(({ repository }) => repository.known.settle);
  return {
    settling,
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
      const outcomes = await end();
      await Promise.all(settling.map((settle) => settle()));
      for (const one of outcomes) {
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
  await repository.known.settle();
  const before = await readRepository(repository);
  if (!before) return () => Promise.resolve({ path, repository, before: nowhere }); // none that git can read
  const held = await holdAll(before, repository);
  const known = { path, repository, before: before.references };
  return async () => {
    const after = await readReferences(repository);
    // What was held stays held then.
    if (after === undefined)
      return { ...known, problem: `what git keeps for ${path}, which it cannot read any more` };
    const isMoved = referencesText(after) !== referencesText(before.references);
    // Until then all of it is held, but annotated tags: a commit leads to none.
    repository.known.later(() => settle({ before, after, held, isMoved }, repository));
    if (losesTag(before, after)) await repository.known.settle();
    return isMoved ? { ...known, after } : known;
  };
}

type EndedCommand = { before: RepositoryState; after: References; held: HeldReferences; isMoved: boolean };

async function settle({ before, after, held, isMoved }: EndedCommand, repository: Repository): Promise<void> {
  const { group } = held;
  const kept = isMoved ? await keepingLines({ before, after, group }, repository) : [];
  if (kept.length > 0 || !(await letGoPlainly(held, repository))) {
    const lines = [...letGoLines(held), ...kept];
    await repository.git(["update-ref", "--no-deref", "--stdin"], {
      input: lines.map((line) => `${line}\n`).join(""),
    });
  }
  if (isMoved) await readRepository(repository); // for the next command
}

const nowhere: References = { head: undefined, index: undefined, names: new Map(), stash: [], open: [] };

const imageOf = (references: References): ReturnType<typeof fileImage> =>
  fileImage(new TextEncoder().encode(referencesText(references)));
