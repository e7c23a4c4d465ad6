/** A workspace's files, and beside them the references of its repositories, each as one more file: undo knows no other. */

import { dirname, join } from "node:path";
import type { GitPlace } from "../../base/git-run.ts";
import { bytesOfImage, type Change, fileImage, hashOfImage, type Image } from "../../base/safe-fs/image.ts";
import type { FileProblem, FileResult } from "../../base/safe-fs/problems.ts";
import type { ApplyOptions, Tree } from "../../base/safe-fs/tree.ts";
import { isReferencesPath } from "../../protocol/references-path.ts";
import { putReferences } from "./put-references.ts";
import { readReferencesText, type References, referencesText } from "./references.ts";
import { gitDirectoryOf, readReferences, repositoryIn } from "./repository.ts";

export function withReferences(tree: Tree, place: GitPlace): Tree {
  return {
    root: tree.root,
    look: (path) => tree.look(path),
    read: (path, limit) => tree.read(path, limit),
    window: (path, window) => tree.window(path, window),
    list: (path, options) => tree.list(path, options),
    image: (path, limit) => (isReferencesPath(path) ? imageAt(path, place) : tree.image(path, limit)),
    put: (change, options) => tree.put(change, options),
    putAll: (changes, options) => putBoth(changes, { tree, place, options }),
    removeLeftovers: (paths) => tree.removeLeftovers(paths.filter((path) => !isReferencesPath(path))),
    locked: (paths, work) => tree.locked(paths, work),
    close: () => tree.close(),
  };
}

async function repositoryAt(
  path: string,
  place: GitPlace,
): Promise<ReturnType<typeof repositoryIn> | undefined> {
  const directory = await gitDirectoryOf(join(place.workspace, dirname(dirname(path))));
  return directory === undefined ? undefined : repositoryIn(directory, place);
}

async function imageAt(path: string, place: GitPlace): Promise<FileResult<Image | null>> {
  const repository = await repositoryAt(path, place);
  if (!repository) return { ok: true, value: null };
  const read = await readReferences(repository);
  if (!read) return { ok: false, problem: unreadable(path) };
  return { ok: true, value: fileImage(new TextEncoder().encode(referencesText(read))) };
}

const unreadable = (path: string): FileProblem => ({
  code: "EIO",
  message: `Git cannot read the repository of ${path}`,
});

type PutContext = { tree: Tree; place: GitPlace; options: ApplyOptions | undefined };

/** All or none: files first, which are put back if git refuses. */
async function putBoth(changes: readonly Change[], context: PutContext): Promise<FileResult<Change[]>> {
  const { tree, place, options } = context;
  const own = changes.filter(({ path }) => isReferencesPath(path));
  const others = changes.filter(({ path }) => !isReferencesPath(path));
  if (own.length === 0) return tree.putAll(changes, options);
  for (const { path, before } of own) {
    const now = await imageAt(path, place);
    if (!now.ok) return now;
    if (hashOfImage(now.value) !== hashOfImage(before)) return { ok: false, problem: stale(path) };
  }
  const made = others.length === 0 ? { ok: true as const, value: [] } : await tree.putAll(others, options);
  if (!made.ok) return made;
  const done: Change[] = [];
  for (const change of own) {
    const problem = await putOne(change, place);
    if (problem === undefined) done.push(change);
    else {
      for (const each of done.toReversed()) await putOne(inverse(each), place);
      if (made.value.length > 0)
        await tree.putAll(made.value.toReversed().map(inverse), { evenIfShut: true });
      return { ok: false, problem: { code: "EIO", message: `${change.path}: ${problem}` } };
    }
  }
  return { ok: true, value: [...made.value, ...own] };
}

const inverse = ({ path, before, after }: Change): Change => ({ path, before: after, after: before });

const stale = (path: string): FileProblem => ({
  code: "ESTALE",
  message: `${path} is not what it was: something else has moved the repository's references`,
});

async function putOne({ path, before, after }: Change, place: GitPlace): Promise<string | undefined> {
  const repository = await repositoryAt(path, place);
  const [from, to] = [await referencesOf(before), await referencesOf(after)];
  if (!repository || !from || !to) return "these are no references of a repository";
  const put = await putReferences(repository, { from, to });
  return put.ok ? undefined : put.problem;
}

const referencesOf = async (image: Image | null): Promise<References | undefined> =>
  image === null ? undefined : readReferencesText(new TextDecoder().decode(await bytesOfImage(image)));
