/** What a harmless-looking command is in the file system: links, special files and programs that the workspace brings along. */
import { access, constants, lstat, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { insideWorkspace, isWithin } from "../base/paths.ts";
import { isPlainlyHarmless, operandsOf, plainWords } from "./harmless.ts";

/** `directory` is where it runs, absolute; `path` is the PATH that its program is looked up by. */
export type CommandPlace = { workspace: string; directory: string; path: string };

/**
 * Whether a word of a plainly harmless command names a link out of the workspace or something that is neither file
 * nor directory (a FIFO would never end), or its program is a file of the workspace.
 */
export async function leadsOut(line: string, place: CommandPlace): Promise<boolean> {
  if (!isPlainlyHarmless(line)) return false;
  const words = plainWords(line) ?? [];
  const checks = operandsOf(words).map((word) => isOdd(word, place));
  return (await Promise.all([...checks, isOfWorkspace(words[0] ?? "", place)])).includes(true);
}

async function isOdd(word: string, { workspace, directory }: CommandPlace): Promise<boolean> {
  const absolute = resolve(directory, word);
  if (!(await exists(absolute))) return false;
  const inside = await insideWorkspace(workspace, absolute);
  if (!inside.ok) return true;
  const stats = await lstat(inside.value.absolute).catch(() => undefined);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Known to the shell itself: never looked up. */
const builtins = new Set(["echo", "false", "pwd", "test", "true"]);

async function isOfWorkspace(
  program: string,
  { workspace, directory, path }: CommandPlace,
): Promise<boolean> {
  if (builtins.has(program)) return false;
  for (const entry of path.split(":")) {
    const candidate = join(resolve(directory, entry), program);
    const isFound = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isFound) return isWithin(workspace, candidate) || isWithin(workspace, await realpath(candidate));
  }
  return false;
}
