/** Records a repository's references before a command that may move them, so that undo can move them back. */

import { type Change, fileImage } from "../../base/safe-fs/image.ts";
import { holdAll, keepingLines } from "./keeping.ts";
import { referencesText } from "./references.ts";
import { readRepository, type Repository } from "./repository.ts";

/** `path`: under which undo knows them. */
export type RecordedRepository = { path: string; repository: Repository };

export type ReferencesRecord = {
  /** What the command moved, and in words what of it undo cannot bring back. Once: nothing is held any more then. */
  changes(): Promise<{ changes: Change[]; uncovered: string[] }>;
};

export async function recordReferences(
  recorded: readonly RecordedRepository[],
): Promise<ReferencesRecord> {
  const all = await Promise.all(recorded.map(recordOne));
  return {
    async changes() {
      const each = await Promise.all(all.map((one) => one()));
      return {
        changes: each.flatMap((one) => (typeof one === "object" ? [one] : [])),
        uncovered: each.flatMap((one) => (typeof one === "string" ? [one] : [])),
      };
    },
  };
}

type RecordEnd = () => Promise<Change | string | undefined>;

async function recordOne({ path, repository }: RecordedRepository): Promise<RecordEnd> {
  const before = await readRepository(repository);
  if (!before) return () => Promise.resolve(undefined); // no repository that git can read
  const held = await holdAll(before, repository);
  return async () => {
    const after = await readRepository(repository);
    const [was, is] = [referencesText(before.references), after && referencesText(after.references)];
    const isMoved = after !== undefined && was !== is;
    const group = held === undefined ? undefined : held.slice(0, held.lastIndexOf("/") + 1);
    const kept =
      isMoved && group !== undefined
        ? await keepingLines({ before, after: after.references, group }, repository)
        : [];
    const lines = [...(held === undefined ? [] : [`delete ${held}`]), ...kept];
    // If git cannot read them any more, what was held stays held.
    if (after === undefined) return `what git keeps in ${path.replace(/\/[^/]*$/u, "")}, which it cannot read any more`;
    if (lines.length > 0)
      await repository.git(["update-ref", "--no-deref", "--stdin"], {
        input: lines.map((line) => `${line}\n`).join(""),
      });
    return isMoved ? { path, before: imageOf(was), after: imageOf(is ?? "") } : undefined;
  };
}

const imageOf = (text: string): ReturnType<typeof fileImage> => fileImage(new TextEncoder().encode(text));
