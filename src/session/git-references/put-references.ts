/** Moves a repository's references from one state to another, if it is still in the first. */

import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Expected, refuse } from "../../base/expected.ts";
import { newGroup } from "./holding.ts";
import { keepingLines } from "./keeping.ts";
import { isHash, type References, referencesText } from "./references.ts";
import { readRepository, type Repository } from "./repository.ts";

export async function putReferences(
  repository: Repository,
  { from, to }: { from: References; to: References },
): Promise<Expected<void>> {
  const before = await readRepository(repository);
  if (!before || referencesText(before.references) !== referencesText(from))
    return refuse("The repository's references were changed at the same moment");
  const kept = await keepingLines({ before, after: to, group: newGroup() }, repository);
  const lines = [...kept, ...movingLines(from, to)];
  const words = ["update-ref", "-m", "toolwright: undo", "--no-deref", "--stdin"];
  const input = lines.map((line) => `${line}\n`).join("");
  if (lines.length > 0 && (await repository.git(words, { input })) === undefined)
    return refuse("Git cannot move the repository's references back; what they led to may be gone");
  await moveHead(repository, { from, to });
  await moveStash(repository, { from, to });
  await moveIndex(repository, { from, to });
  for (const name of from.open.filter((one) => !to.open.includes(one)))
    await rm(join(repository.directory, basename(name)), { recursive: true, force: true });
  return { ok: true, value: undefined };
}

type ReferenceMove = { from: References; to: References };

/** For a transaction: all of them or none. */
function movingLines(from: References, to: References): string[] {
  const names = new Set([...from.names.keys(), ...to.names.keys()]);
  return [...names].flatMap((name) => {
    const [was, is] = [from.names.get(name), to.names.get(name)];
    if (was === is || name === "refs/stash" || ![was, is].every((one) => one === undefined || isHash(one)))
      return [];
    if (is === undefined) return [`delete ${name} ${was}`];
    return was === undefined ? [`create ${name} ${is}`] : [`update ${name} ${is} ${was}`];
  });
}

async function moveHead(repository: Repository, { from, to }: ReferenceMove): Promise<void> {
  if (to.head === undefined || to.head === from.head) return;
  const reason = ["-m", "toolwright: undo"];
  if (isHash(to.head)) await repository.git(["update-ref", ...reason, "--no-deref", "HEAD", to.head]);
  else await repository.git(["symbolic-ref", ...reason, "HEAD", to.head]);
}

/** Each entry is a line of the log of one reference, the oldest first. */
async function moveStash(repository: Repository, { from, to }: ReferenceMove): Promise<void> {
  if (JSON.stringify(from.stash) === JSON.stringify(to.stash)) return;
  if (from.stash.length > 0) await repository.git(["update-ref", "-d", "refs/stash"]);
  for (const { hash, message } of to.stash.toReversed())
    await repository.git(["update-ref", "--create-reflog", "-m", message || "stash", "refs/stash", hash]);
  const newest = to.names.get("refs/stash");
  if (to.stash.length === 0 && newest !== undefined)
    await repository.git(["update-ref", "refs/stash", newest]);
}

/** Where there was no tree, a merge was open: what is staged then is the merge's own work. */
async function moveIndex(repository: Repository, { from, to }: ReferenceMove): Promise<void> {
  if (to.index === undefined || to.index === from.index) return;
  const isDone = (await repository.git(["read-tree", "--reset", to.index])) !== undefined;
  if (!isDone) await repository.git(["read-tree", "--reset", "HEAD"]);
}
