/** The state of the files in a patch, before and after; each path is read once. */

import { basename, dirname, resolve } from "node:path";
import { type Expected, refuse } from "../../base/expected.ts";
import { insideWorkspace } from "../../base/paths.ts";
import { type Image, modeOf } from "../../base/safe-fs/image.ts";
import { fileToChange } from "../files/place.ts";
import type { ToolContext } from "../tool.ts";
import type { Section } from "./patch.ts";

/** `mode`: permission bits; undefined for a new file. `isNew`: created by the patch, from nothing. */
export type PatchContent = { bytes: Uint8Array; mode: number | undefined; isNew?: true };

/**
 * `own`: the original content, as far as the patch leaves it. `arrived`: content moved or copied here. They are
 * separate so that files can swap places; both at the end would mean that a file is overwritten unseen.
 */
export type FileSlot = {
  path: string;
  before: Image | null;
  /** The content before the patch: the source of copies, wherever they occur in the patch, as in git. */
  first: PatchContent | null;
  own: PatchContent | null;
  arrived: PatchContent | undefined;
  /** The path as last written, if it is a link to the file. */
  link: string | undefined;
};

export type PatchFiles = {
  slots: Map<string, FileSlot>;
  slotAt(path: string): Promise<Expected<FileSlot>>;
  /** Looks up the first of the section's names that exists. */
  slotFor(section: Section): Promise<Expected<FileSlot>>;
};

export function deskOf(context: ToolContext): PatchFiles {
  const slots = new Map<string, FileSlot>();
  const slotAt = async (path: string): Promise<Expected<FileSlot>> => {
    const place = await insideWorkspace(context.workspace, path);
    if (!place.ok) return place;
    const known = slots.get(place.value.relative);
    const slot = known ? { ok: true as const, value: known } : await slotOf(context, path);
    if (!slot.ok) return slot;
    slot.value.link = (await isLink(context, path)) ? path : undefined;
    slots.set(slot.value.path, slot.value);
    return slot;
  };
  const slotFor = async ({ path, otherPaths }: Section): Promise<Expected<FileSlot>> => {
    const first = await slotAt(path);
    if (!first.ok || otherPaths.length === 0) return first;
    const there = [first.value];
    for (const other of otherPaths) {
      const slot = await slotAt(other);
      if (slot.ok) there.push(slot.value);
    }
    const files = there.filter((slot) => slot.arrived || slot.own);
    const names = [...new Set(files.map((slot) => slot.path))];
    const [only] = files;
    if (names.length > 1)
      return refuse(`The patch may mean ${names.join(" or ")}: name the same file in both of its lines.`);
    return { ok: true, value: only ?? first.value };
  };
  return { slots, slotAt, slotFor };
}

async function slotOf(context: ToolContext, path: string): Promise<Expected<FileSlot>> {
  const file = await fileToChange(context, path);
  if (!file.ok) return file;
  const { relative, bytes, image } = file.value;
  const own = bytes === null ? null : { bytes, mode: modeOf(image) };
  return {
    ok: true,
    value: { path: relative, before: image, first: own, own, arrived: undefined, link: undefined },
  };
}

async function isLink(context: ToolContext, path: string): Promise<boolean> {
  const absolute = resolve(context.workspace, path);
  const folder = await insideWorkspace(context.workspace, dirname(absolute));
  if (!folder.ok) return false;
  const status = await context.files.look(
    folder.value.relative === "." ? basename(absolute) : `${folder.value.relative}/${basename(absolute)}`,
  );
  return status.ok && status.value?.kind === "link";
}
