/** The ways to start a language server for a directory, best first, and the consent that each requires. */

import { basename, dirname, extname, isAbsolute, join, relative } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { directoriesUp, isFile, isWithin, realPath } from "../../base/paths.ts";
import type { AddonContext } from "../part.ts";
import type { TrustItem } from "../trust.ts";
import { besidePackage, inPackages, manifestOf, onMachine, packageOf, startOf } from "./places.ts";
import type { LanguageProgram, ServerRow } from "./rows.ts";
import type { LanguageServerSettings } from "./settings.ts";

export type LaunchEnvironment = Pick<AddonContext, "workspace" | "home" | "environment">;

/** A known server merged with the configuration. `named`: the user configured it, which implies consent. */
export type KnownLanguageServer = ServerRow & { named: boolean; command?: readonly string[] };

export type Launch = {
  command: readonly string[];
  options: JsonObject;
  /** What a person must consent to first. */
  needs?: TrustItem;
  /** The program's origin, in words for people. */
  from: string;
};

/** The known servers with the user's settings applied; none if the user disabled them. */
export function knownServers(
  rows: readonly ServerRow[],
  configured: LanguageServerSettings | undefined,
): KnownLanguageServer[] {
  if (configured === false) return [];
  const own = Object.entries(configured ?? {});
  const known = rows.flatMap((row): KnownLanguageServer[] => {
    const said = configured?.[row.name];
    return said?.disabled ? [] : [{ ...row, ...(said ? asSaid(said, row) : {}), named: said !== undefined }];
  });
  const added = own.flatMap(([name, said]): KnownLanguageServer[] => {
    if (said.disabled || !said.command || rows.some((row) => row.name === name)) return [];
    return [{ ...unknownRow(name), ...asSaid(said, unknownRow(name)), named: true }];
  });
  // The user's servers take precedence for the file types they handle.
  return [...added, ...known];
}

/** Configured names without effect: neither a known server nor one with a command. */
export function unknownNames(
  rows: readonly ServerRow[],
  configured: LanguageServerSettings | undefined,
): string[] {
  const known = new Set(rows.map(({ name }) => name));
  return Object.entries(configured || {}).flatMap(([name, { command, disabled }]) =>
    command || disabled || known.has(name) ? [] : [name],
  );
}

export const unknownWords = (name: string): string =>
  `"languageServers.${name}" starts nothing: Toolwright knows no such server, and it has no "command"`;

type ServerSettings = Exclude<LanguageServerSettings, false>[string];

function asSaid({ command, files, settings }: ServerSettings, row: ServerRow): Partial<KnownLanguageServer> {
  const ends = files?.map((end) => (end.startsWith(".") ? end : `.${end}`));
  return {
    command,
    ...(ends ? { files: Object.fromEntries(ends.map((end) => [end, row.files[end] ?? end.slice(1)])) } : {}),
    ...(settings
      ? {
          settings: mergeSettings(row.settings ?? {}, settings),
          options: mergeSettings(row.options ?? {}, settings),
        }
      : {}),
  };
}

const unknownRow = (name: string): ServerRow => ({
  name,
  files: {},
  marks: [],
  root: "topmost",
  programs: [],
  install: "fix its command in the configuration",
});

export function mergeSettings(under: JsonObject, over: JsonObject): JsonObject {
  const all: JsonObject = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const known: Json | undefined = all[key];
    all[key] =
      known !== undefined && isJsonObject(known) && isJsonObject(value) ? mergeSettings(known, value) : value;
  }
  return all;
}

/** The server for a file, by extension. */
export const serverOf = (
  servers: readonly KnownLanguageServer[],
  path: string,
): KnownLanguageServer | undefined =>
  servers.find((server) => Object.hasOwn(server.files, extname(path).toLowerCase()));

/** The start directory for a file, absolute: a parent with a marker, or else the workspace. */
export function rootOf({ marks, root }: ServerRow, path: string, workspace: string): string {
  const marked = directoriesUp(workspace, dirname(path)).filter((at) =>
    marks.some((mark) => isFile(join(at, mark))),
  );
  return (root === "nearest" ? marked[0] : marked.at(-1)) ?? workspace;
}

/** `root`: absolute, in the workspace. */
export function launchesOf(server: KnownLanguageServer, root: string, place: LaunchEnvironment): Launch[] {
  if (server.command) return ownLaunches({ ...server, command: server.command }, root, place);
  const inside = server.programs.flatMap((program) => {
    const names = [
      `node_modules/.bin/${program.name}`,
      `.venv/bin/${program.name}`,
      `venv/bin/${program.name}`,
    ];
    const found = inPackages(names, { from: root, workspace: place.workspace });
    return found.flatMap((path) => launchesWith(server, { program, path, root }, place));
  });
  const outside = server.programs.flatMap((program) => {
    const path = onMachine(program.name, place);
    return path === undefined ? [] : launchesWith(server, { program, path, root }, place);
  });
  return [...inside, ...outside];
}

