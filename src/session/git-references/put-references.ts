/** Moves a repository's references from one state to another, if it is still in the first. */

import { existsSync } from "node:fs";
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
  const lock = locks.find((name) => existsSync(join(repository.directory, name)));
  if (lock !== undefined)
    return refuse(
      `Another git is at work in the repository, or was stopped in it: remove its .git/${lock} if none is`,
    );
  const group = newGroup();
  const kept = await keepingLines({ before, after: to, group }, repository);
  const restacked = stashMoves({ from, to }) ? to.stash : [];
  const held = restacked.map(({ hash }, at) => ({ name: `${group}again-${at}`, hash }));
  kept.push(...held.map(({ name, hash }) => `create ${name} ${hash}`));
  if (!(await moveNames(repository, { from, to }, kept)))
    return refuse("Git cannot move the repository's references back; what they led to may be gone");
  await moveLinks(repository, { from, to });
  await moveHead(repository, { from, to });
  await moveStash(repository, { from, to });
  await moveIndex(repository, { from, to });
  for (const name of from.open.filter((one) => !to.open.includes(one)))
    await rm(join(repository.directory, basename(name)), { recursive: true, force: true });
  await updateAll(
    repository,
    held.map(({ name }) => `delete ${name}`),
  );
  return { ok: true, value: undefined };
}

/** Git makes one of these for as long as it writes; a stopped one leaves it. */
const locks = ["HEAD.lock", "index.lock"];

/** False if git refuses: nothing has changed then. */
async function updateAll({ git }: Repository, lines: readonly string[]): Promise<boolean> {
  if (lines.length === 0) return true;
  const words = ["update-ref", "-m", "toolwright: undo", "--no-deref", "--stdin"];
  return (await git(words, { input: lines.map((line) => `${line}\n`).join("") })) !== undefined;
}

/** All of them or none. A name must be gone before there can be one below it, or above. */
async function moveNames(
  repository: Repository,
  { from, to }: ReferenceMove,
  kept: readonly string[],
): Promise<boolean> {
  const isNew = (name: string): boolean => to.names.has(name) && !from.names.has(name);
  const fresh = [...to.names.keys()].filter(isNew);
  const inTheWay = new Map(
    [...from.names].filter(
      ([name, hash]) =>
        isHash(hash) &&
        !to.names.has(name) &&
        fresh.some((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`)),
    ),
  );
  const drops = [...inTheWay].map(([name, hash]) => `delete ${name} ${hash}`);
  const rest = { ...from, names: new Map([...from.names].filter(([name]) => !inTheWay.has(name))) };
  if (!(await updateAll(repository, [...kept, ...drops]))) return false;
  if (await updateAll(repository, movingLines(rest, to))) return true;
  await updateAll(
    repository,
    [...inTheWay].map(([name, hash]) => `create ${name} ${hash}`),
  );
  return false;
}

type ReferenceMove = { from: References; to: References };

/** For one transaction. */
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

/** Names that lead to other names, or did: no transaction has these. */
async function moveLinks({ git }: Repository, { from, to }: ReferenceMove): Promise<void> {
  for (const name of new Set([...from.names.keys(), ...to.names.keys()])) {
    const [was, is] = [from.names.get(name), to.names.get(name)];
    if (was === is || [was, is].every((one) => one === undefined || isHash(one))) continue;
    if (is === undefined) await git(["symbolic-ref", "--delete", name]);
    else if (isHash(is)) await git(["update-ref", "-m", "toolwright: undo", "--no-deref", name, is]);
    else await git(["symbolic-ref", name, is]);
  }
}

async function moveHead(repository: Repository, { from, to }: ReferenceMove): Promise<void> {
  if (to.head === undefined || to.head === from.head) return;
  const reason = ["-m", "toolwright: undo"];
  if (isHash(to.head)) await repository.git(["update-ref", ...reason, "--no-deref", "HEAD", to.head]);
  else await repository.git(["symbolic-ref", ...reason, "HEAD", to.head]);
}

const stashMoves = ({ from, to }: ReferenceMove): boolean =>
  JSON.stringify(from.stash) !== JSON.stringify(to.stash);

/** Each entry is a line of the log of one reference, the oldest first. */
async function moveStash(repository: Repository, { from, to }: ReferenceMove): Promise<void> {
  if (!stashMoves({ from, to })) return;
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
