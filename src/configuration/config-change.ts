/** Sets and removes a value in a configuration file: only what is valid, and counts, is written. */

import { type Expected, refuse } from "../base/expected.ts";
import { writeAtomically } from "../base/safe-fs/own-files.ts";
import { alone } from "../base/safe-fs/state-files.ts";
import { realPath } from "../safety/on-disk.ts";
import { readKeyPath, withoutValue, withValue } from "./config-edit.ts";
import { configKeys, readConfigFile } from "./config-file.ts";
import { ofOneWorkspace, readLevels, workspaceOf } from "./config-levels.ts";
import { configFileOf, type ConfigScope } from "./config-places.ts";
import { readConfigText } from "./config-text.ts";
import { type ConfigSources, mergeLevels } from "./config.ts";
import { configDirectory } from "./directories.ts";
import { configOption } from "./options/config-options.ts";
import { didYouMean } from "./options/nearest.ts";
import { readValue } from "./options/options.ts";

/** Where a change was made; `isUnwritten`: it is valid, but the file could not be written. */
export type ConfigChange =
  | { ok: true; value: { path: string } }
  | { ok: false; problem: string; isUnwritten?: true };

/** `value` as it is typed: a text, a number, or JSON. */
export async function setInConfig(
  sources: ConfigSources,
  { scope, key, value }: { scope: ConfigScope; key: string; value: string },
): Promise<ConfigChange> {
  const path = readConfigKey(key);
  if (!path.ok) return path;
  const read = readTyped(path.value, value);
  if (!read.ok) return read;
  return change(sources, { scope, path: path.value }, (text) => withValue(text, path.value, read.value));
}

/** The problem says so if it is not there. */
export async function unsetInConfig(
  sources: ConfigSources,
  { scope, key }: { scope: ConfigScope; key: string },
): Promise<ConfigChange> {
  const path = readConfigKey(key);
  if (!path.ok) return path;
  return change(sources, { scope, path: path.value }, async (text, file): Promise<Expected<string>> => {
    const without = await withoutValue(text, path.value);
    if (without !== undefined) return { ok: true, value: without };
    return refuse(`${key} is not set in ${file}.`);
  });
}

/** The path to a value of a known key; the problem names the nearest one. */
export function readConfigKey(written: string): Expected<string[]> {
  const path = readKeyPath(written);
  if (!path.ok) return path;
  const [key = "", ...below] = path.value;
  if (!configKeys.includes(key)) {
    const hint = didYouMean(key, configKeys) || ": toolwright config all lists them";
    return refuse(`There is no key "${key}" in the configuration${hint}`);
  }
  if (below.length === 0 || !configOption(key)) return path;
  return refuse(`"${key}" is a single value: write it without ".${below.join(".")}"`);
}

/** Options by their own rules; what is inside a section is JSON, and else a text. */
function readTyped([key = ""]: readonly string[], typed: string): Expected<unknown> {
  const option = configOption(key);
  if (!option) {
    try {
      const value: unknown = JSON.parse(typed);
      return { ok: true, value };
    } catch {
      return { ok: true, value: typed };
    }
  }
  const read = readValue(option, typed, `"${key}"`);
  if (!read.ok) return read;
  return { ok: true, value: option.type.kind === "duration" ? typed : read.value };
}

type ChangeText = (text: string, path: string) => Promise<Expected<string>>;

/** Where a change is made: in which file, and at which key. */
type Changing = { scope: ConfigScope; path: readonly string[] };

async function change(
  sources: ConfigSources,
  { scope, path: [key = ""] }: Changing,
  changeText: ChangeText,
): Promise<ConfigChange> {
  const workspace = workspaceOf(sources);
  const path = await configFileOf(scope, { configDir: configDirectory(sources.env), workspace });
  return alone(path, async (): Promise<ConfigChange> => {
    const text = readConfigText(path);
    if (!text.ok) return text;
    const before = await faultsOf(sources, scope, { path, text: text.value ?? "" });
    if (!before.ok) return before;
    const changed = await changeText(text.value ?? "", path);
    if (!changed.ok) return changed;
    const after = await faultsOf(sources, scope, { path, text: changed.value });
    if (!after.ok) return after;
    const problem = newFault(before.value, after.value, key);
    return problem === undefined ? write(path, changed.value, scope) : refuse(problem);
  });
}

/** Mistakes by their key, and what is only ignored where it is. */
type ConfigFaults = { mistakes: ReadonlyMap<string, string>; warnings: readonly string[] };

/**
 * What is wrong with the key itself, or was not wrong before: a mistake elsewhere stands in nobody's way, so that
 * several are mended one by one.
 */
function newFault(before: ConfigFaults, after: ConfigFaults, changed: string): string | undefined {
  const mistake = [...after.mistakes].find(([key]) => key === changed || !before.mistakes.has(key));
  return mistake?.[1] ?? after.warnings.find((warning) => !before.warnings.includes(warning));
}

/** The problem is that of a text that is no configuration at all. */
async function faultsOf(
  sources: ConfigSources,
  scope: ConfigScope,
  { path, text }: { path: string; text: string },
): Promise<Expected<ConfigFaults>> {
  const mistakes = new Map<string, string>();
  const file = await readConfigFile(path, text, (_, { key, problem }) => {
    mistakes.set(key, mistakes.get(key) ?? problem);
    return undefined;
  });
  if (!file.ok) return file;
  if (scope === "user") return { ok: true, value: { mistakes, warnings: file.value.warnings } };
  if (scope === "local")
    return { ok: true, value: { mistakes, warnings: ofOneWorkspace(file.value).warnings } };
  const levels = await readLevels(sources);
  if (!levels.ok) return levels;
  const merged = await mergeLevels({ ...levels.value, project: file.value }, sources);
  return merged.ok ? { ok: true, value: { mistakes, warnings: merged.value.warnings } } : merged;
}

/** Others need not read what may hold a key; a workspace's file is for everybody who has the workspace. */
async function write(path: string, text: string, scope: ConfigScope): Promise<ConfigChange> {
  // One's own file may be a link into a collection of such files; a workspace's could lead anywhere.
  const place = scope === "project" ? path : (realPath(path) ?? path);
  const mode = scope === "project" ? 0o666 : 0o600;
  const written = await writeAtomically(place, new TextEncoder().encode(text), mode);
  return written.ok
    ? { ok: true, value: { path } }
    : { ok: false, problem: unwritten(written.problem.message), isUnwritten: true };
}

/** Some problems say it themselves. */
const unwritten = (message: string): string =>
  message.endsWith("nothing was changed") ? `${message}.` : `${message}. Nothing was changed.`;
