/** A workspace as an editor has it: files with unsaved changes are read from the editor, and saved before we write. */

import { join } from "node:path";
import { type Change, contentOf, type Image } from "../base/safe-fs/image.ts";
import type { FileResult } from "../base/safe-fs/problems.ts";
import type { Tree } from "../base/safe-fs/tree.ts";

/** The texts that an editor has open. Paths are absolute. */
export type EditorBuffers = {
  /** Undefined if the editor has nothing to tell about the file. */
  text(path: string): Promise<string | undefined>;
  save(path: string, text: string): Promise<void>;
};

/** `buffers`: those of the editor that is there now, if one is. */
export function withUnsaved(files: Tree, buffers: () => EditorBuffers | undefined): Tree {
  const unsaved = async (path: string, saved: Uint8Array): Promise<Uint8Array | undefined> => {
    const text = await buffers()?.text(join(files.root, path));
    return text === undefined ? undefined : newerThan(saved, text);
  };
  /** What the change was planned on is put where it will be looked for. */
  const save = async ({ path, before }: Change): Promise<void> => {
    const editor = buffers();
    if (!editor || before?.kind !== "file") return;
    const now = await files.image(path, { maxBytes: before.content.size + slack });
    if (!now.ok || now.value?.kind !== "file" || now.value.content.hash === before.content.hash) return;
    const text = await unsaved(path, await now.value.content.read());
    if (text && contentOf(text).hash === before.content.hash)
      await editor.save(join(files.root, path), new TextDecoder().decode(text));
  };
  return {
    ...files,
    async read(path, limit) {
      const found = await files.read(path, limit);
      const newer = found.ok ? await unsaved(path, found.value) : undefined;
      return newer && newer.length <= limit.maxBytes ? { ok: true, value: newer } : found;
    },
    async image(path, limit) {
      const found = await files.image(path, limit);
      if (!buffers()) return found;
      return (await unsavedImage(found, (saved) => unsaved(path, saved))) ?? found;
    },
    async put(change, options) {
      await save(change);
      return files.put(change, options);
    },
    async putAll(changes, options) {
      for (const change of changes) await save(change);
      return files.putAll(changes, options);
    },
  };
}

/** A saved file may be this much longer than the unsaved text, and is still compared with it. */
const slack = 1_000_000;

async function unsavedImage(
  found: FileResult<Image | null>,
  unsaved: (saved: Uint8Array) => Promise<Uint8Array | undefined>,
): Promise<FileResult<Image | null> | undefined> {
  if (!found.ok || found.value?.kind !== "file") return undefined;
  const newer = await unsaved(await found.value.content.read());
  return newer && { ok: true, value: { ...found.value, content: contentOf(newer) } };
}

/** Undefined if the editor has what is saved: it may have other line ends, and no mark of the byte order. */
function newerThan(saved: Uint8Array, text: string): Uint8Array | undefined {
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(saved);
  const mark = before.startsWith("\uFEFF") ? "\uFEFF" : "";
  const isWindows = before.includes("\r\n");
  const now = mark + (isWindows ? text.replaceAll(/\r?\n/gu, "\r\n") : text).replace(/^\uFEFF/u, "");
  return now === before ? undefined : new TextEncoder().encode(now);
}
