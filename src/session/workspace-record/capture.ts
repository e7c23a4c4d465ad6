/** Reads files before a command, so that its changes to them can be undone. */

import { join } from "node:path";
import type { Image } from "../../base/safe-fs/image.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { type ScanEntry, isUntouched, lookAt } from "./entry.ts";
import type { WorkspaceScan } from "./scan.ts";

/** Path → its image; valid as long as the entry is unchanged. */
export type CapturedImages = Map<string, { entry: ScanEntry; image: Image }>;

type Capturing = {
  tree: Tree;
  scan: WorkspaceScan;
  caps: { fileBytes: number };
  /** Contents read before earlier commands, reused if the file is untouched since. */
  remembered: CapturedImages;
  signal: AbortSignal;
};

/** Files read in parallel: enough to keep the thread pool busy, few enough for file descriptors. */
export const atOnce = 16;

/**
 * Skips files that vanish, cannot be read, or change while being read. Corrects the scan where the file differs from
 * it.
 */
export async function capture(paths: readonly string[], capturing: Capturing): Promise<CapturedImages> {
  const captured: CapturedImages = new Map();
  for (let at = 0; at < paths.length; at += atOnce) {
    capturing.signal.throwIfAborted();
    const batch = paths.slice(at, at + atOnce);
    await Promise.all(batch.map((path) => captureOne(path, { ...capturing, captured })));
  }
  return captured;
}

const attempts = 2;

async function captureOne(path: string, capturing: Capturing & { captured: CapturedImages }): Promise<void> {
  const { tree, scan, caps, remembered, captured } = capturing;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const entry = scan.entries.get(path);
    const earlier = remembered.get(path);
    if (earlier && isUntouched(earlier.entry, entry)) return void captured.set(path, earlier);
    const read = await tree.image(path, { maxBytes: caps.fileBytes });
    const now = lookAt(join(tree.root, path));
    if (now) scan.entries.set(path, now);
    else scan.entries.delete(path);
    if (!entry || !now) return;
    if (read.ok && read.value && isUntouched(entry, now))
      return void captured.set(path, { entry, image: read.value });
  }
}
