/**
 * The earlier contents of paths that a command changed: from memory, from git's objects, or from where a file was
 * moved.
 */

import { join } from "node:path";
import { contentOf, type Image } from "../../base/safe-fs/image.ts";
import type { ScanDifference } from "./differences.ts";
import { type ScanEntry, isSameContent } from "./entry.ts";
import type { GitReader } from "./git-reader.ts";
import { directoryOf, type Images, type Sources } from "./images-after.ts";
import type { InGit } from "./known-to-git.ts";

type EarlierEntry = { path: string; was: ScanEntry };
type StoodInGit = EarlierEntry & InGit;

export async function imagesBefore(
  differences: readonly ScanDifference[],
  after: Images,
  sources: Sources,
): Promise<Images> {
  const images: Images = new Map();
  const inGit: StoodInGit[] = [];
  const elsewhere: EarlierEntry[] = [];
  for (const { path, was } of differences) {
    const read = sources.captured.get(path);
    const kept = sources.clean.get(path);
    if (!was) images.set(path, null);
    else if (was.kind === "directory") images.set(path, directoryOf(was));
    else if (read) images.set(path, read.image);
    else if (kept) inGit.push({ path, was, ...kept });
    else elsewhere.push({ path, was });
  }
  await addFromGit(images, inGit, sources);
  const lost = [...elsewhere, ...inGit.filter(({ path }) => !images.has(path))];
  if (lost.length > 0) addMoved(images, lost, { differences, after });
  return images;
}

/**
 * A renamed file needs no copy: its content is at its new name. Whatever else changed nothing but the time of the last
 * change may have written it, and put its other time back.
 */
function addMoved(
  images: Images,
  lost: readonly EarlierEntry[],
  { differences, after }: { differences: readonly ScanDifference[]; after: Images },
): void {
  const standing = new Map(differences.flatMap((each) => (each.is ? [[each.is.inode, each]] : [])));
  for (const { path, was } of lost) {
    const now = standing.get(was.inode);
    if (!now?.is || !isSameContent(was, now.is)) continue;
    const image = now.path === path && now.is.mode === was.mode ? undefined : after.get(now.path);
    if (image?.kind === "file") images.set(path, { ...image, mode: was.mode });
    if (image?.kind === "link") images.set(path, image);
  }
}

async function addFromGit(images: Images, files: readonly StoodInGit[], sources: Sources): Promise<void> {
  const { git, caps, tree } = sources;
  if (!git) return;
  const readAgain = shelf(git, tree.root);
  for (const batch of batchesOf(files, caps.keptBytes)) {
    const contents = await readAgain(batch);
    for (const file of batch) {
      const bytes = contents.get(file.id);
      const image = bytes && imageOf(bytes, file, async () => (await readAgain(batch)).get(file.id));
      if (image) images.set(file.path, image);
    }
  }
}

/** Batches of one repository each and of a size that fits in memory; each is one run of git. */
function* batchesOf(files: readonly StoodInGit[], most: number): Generator<StoodInGit[]> {
  let batch: StoodInGit[] = [];
  let bytes = 0;
  for (const file of files) {
    const isOther = batch[0] !== undefined && batch[0].repository !== file.repository;
    if (isOther || (batch.length > 0 && bytes + file.was.size > most)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.was.size;
  }
  if (batch.length > 0) yield batch;
}

type Contents = Map<string, Uint8Array>;

/** Caches the last batch: a caller that requests all contents in order reads each at most twice. */
function shelf(git: GitReader, root: string): (batch: readonly StoodInGit[]) => Promise<Contents> {
  let held: { batch: readonly StoodInGit[]; contents: Promise<Contents> } | undefined;
  return (batch) => {
    if (held?.batch === batch) return held.contents;
    const repository = join(root, batch[0]?.repository ?? ".");
    const wanted = batch.map(({ id, was }) => ({ id, size: was.size }));
    held = { batch, contents: git.contents(repository, wanted) };
    return held.contents;
  };
}

function imageOf(
  bytes: Uint8Array,
  { path, was }: StoodInGit,
  again: () => Promise<Uint8Array | undefined>,
): Image | undefined {
  // Another size means that git converted line endings.
  if (bytes.length !== was.size) return undefined;
  if (was.kind === "link") {
    const target = Buffer.from(bytes).toString();
    return Buffer.from(target).equals(bytes) ? { kind: "link", target } : undefined;
  }
  const { hash, size } = contentOf(bytes);
  const read = async (): Promise<Uint8Array> => {
    const content = await again();
    if (content) return content;
    throw new Error(`The earlier content of ${path} is no longer in git's objects.`);
  };
  return { kind: "file", content: { hash, size, read }, mode: was.mode };
}