/**
 * A configured command is the user's own, so it is never looked up in the workspace. A known program still needs
 * consent for what it would load from there.
 */
function ownLaunches(
  server: KnownLanguageServer & { command: readonly string[] },
  root: string,
  place: LaunchEnvironment,
): Launch[] {
  const [name = "", ...parameters] = server.command;
  const path = isAbsolute(name) ? (isFile(name) ? name : undefined) : onMachine(name, place);
  if (path === undefined) return [];
  const known = server.programs.find((program) => program.with && program.name === basename(path));
  if (known) return launchesWith(server, { program: { ...known, parameters }, path, root }, place);
  return [{ command: [path, ...parameters], options: server.options ?? {}, from: "your configuration" }];
}

type ProgramMatch = { program: LanguageProgram; path: string; root: string };

function launchesWith(server: KnownLanguageServer, found: ProgramMatch, place: LaunchEnvironment): Launch[] {
  const { program, path } = found;
  const isInside = isWithin(place.workspace, path);
  if (program.since && !isNewEnough(path, program.since)) return [];
  return optionsFor(server, found, place).map(({ options, file }): Launch => {
    const command = [path, ...program.parameters];
    const brought = [
      ...(isInside ? [path] : []),
      ...(file !== undefined && isWithin(place.workspace, file) ? [file] : []),
    ];
    const needs = neededConsent(server, { command, brought, root: found.root }, place);
    return {
      command,
      options,
      from: isInside ? `the workspace (${relative(place.workspace, path)})` : path,
      needs,
    };
  });
}

function isNewEnough(path: string, { package: name, major }: NonNullable<LanguageProgram["since"]>): boolean {
  const directory = packageOf(path, name);
  const version = directory === undefined ? undefined : manifestOf(directory)?.version;
  return version !== undefined && Number.parseInt(version, 10) >= major;
}

/**
 * A file that the program needs, the project's own copy first. Set explicitly, because by default the program would
 * load the project's copy without consent.
 */
function optionsFor(
  server: KnownLanguageServer,
  { program, path, root }: ProgramMatch,
  { workspace }: LaunchEnvironment,
): { options: JsonObject; file?: string }[] {
  const own = server.options ?? {};
  if (!program.with) return [{ options: own }];
  const { file, option } = program.with;
  const [group, key] = option;
  const said = own[group];
  if (said !== undefined && isJsonObject(said) && Object.hasOwn(said, key)) return [{ options: own }];
  const inProject = directoriesUp(workspace, root)
    .map((at) => join(at, "node_modules", file))
    .filter(isFile);
  const files = new Set([...inProject.slice(0, 1), ...besidePackage(path, file).slice(0, 1)]);
  return [...files].map((one) => ({ options: mergeSettings({ [group]: { [key]: one } }, own), file: one }));
}

type Needing = { command: readonly string[]; brought: readonly string[]; root: string };

/** The consent needed for a program from the workspace, or for one that runs what the workspace specifies. */
function neededConsent(
  server: KnownLanguageServer,
  { command, brought, root }: Needing,
  place: LaunchEnvironment,
): TrustItem | undefined {
  const where = brought.map((path) => relative(place.workspace, path));
  if (where.length === 0 && (server.runs === undefined || server.named)) return undefined;
  const runs = server.runs === undefined ? "" : `, which runs ${server.runs}`;
  const line = command.map((word) =>
    isWithin(place.workspace, word) ? relative(place.workspace, word) : word,
  );
  const versions = brought.map((path) => contentsOf(path));
  const shows = `${[...line, ...where.filter((path) => !line.includes(path))].join(" ")}${runs}`;
  const settled =
    server.runs === undefined ? [] : settingsThatRun.map((name) => startOf(join(root, name)) ?? "");
  return {
    kind: "language-server",
    name: server.name,
    where: where[0] ?? (relative(place.workspace, root) || "."),
    shows,
    files: where,
    hash: sha256(Buffer.from(JSON.stringify([shows, ...versions, ...settled]))),
  };
}

/** Project files that determine what the toolchain runs. */
const settingsThatRun = [".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"];

/** The file and its package's manifest: a large file is identified by the package's name and version. */
function contentsOf(path: string): string[] {
  const packages = directoriesUp("/", dirname(realPath(path) ?? path)).filter((at) => isPackage.test(at));
  const manifest = packages.map((at) => startOf(join(at, "package.json"))).find((text) => text !== undefined);
  return [startOf(path) ?? "", manifest ?? ""];
}

const isPackage = /\/node_modules\/(?:@[^/]+\/)?[^/.@][^/]*$/;
