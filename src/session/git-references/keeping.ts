/** Keeps what references led to before they were moved, by references of our own, which no clean-up of git takes away. */

import { randomHex } from "../../base/crypto.ts";
import { undoBounds } from "../bounds.ts";
import { isHash, type References } from "./references.ts";
import { keptNames, type Repository, type RepositoryState } from "./repository.ts";

/** A group of kept references, by the time at which it was made. */
export const newGroup = (): string => `${keptNames}${Date.now()}-${randomHex(4)}/`;

/** One commit leads to everything, for as long as a command runs. Its name; undefined if nothing is to be held. */
export async function holdAll(
  { references, commits }: RepositoryState,
  repository: Repository,
): Promise<string | undefined> {
  const [first] = commits;
  if (first === undefined) return undefined;
  const who = `Toolwright <toolwright@localhost> ${Math.floor(Date.now() / 1000)} +0000`;
  const text = [
    `tree ${references.index ?? emptyTree(first)}`,
    ...commits.map((hash) => `parent ${hash}`),
    `author ${who}`,
    `committer ${who}`,
    "",
    "What Toolwright holds while a command runs.\n",
  ];
  const made = await repository.git(["hash-object", "-t", "commit", "-w", "--stdin"], {
    input: text.join("\n"),
  });
  const name = `${newGroup()}before`;
  if (made === undefined) return undefined;
  return (await repository.git(["update-ref", name, made.trim()])) === undefined ? undefined : name;
}

const emptyTree = ({ length }: string): string =>
  length === 40
    ? "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    : "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

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
  const gone = goneFrom(before.references, after);
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
    ...tooOld(before.kept).map((name) => `delete ${name}`),
  ];
}

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

/** By group: all of those that are too old, or too many. */
function tooOld(names: readonly string[]): string[] {
  const groups = Map.groupBy(names, (name) => name.slice(0, name.indexOf("/", keptNames.length)));
  const since = (group: string): number => Number.parseInt(group.slice(keptNames.length), 10) || 0;
  const newestFirst = [...groups].toSorted(([one], [other]) => since(other) - since(one));
  const oldest = Date.now() - undoBounds.keptReferencesMs.most;
  return newestFirst.flatMap(([group, its], at) =>
    since(group) < oldest || at >= undoBounds.keptReferences.most ? its : [],
  );
}
