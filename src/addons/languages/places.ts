/** Locates language server programs: on the machine, in the user's own directories, in the workspace's packages. */

import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { attempt } from "../../base/expected.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { directoriesUp, isFile, isWithin, realPath, statsBehind } from "../../base/paths.ts";
import { languageServerBounds } from "./bounds.ts";

/** Directories below the home where installers put programs, and which shell startup files add to PATH. */
const ownPlaces = [".local/bin", ".cargo/bin", "go/bin", ".npm-global/bin", ".bun/bin", ".volta/bin"];

/** A program outside the workspace, as an absolute path. PATH entries inside the workspace are ignored. */
export function onMachine(
  name: string,
  place: { workspace: string; home: string; environment: Readonly<Record<string, string>> },
): string | undefined {
  const path = place.environment["PATH"] ?? "";
  const directories = [
    ...path.split(":").filter(isAbsolute),
    ...ownPlaces.map((own) => join(place.home, own)),
  ];
  return directories
    .map((directory) => join(directory, name))
    .find((program) => isProgram(program) && !leadsInto(place.workspace, program));
}

const leadsInto = (workspace: string, program: string): boolean =>
  isWithin(workspace, program) || isWithin(workspace, realPath(program) ?? workspace);

/** Package programs in each directory from this one up to the workspace. */
export function inPackages(
  names: readonly string[],
  { from, workspace }: { from: string; workspace: string },
): string[] {
  return directoriesUp(workspace, from)
    .flatMap((directory) => names.map((name) => join(directory, name)))
    .filter(isProgram);
}

const isProgram = (path: string): boolean =>
  isFile(path) && attempt(() => accessSync(path, constants.X_OK) === undefined) === true;

/** The directory of the package that a program belongs to, if it can be determined. */
export function packageOf(program: string, name: string): string | undefined {
  const real = realPath(program);
  if (real === undefined) return undefined;
  const beside = join(dirname(program), "..", name);
  const above = ancestors(dirname(real));
  return [...above, ...above.map((at) => join(at, "node_modules", name)), beside].find(
    (at) => manifestOf(at)?.name === name,
  );
}

/** Files of other packages, as Node would resolve them from this program's package. */
export const besidePackage = (program: string, file: string): string[] =>
  ancestors(dirname(realPath(program) ?? program))
    .map((at) => join(at, "node_modules", file))
    .filter(isFile);

function ancestors(from: string): string[] {
  const all = [from];
  for (let at = from; dirname(at) !== at; at = dirname(at)) all.push(dirname(at));
  return all;
}

type Manifest = { name: string; version: string };

export function manifestOf(directory: string): Manifest | undefined {
  const parsed = parseJson(startOf(join(directory, "package.json")) ?? "");
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { name, version } = parsed.value;
  return typeof name === "string" && typeof version === "string" ? { name, version } : undefined;
}

/** The text of a small file; undefined if missing or too large. */
export function startOf(path: string): string | undefined {
  const stats = statsBehind(path);
  if (!stats?.isFile() || stats.size > languageServerBounds.document.most) return undefined;
  return attempt(() => readFileSync(path, "utf8"));
}

export function namesIn(directory: string): { name: string; isDirectory: boolean }[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  } catch {
    return [];
  }
}
