/**
 * Determines what a person's trust in a command covers: the workspace files it may run, and the parts that cannot be
 * followed.
 */

import { statSync } from "node:fs";
import { homedir } from "node:os";
import { relative, resolve } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { readSmallFile } from "../../base/safe-fs/small-file.ts";
import { shellQuoted } from "../../base/shell-word.ts";
import { ranFileBounds, mostFileNames } from "./bounds.ts";
import { filesMeant, type NamedFiles, openLooks } from "./files.ts";
import { ranFurther } from "./further.ts";
import { shellAt } from "./shell-at.ts";
import { saysWhatIsLoaded, unfollowedParts } from "./unfollowed-parts.ts";
import { piecesOf, variants } from "./words.ts";

/**
 * `path`: relative to the workspace. Without `bytes`, the hash comes from the size and modification time, or from the
 * read error.
 */
type RunFile = { path: string; hash: string; bytes?: Uint8Array };

/** A command line for a shell, or a program with its arguments. */
type CommandToRun = { type: "line"; line: string } | { type: "program"; command: readonly string[] };

type RunFiles = {
  /** Sorted by path. */
  files: RunFile[];
  /** Directories of which every file counts, ending in "/". */
  whole: string[];
  /** The parts of the command, in its words, that do not reveal which files they load. */
  unfollowed: string[];
};

/** `from`: the start directory, if not the workspace; `variables`: set for the command. */
type RunSurroundings = {
  workspace: string;
  home?: string;
  from?: string;
  variables?: readonly (readonly [name: string, value: string])[];
};

/** Undefined: the command may involve more files than can be checked each time, so nobody can consent to it. */
export function filesRunBy(
  runs: CommandToRun,
  { workspace, from = workspace, home = homedir(), variables = [] }: RunSurroundings,
): RunFiles | undefined {
  const line = runs.type === "line" ? runs.line : runs.command.map(shellQuoted).join(" ");
  if (line.length > ranFileBounds.line.most) return undefined;
  const pieces = piecesOf(line, shellAt({ home, workspace, directory: from }));
  const named = variables.flatMap(([, value]) => [value, ...value.split(/[\s=:,;]+/u)]);
  const names = new Set([...pieces.names, ...named.flatMap(variants)]);
  if (names.size > mostFileNames) return undefined;
  const place = { workspace, home, from: [from], looks: openLooks() };
  const meant = filesMeant({ ...pieces, names }, place);
  if (!meant) return undefined;
  const further = ranFurther({ pieces, meant }, place);
  const files = readFiles([...new Set([...meant.files, ...further.files])].toSorted(), { workspace, meant });
  if (!files) return undefined;
  const loading = variables.map(([name, value]) => `${name}=${value}`).filter(saysWhatIsLoaded);
  const whole = meant.whole.map((path) => `${relative(workspace, path)}/`).toSorted();
  return { files, whole, unfollowed: [...loading, ...unfollowedParts(pieces, meant), ...further.untold] };
}

/** Undefined: the files are too many or too large. A file that only another file runs may be skipped for its size. */
function readFiles(
  paths: readonly string[],
  { workspace, meant }: { workspace: string; meant: NamedFiles },
): RunFile[] | undefined {
  let space: number = ranFileBounds.countedBytes.most;
  const files = paths.flatMap((path) => readOne(path, workspace) ?? []);
  for (const { bytes } of files) space -= bytes?.length ?? 0;
  if (space < 0 || paths.length > ranFileBounds.counted.most) return undefined;
  return files.filter(({ path, bytes }) => bytes || meant.files.has(resolve(workspace, path)));
}

function readOne(path: string, workspace: string): RunFile | undefined {
  const place = relative(workspace, path);
  const found = readSmallFile(path, ranFileBounds.code.most);
  if (found.ok) return found.value && { path: place, hash: sha256(found.value), bytes: found.value };
  if (found.problem !== "too-large") return { path: place, hash: found.problem };
  const status = statSync(path, { throwIfNoEntry: false });
  return { path: place, hash: `${status?.size} ${status?.mtimeMs}` };
}
