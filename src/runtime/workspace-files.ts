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
      const place = await placeOf(root, path);
      if (!place.ok) return place;
      const read = await readRegularFile(place.value, { maxBytes });
      if (!read.ok && read.problem.code === "ENOENT") return { ok: true, value: null };
      return inWords(read);
    },
    async write(path, bytes) {
      const place = await placeOf(root, path);
      return place.ok ? inWords(await writeAtomically(place.value, bytes)) : place;
    },
    async remove(path) {
      const place = await placeOf(root, path);
      return place.ok ? inWords(await removeFile(place.value)) : place;
    },
  };
}

/** Changed files are recorded without links in their paths: one that is there now leads to another file. */
async function placeOf(root: string, path: string): Promise<Parsed<string>> {
  const place = await insideWorkspace(root, path);
  if (!place.ok) return place;
  if (place.value.relative === path) return { ok: true, value: place.value.absolute };
  return { ok: false, problem: `${path} leads to ${place.value.relative} now; nothing was taken back.` };
}

const inWords = <T>(result: FileResult<T>): Parsed<T> =>
  result.ok ? result : { ok: false, problem: result.problem.message };
