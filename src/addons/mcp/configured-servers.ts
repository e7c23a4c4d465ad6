/**
 * Collects the configured servers: the user's, and those that a workspace defines in the files of agents and editors.
 */

import { join, resolve } from "node:path";
import { sha256 } from "../../base/crypto.ts";
import { attempt } from "../../base/expected.ts";
import { isObject } from "../../base/json.ts";
import { commandWords, type FilesRun, unfollowedWords } from "../files-run.ts";
import type { TrustItem, Trust } from "../trust.ts";
import { serverFiles } from "./configured-files.ts";
import { describedIn } from "./described-servers.ts";
import { readSmall, withEnvFile } from "./env-file.ts";
import type { McpServers, McpServerSettings } from "./settings.ts";

export type ConfiguredServer = {
  name: string;
  settings: McpServerSettings;
  /** What a person must consent to first; absent for the user's own servers. */
  brought?: TrustItem;
  /** The same as of now: the files that its command names may have changed. */
  broughtNow?: () => TrustItem | undefined;
  /** The file that defines it, for people. */
  where: string;
};

export type ConfiguredPlace = {
  /** Absolute and resolved. */
  workspace: string;
  user: McpServers | undefined;
  /** A program has named the user's: the workspace's are left out, and nothing in them stands for a variable. */
  areLent?: true;
  /** The servers of the workspace's own Toolwright configuration. */
  own: { servers: McpServers | undefined; path: string | undefined };
  trust: Pick<Trust, "filesRun">;
};

/** The first of a name wins, the user's own before all others. Problems are one line each, for people. */
export async function configuredServers(
  place: ConfiguredPlace,
): Promise<{ servers: ConfiguredServer[]; problems: string[] }> {
  const problems: string[] = [];
  const servers = new Map<string, ConfiguredServer>();
  const add = async (name: string, settings: McpServerSettings, where: string): Promise<void> => {
    if (servers.has(name)) return;
    const isUsers = where === userFile;
    const broughtNow = isUsers ? undefined : await lookAt(place, { name, settings, where });
    const needed = broughtNow?.();
    if (!isUsers && !needed) {
      problems.push(
        `${where}: the tool server ${name} cannot be agreed to, because its command may mean too many files of the workspace: it does not start.`,
      );
      return;
    }
    const brought = needed && broughtNow ? { brought: needed, broughtNow } : {};
    // A workspace may not declare its own servers' tools as read-only.
    const { reads: _, ...untrusted } = settings;
    servers.set(name, { name, settings: isUsers ? settings : untrusted, where, ...brought });
  };
  for (const [name, settings] of Object.entries(place.user ?? {})) await add(name, settings, userFile);
  if (place.areLent) return { servers: withoutDisabled(servers), problems };
  const { servers: own = {}, path = ".toolwright/config.jsonc" } = place.own;
  for (const [name, settings] of Object.entries(own)) await add(name, settings, path);
  for (const { path: file, key } of serverFiles)
    for (const [name, settings] of await serversIn(place.workspace, { file, key }, problems))
      await add(name, settings, file);
  return { servers: withoutDisabled(servers), problems };
}

const withoutDisabled = (servers: ReadonlyMap<string, ConfiguredServer>): ConfiguredServer[] =>
  [...servers.values()].filter(({ settings }) => settings.disabled !== true);

const userFile = "your configuration";

async function serversIn(
  workspace: string,
  { file, key }: { file: string; key: string },
  problems: string[],
): Promise<[string, McpServerSettings][]> {
  const text = readSmall(join(workspace, file));
  if (text === undefined) return [];
  if (!text.ok) {
    problems.push(`${file} ${text.problem}: its servers are not there.`);
    return [];
  }
  const settings = await (file.endsWith(".toml") ? fromToml(text.value) : fromJson(text.value));
  if (!settings) {
    const format = file.endsWith(".toml") ? "TOML" : "JSON object";
    problems.push(`${file} is no ${format} that can be read: its servers are not there.`);
    return [];
  }
  const found = describedIn(settings, key);
  problems.push(...found.problems.map((problem) => `${file}: ${problem}`));
  return found.servers;
}

