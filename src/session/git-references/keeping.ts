/** Keeps what references led to before they were moved, by references of our own, which no clean-up of git takes away. */

import { undoBounds } from "../bounds.ts";
import { keptNames } from "./plain-references.ts";
import { isHash, type References } from "./references.ts";
import type { Repository, RepositoryState } from "./repository.ts";

type MovedReferences = {
  before: RepositoryState;
  after: References;
  /** In which it is kept. */
  group: string;
};

/** Lines for `update-ref --stdin` that keep what nothing leads to any more, and drop what was kept long ago. */
export async function keepingLines(
  { before, after, group }: MovedReferences,
  repository: Repository,
): Promise<string[]> {
  const there = new Set([...before.commits, ...before.tags]);
  const gone = new Map([...goneFrom(before.references, after)].filter(([, hash]) => there.has(hash)));
  const present = [...after.names.values(), after.head ?? "", ...after.stash.map(({ hash }) => hash)];
  const all = new Set(present.filter(isHash));
  const unfollowed = new Set(
    await unfollowedOf(
      [...gone.values()].filter((hash) => !before.tags.has(hash)),
      all,
      repository,
    ),
  );
  const kept = [...gone].filter(
    ([, hash]) => !all.has(hash) && (before.tags.has(hash) || unfollowed.has(hash)),
  );
  const index = await unfollowedIndex({ before: before.references, after }, repository);
  if (index !== undefined) kept.push(["index", index]);
  if (kept.length === 0) return [];
  return [
    ...kept.map(([name, hash]) => `create ${group}${name} ${hash}`),
    ...beyondBound(before.kept).map((name) => `delete ${name}`),
  ];
}

export const losesTag = ({ references, tags }: RepositoryState, after: References): boolean =>
  [...goneFrom(references, after).values()].some((hash) => tags.has(hash));

/** What a name led to that leads elsewhere now; the name is without `refs/`. */
function goneFrom(before: References, after: References): Map<string, string> {
  const gone = new Map<string, string>();
  for (const [name, hash] of before.names)
    if (isHash(hash) && after.names.get(name) !== hash && name !== "refs/stash")
      gone.set(name.slice(5), hash);
  const stashed = new Set(after.stash.map(({ hash }) => hash));
  for (const [at, { hash }] of before.stash.entries()) if (!stashed.has(hash)) gone.set(`stash-${at}`, hash);
  const { head } = before;
  if (head !== undefined && isHash(head) && after.head !== head) gone.set("HEAD", head);
  return gone;
}

/** What was staged and is in no commit: neither in the one before nor in the one after. */
async function unfollowedIndex(
  { before, after }: { before: References; after: References },
  repository: Repository,
): Promise<string | undefined> {
  if (before.index === undefined || before.index === after.index) return undefined;
  const heads = [before, after].flatMap(
    ({ head = "", names }) => names.get(head) ?? (isHash(head) ? head : []),
  );
  const trees = await repository.git(["rev-parse", ...heads.map((hash) => `${hash}^{tree}`)]);
  return trees?.split("\n").includes(before.index) ? undefined : before.index;
}

/** Asked about one by one up to so many; what is beyond is kept, needed or not. */
const mostAsked = 50;

async function unfollowedOf(
  hashes: readonly string[],
  present: ReadonlySet<string>,
  repository: Repository,
): Promise<string[]> {
  const without = [...present].map((hash) => `^${hash}\n`).join("");
  const found: string[] = [];
  for (const [at, hash] of [...new Set(hashes)].entries()) {
    if (present.has(hash)) continue;
    const first =
      at < mostAsked
        ? await repository.git(["rev-list", "--stdin", "-n", "1"], { input: `${hash}\n${without}` })
        : undefined;
    if (first !== "") found.push(hash);
  }
  return found;
}

/** By group: the oldest of those that are too many. */
function beyondBound(names: readonly string[]): string[] {
  const groups = Map.groupBy(names, groupOf);
  const newestFirst = [...groups].toSorted(([one], [other]) => since(other) - since(one));
  return newestFirst.slice(undoBounds.keptReferences.most).flatMap(([, its]) => its);
}

const groupOf = (name: string): string => /^\d+-[\da-f]+/.exec(name.slice(keptNames.length))?.[0] ?? "";
const since = (group: string): number => Number.parseInt(group, 10) || 0;
