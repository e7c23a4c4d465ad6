/** How a language server could be started for a directory, best first, and what of it a person has to agree to. */

import { basename, dirname, extname, isAbsolute, join, relative } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { isWithin } from "../../base/paths.ts";
import type { AddonRoom } from "../part.ts";
import type { Brought } from "../trust.ts";
import {
  besidePackage,
  inPackages,
  isFile,
  manifestOf,
  onMachine,
  packageOf,
  realOf,
  startOf,
  upTo,
} from "./places.ts";
import type { Program, ServerRow } from "./rows.ts";
import type { LanguageServerSettings } from "./settings.ts";

export type Place = Pick<AddonRoom, "workspace" | "home" | "environment">;

/** A row as the user's configuration leaves it. `named`: the configuration names it, so the user has agreed to it. */
export type KnownServer = ServerRow & { named: boolean; command?: readonly string[] };

export type Launch = {
  command: readonly string[];
  options: JsonObject;
  /** What a person has to agree to before. */
  needs?: Brought;
  /** In words, for people: where it comes from. */
  from: string;
};

/** The known servers with what the user says of them; none where the user wants none. */
export function knownServers(
  rows: readonly ServerRow[],
  configured: LanguageServerSettings | undefined,
): KnownServer[] {
  if (configured === false) return [];
  const own = Object.entries(configured ?? {});
  const known = rows.flatMap((row): KnownServer[] => {
    const said = configured?.[row.name];
    return said?.disabled ? [] : [{ ...row, ...(said ? asSaid(said, row) : {}), named: said !== undefined }];
  });
  const added = own.flatMap(([name, said]): KnownServer[] => {
    if (said.disabled || !said.command || rows.some((row) => row.name === name)) return [];
    return [{ ...unknownRow(name), ...asSaid(said, unknownRow(name)), named: true }];
  });
  // The user's own come first: what they are for is not for the others any more.
  return [...added, ...known];
}

/** Names in the configuration that mean nothing: no known server, and no command to start. */
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

type Said = Exclude<LanguageServerSettings, false>[string];

function asSaid({ command, files, settings }: Said, row: ServerRow): Partial<KnownServer> {
  const ends = files?.map((end) => (end.startsWith(".") ? end : `.${end}`));
  return {
    ...(command ? { command } : {}),
    ...(ends ? { files: Object.fromEntries(ends.map((end) => [end, row.files[end] ?? end.slice(1)])) } : {}),
    ...(settings
      ? { settings: merged(row.settings ?? {}, settings), options: merged(row.options ?? {}, settings) }
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

export function merged(under: JsonObject, over: JsonObject): JsonObject {
  const all: JsonObject = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const known: Json | undefined = all[key];
    all[key] =
      known !== undefined && isJsonObject(known) && isJsonObject(value) ? merged(known, value) : value;
  }
  return all;
}

/** The server for a file, by its ending. */
export const serverOf = (servers: readonly KnownServer[], path: string): KnownServer | undefined =>
  servers.find((server) => Object.hasOwn(server.files, extname(path).toLowerCase()));

/** The directory that a server is started for: one with a mark above the file, or the workspace. Absolute. */
export function rootOf({ marks, root }: ServerRow, path: string, workspace: string): string {
  const marked = upTo(workspace, dirname(path)).filter((at) => marks.some((mark) => isFile(join(at, mark))));
  return (root === "nearest" ? marked[0] : marked.at(-1)) ?? workspace;
}

/** `root`: absolute, in the workspace. */
export function launchesOf(server: KnownServer, root: string, place: Place): Launch[] {
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
 * What the user's configuration names is theirs; but it is not looked for in the workspace, and what a known one would
 * load from there has to be agreed to all the same.
 */
function ownLaunches(
  server: KnownServer & { command: readonly string[] },
  root: string,
  place: Place,
): Launch[] {
  const [name = "", ...parameters] = server.command;
  const path = isAbsolute(name) ? (isFile(name) ? name : undefined) : onMachine(name, place);
  if (path === undefined) return [];
  const known = server.programs.find((program) => program.with && program.name === basename(path));
  if (known) return launchesWith(server, { program: { ...known, parameters }, path, root }, place);
  return [{ command: [path, ...parameters], options: server.options ?? {}, from: "your configuration" }];
}

type Found = { program: Program; path: string; root: string };

function launchesWith(server: KnownServer, found: Found, place: Place): Launch[] {
  const { program, path } = found;
  const isInside = isWithin(place.workspace, path);
  if (program.since && !isNewEnough(path, program.since)) return [];
  return optionsFor(server, found, place).map(({ options, file }): Launch => {
    const command = [path, ...program.parameters];
    const brought = [
      ...(isInside ? [path] : []),
      ...(file !== undefined && isWithin(place.workspace, file) ? [file] : []),
    ];
    const needs = needed(server, { command, brought, root: found.root }, place);
    return {
      command,
      options,
      from: isInside ? `the workspace (${relative(place.workspace, path)})` : path,
      ...(needs ? { needs } : {}),
    };
  });
}

function isNewEnough(path: string, { package: name, major }: NonNullable<Program["since"]>): boolean {
  const directory = packageOf(path, name);
  const version = directory === undefined ? undefined : manifestOf(directory)?.version;
  return version !== undefined && Number.parseInt(version, 10) >= major;
}

/**
 * A file that it needs: the project's before others. Left to itself it would take the project's without being asked.
 */
function optionsFor(
  server: KnownServer,
  { program, path, root }: Found,
  { workspace }: Place,
): { options: JsonObject; file?: string }[] {
  const own = server.options ?? {};
  if (!program.with) return [{ options: own }];
  const { file, option } = program.with;
  const [group, key] = option;
  const said = own[group];
  if (said !== undefined && isJsonObject(said) && Object.hasOwn(said, key)) return [{ options: own }];
  const inProject = upTo(workspace, root)
    .map((at) => join(at, "node_modules", file))
    .filter(isFile);
  const files = new Set([...inProject.slice(0, 1), ...besidePackage(path, file).slice(0, 1)]);
  return [...files].map((one) => ({ options: merged({ [group]: { [key]: one } }, own), file: one }));
}

type Needing = { command: readonly string[]; brought: readonly string[]; root: string };

/** A program of the workspace, or one that runs what the workspace names. */
function needed(server: KnownServer, { command, brought, root }: Needing, place: Place): Brought | undefined {
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

/** Files of a project that say what its tools run. */
const settingsThatRun = [".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"];

/** The file, and the manifest of its package: what is large is known by the package's name and version. */
function contentsOf(path: string): string[] {
  const packages = upTo("/", dirname(realOf(path) ?? path)).filter((at) => isPackage.test(at));
  const manifest = packages.map((at) => startOf(join(at, "package.json"))).find((text) => text !== undefined);
  return [startOf(path) ?? "", manifest ?? ""];
}

const isPackage = /\/node_modules\/(?:@[^/]+\/)?[^/.@][^/]*$/;
