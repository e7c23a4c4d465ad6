/** A workspace's files as undo sees them: read, written and removed under the same rules as a tool's changes. */
import { insideWorkspace } from "../base/paths.ts";
import type { Parsed } from "../base/json.ts";
import { readRegularFile, removeFile, writeAtomically, type FileResult } from "../base/safe-fs.ts";
import type { UndoFiles } from "../session/checkpoints.ts";

/** Before-images are at most this large: no tool plans a bigger change. */
const maxBytes = 64 * 1024 * 1024;

export function workspaceFiles(root: string): UndoFiles {
  return {
    async read(path) {
      const place = await insideWorkspace(root, path);
      if (!place.ok) return place;
      const read = await readRegularFile(place.value.absolute, { maxBytes });
      if (!read.ok && read.problem.code === "ENOENT") return { ok: true, value: null };
      return inWords(read);
    },
    async write(path, bytes) {
      const place = await insideWorkspace(root, path);
      return place.ok ? inWords(await writeAtomically(place.value.absolute, bytes)) : place;
    },
    async remove(path) {
      const place = await insideWorkspace(root, path);
      return place.ok ? inWords(await removeFile(place.value.absolute)) : place;
    },
  };
}

const inWords = <T>(result: FileResult<T>): Parsed<T> =>
  result.ok ? result : { ok: false, problem: result.problem.message };