async function fromJson(text: string): Promise<Record<string, unknown> | undefined> {
  const { parse } = await import("jsonc-parser");
  const errors: { error: number; offset: number; length: number }[] = [];
  const json: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 && isObject(json) ? json : undefined;
}

async function fromToml(text: string): Promise<Record<string, unknown> | undefined> {
  const { parse } = await import("smol-toml");
  return attempt(() => parse(text));
}

type NamedServer = { name: string; settings: McpServerSettings; where: string };

async function lookAt(
  { workspace, trust }: ConfiguredPlace,
  server: NamedServer,
): Promise<() => TrustItem | undefined> {
  const filesRun = await trust.filesRun();
  return () => broughtBy({ workspace, filesRun }, server);
}

/**
 * The hash covers everything that the server would run, including scripts of the workspace named by its command line.
 * Undefined: there may be too many, so nobody can consent to it.
 */
export function broughtBy(
  place: { workspace: string; filesRun: FilesRun },
  { name, settings, where }: NamedServer,
): TrustItem | undefined {
  const { workspace } = place;
  const { command, args = [], env = {}, envFile, cwd, url, headers = {}, type } = settings;
  const counted = countedIn(place, settings);
  if (!counted) return undefined;
  const scripts = counted.files.map(({ path, hash }) => ({ path, hash }));
  const held = [...scripts.map(({ path }) => path), ...counted.whole];
  const told = { type, command, args, env, envFile, cwd, url, headers, scripts, held };
  return {
    kind: "server",
    name,
    where: where.startsWith(workspace) ? where.slice(workspace.length + 1) : where,
    shows: showsOf(settings, counted),
    files: scripts.map(({ path }) => path),
    held,
    hash: sha256(new TextEncoder().encode(JSON.stringify(told))),
  };
}

function showsOf(
  { command, args = [], env = {}, envFile, cwd, url, headers = {} }: McpServerSettings,
  { files, unfollowed }: NonNullable<ReturnType<FilesRun>>,
) {
  const lines =
    command === undefined
      ? [`reaches ${url ?? "nothing"}`, ...pairs("with the header", headers)]
      : [
          `runs ${commandWords([command, ...args])}`,
          ...(cwd === undefined ? [] : [`in ${cwd}`]),
          ...pairs("with", env),
          ...(envFile === undefined ? [] : [`with the variables in ${envFile}`]),
        ];
  const counts = files.map(({ path }) => `whose content counts: ${path}`);
  return [...lines, ...counts, ...unfollowedWords(unfollowed)].join("\n");
}

const pairs = (what: string, map: Record<string, string>): string[] =>
  Object.entries(map).map(([name, value]) => `${what} ${name}=${value}`);

/**
 * Files named by the command itself, within a shell line, or through a variable (`NODE_OPTIONS`), without duplicates.
 */
function countedIn(
  { workspace, filesRun }: { workspace: string; filesRun: FilesRun },
  settings: McpServerSettings,
): ReturnType<FilesRun> {
  const { command, args = [], envFile, cwd } = settings;
  if (command === undefined) return { files: [], whole: [], unfollowed: [] };
  const whole = [command, ...args].map((word) => withFolder(word, workspace));
  const file = envFile === undefined ? {} : { envFile: withFolder(envFile, workspace) };
  const read = withEnvFile({ ...settings, ...file }, workspace);
  const { env = {} } = read.ok ? read.value : settings;
  const values = Object.entries({ ...env, ...file }).map(
    ([name, value]) => [name, withFolder(value, workspace)] as const,
  );
  const from = cwd === undefined ? workspace : resolve(workspace, withFolder(cwd, workspace));
  return filesRun({ type: "program", command: whole }, { workspace, from, variables: values });
}

const withFolder = (word: string, workspace: string): string =>
  word.replaceAll("${workspaceFolder}", workspace).replaceAll("${env:PWD}", workspace);
