/**
 * Determines what a person's trust in a command covers: the workspace files it may run, and the parts that cannot be
 * followed.
 */

import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { bounds } from "../../base/bounds.ts";
import { sha256 } from "../../base/crypto.ts";
import { readSmallFile } from "../../base/safe-fs/small-file.ts";
import { filesMeant, type Meant, openLooks } from "./files.ts";
import { saysWhatIsLoaded, unfollowed, withoutKnown } from "./followed.ts";
import { ranFurther } from "./further.ts";
import { type CommandToRun, piecesOf, variants } from "./words.ts";

/**
 * `path`: relative to the workspace. Without `bytes`, the hash comes from the size and modification time, or from the
 * read error.
 */
type CountedFile = { path: string; hash: string; bytes?: Uint8Array };

export type Counted = {
  /** Sorted by path. */
  files: CountedFile[];
  /** The parts of the command, verbatim, that do not reveal which files they load. */
  unfollowed: string[];
};

/** `from`: the start directory, if not the workspace; `variables`: set for the command. */
type Around = {
  workspace: string;
  from?: string;
  variables?: readonly (readonly [name: string, value: string])[];
};

/** Undefined: the command may involve more files than can be checked each time, so nobody can consent to it. */
export function countedFor(
  runs: CommandToRun,
  { workspace, from = workspace, variables = [] }: Around,
): Counted | undefined {
  const length = runs.type === "line" ? runs.line.length : runs.command.join(" ").length;
  if (length > bounds.trust.line.most) return undefined;
  const pieces = piecesOf(knownIn(runs, workspace));
  const named = variables.flatMap(([, value]) => [value, ...value.split(/[\s=:,;]+/u)]);
  const names = new Set([...pieces.names, ...named.flatMap(variants)]);
  if (names.size > bounds.trust.names.most) return undefined;
  const place = { workspace, from: [from], looks: openLooks() };
  const meant = filesMeant({ ...pieces, names }, place);
  if (!meant) return undefined;
  const further = ranFurther({ pieces, meant }, place);
  const files = read([...new Set([...meant.files, ...further.files])].toSorted(), { workspace, meant });
  if (!files) return undefined;
  const loading = variables.map(([name, value]) => `${name}=${value}`).filter(saysWhatIsLoaded);
  return { files, unfollowed: [...loading, ...unfollowed(pieces, meant), ...further.untold] };
}

/** Undefined: the files are too many or too large. A file that only another file runs may be skipped for its size. */
function read(
  paths: readonly string[],
  { workspace, meant }: { workspace: string; meant: Meant },
): CountedFile[] | undefined {
  let room: number = bounds.trust.countedBytes.most;
  const files = paths.flatMap((path) => readOne(path, workspace) ?? []);
  for (const { bytes } of files) room -= bytes?.length ?? 0;
  if (room < 0 || paths.length > bounds.trust.counted.most) return undefined;
  return files.filter(({ path, bytes }) => bytes || meant.files.has(resolve(workspace, path)));
}

function knownIn(runs: CommandToRun, workspace: string): CommandToRun {
  if (runs.type === "line") return { type: "line", line: withoutKnown(runs.line, workspace) };
  return { type: "program", command: runs.command.map((word) => withoutKnown(word, workspace)) };
}

function readOne(path: string, workspace: string): CountedFile | undefined {
  const place = relative(workspace, path);
  const found = readSmallFile(path, bounds.hooks.code.most);
  if (found.ok) return found.value && { path: place, hash: sha256(found.value), bytes: found.value };
  if (found.problem !== "too-large") return { path: place, hash: found.problem };
  const status = statSync(path, { throwIfNoEntry: false });
  return { path: place, hash: `${status?.size} ${status?.mtimeMs}` };
}

/** Lines for a person, shown after the covered files. */
export function unfollowedWords(parts: readonly string[]): string[] {
  if (parts.length === 0) return [];
  const named = parts
    .slice(0, mostNamed)
    .map((text) => (text.length > longest ? `${text.slice(0, longest)}…` : text));
  return [
    "not counted, because these words do not tell it: which files of the workspace these load or run:",
    ...named.map((text) => `  ${text}`),
    ...(parts.length > mostNamed ? [`  … and ${parts.length - mostNamed} more parts`] : []),
  ];
}

const mostNamed = 5;
const longest = 200;
