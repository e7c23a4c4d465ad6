/** Reading files before a command, so that what it does to them can be taken back. */

import { join } from "node:path";
import type { Image } from "../../base/safe-fs/image.ts";
import type { Tree } from "../../base/safe-fs/tree.ts";
import { type Entry, isUntouched, lookAt } from "./entry.ts";
import type { Scan } from "./scan.ts";

/** Path → what stood there; it holds as long as the entry looks the same. */
export type Captured = Map<string, { entry: Entry; image: Image }>;

type Capturing = {
  tree: Tree;
  scan: Scan;
  caps: { fileBytes: number };
  /** What was read before an earlier command, and is not read again where nobody touched it since. */
  remembered: Captured;
  signal: AbortSignal;
};

/** Files at once: enough to keep the pool of threads busy, few enough for descriptors. */
export const atOnce = 16;

/** What vanished, or cannot be read, or does not hold still, is left out. The scan is mended by what is seen. */
export async function capture(paths: readonly string[], capturing: Capturing): Promise<Captured> {
  const captured: Captured = new Map();
  for (let at = 0; at < paths.length; at += atOnce) {
    capturing.signal.throwIfAborted();
    const batch = paths.slice(at, at + atOnce);
    await Promise.all(batch.map((path) => captureOne(path, { ...capturing, captured })));
  }
  return captured;
}

const attempts = 2;

async function captureOne(path: string, capturing: Capturing & { captured: Captured }): Promise<void> {
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
