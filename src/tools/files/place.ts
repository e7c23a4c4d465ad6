/** Resolves a model's path to a file of the workspace, and reads its current state. */

import { posix } from "node:path";
import { type Expected, refuse } from "../../base/expected.ts";
import { insideWorkspace, type PlaceInside } from "../../base/paths.ts";
import { hashOfImage, type Image } from "../../base/safe-fs/image.ts";
import type { FileProblem } from "../../base/safe-fs/problems.ts";
import { toolBounds } from "../bounds.ts";
import type { ToolContext } from "../tool.ts";

/** The largest file that tools read whole, change or search. */
export const largestFile = toolBounds.fileBytes.most;

/** Other names under which models know a path argument (requirement A23). */
export const pathAliases: readonly string[] = ["file", "filePath", "filename", "targetFile"];

/** `bytes` and `image` are `null` if nothing exists there; the image carries the mode. */
export type FileNow = PlaceInside & { bytes: Uint8Array | null; image: Image | null };

/** The current file; refused if it is not a file, or has changed since the model last saw it. */
export async function fileToChange(context: ToolContext, path: string): Promise<Expected<FileNow>> {
  const place = await insideWorkspace(context.workspace, path);
  if (!place.ok) return place;
  const { relative } = place.value;
  if (path.endsWith("/"))
    return refuse(`${relative}/ names a directory, since it ends with a slash; name a file in it.`);
  const found = await context.files.image(relative, { maxBytes: largestFile });
  if (!found.ok) return refuse(asSentence(found.problem));
  const image = found.value;
  if (image !== null && image.kind !== "file")
    return refuse(`${relative} is a ${image.kind === "link" ? "symbolic link" : "directory"}, not a file.`);
  const seen = context.seen(relative);
  if (seen !== undefined && seen !== hashOfImage(image)) {
    const now = image === null ? "is gone" : "has changed";
    return refuse(`${relative} ${now} since you last read or wrote it; read it again first.`);
  }
  const bytes = image === null ? null : await image.content.read();
  return { ok: true, value: { ...place.value, bytes, image } };
}

/** Like `fileToChange`, for tools that write one file: a new path is refused if it could not be created. */
export async function fileToWrite(context: ToolContext, path: string): Promise<Expected<FileNow>> {
  const file = await fileToChange(context, path);
  if (!file.ok || file.value.image !== null) return file;
  const { relative } = file.value;
  for (let above = posix.dirname(relative); above !== "."; above = posix.dirname(above)) {
    const status = await context.files.look(above);
    if (!status.ok || status.value === null) continue;
    if (status.value.kind === "directory") return file;
    return refuse(`There can be no file ${relative}: ${above} is not a directory.`);
  }
  return file;
}

export const asSentence = ({ message }: FileProblem): string => `${message}.`;
