/** The present contents of paths that a command changed, held in memory or readable again. */

import { sha256 } from "../../base/crypto.ts";
import type { Image } from "../../base/safe-fs/image.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import type { RecordCaps } from "./caps.ts";
import { atOnce, type CapturedImages } from "./capture.ts";
import type { ScanDifference } from "./differences.ts";
import type { ScanEntry } from "./entry.ts";
import type { GitReader } from "./git-reader.ts";
import type { InGit } from "./known-to-git.ts";

/** `null`: nothing exists; an absent path: unknown. */
export type Images = Map<string, Image | null>;

export type Sources = {
  tree: Tree;
  captured: CapturedImages;
  clean: ReadonlyMap<string, InGit>;
  git?: GitReader;
  caps: RecordCaps;
};

/** As far as memory allows: contents that could be lost come before new ones. */
export async function imagesAfter(differences: readonly ScanDifference[], sources: Sources): Promise<Images> {
  const { caps } = sources;
  const images: Images = new Map();
  const toRead: ScanDifference[] = [];
  for (const difference of differences) {
    if (!difference.is) images.set(difference.path, null);
    else if (difference.is.kind === "directory") images.set(difference.path, directoryOf(difference.is));
    else toRead.push(difference);
  }
  toRead.sort((a, b) => Number(a.was === undefined) - Number(b.was === undefined));
  const context = { bytes: caps.changedBytes, files: caps.changedFiles, kept: caps.keptBytes };
  const chosen = toRead.filter(({ is }) => {
    if (!is || is.size > Math.min(context.bytes, caps.fileBytes) || context.files === 0) return false;
    context.bytes -= is.size;
    context.files -= 1;
    return true;
  });
  for (let at = 0; at < chosen.length; at += atOnce) {
    const batch = chosen.slice(at, at + atOnce).map(({ path }) => path);
    const read = await Promise.all(
      batch.map((path) => sources.tree.image(path, { maxBytes: caps.fileBytes })),
    );
    for (const [index, path] of batch.entries()) {
      const one = read[index];
      if (one?.ok) images.set(path, one.value && thrifty(one.value, path, { context, sources }));
    }
  }
  return images;
}

export const directoryOf = ({ mode }: ScanEntry): Image => ({ kind: "directory", mode });

type Thrift = { context: { kept: number }; sources: Sources };

/** Contents that no longer fit in memory are read again on demand, if still unchanged. */
function thrifty(image: Image, path: string, { context, sources }: Thrift): Image {
  if (image.kind !== "file") return image;
  const { hash, size } = image.content;
  context.kept -= size;
  if (context.kept >= 0) return image;
  const read = async (): Promise<Uint8Array> => {
    const bytes = await sources.tree.read(path, { maxBytes: sources.caps.fileBytes });
    if (bytes.ok && sha256(bytes.value) === hash) return bytes.value;
    throw new Error(`${path} is no longer as the command left it.`);
  };
  return { ...image, content: { hash, size, read } };
}
