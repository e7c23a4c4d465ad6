/** Sets and removes a value in a configuration file: only what is valid, and counts, is written. */

import type { Expected } from "../base/expected.ts";
import { writeAtomically } from "../base/safe-fs/own-files.ts";
import { alone } from "../base/safe-fs/state-files.ts";
import { realPath } from "../safety/on-disk.ts";
import { readKeyPath, withoutValue, withValue } from "./config-edit.ts";
import { configKeys, readConfigFile } from "./config-file.ts";
import { ofOneWorkspace, readLayers, workspaceOf } from "./config-layers.ts";
import { configFileOf, type ConfigScope } from "./config-places.ts";
import { readConfigText } from "./config-text.ts";
import { type ConfigSources, mergeLayers } from "./config.ts";
import { configDirectory } from "./directories.ts";
import { configOption } from "./options/config-options.ts";
import { didYouMean } from "./options/nearest.ts";
import { readValue } from "./options/options.ts";

/** Where a change was made. */
type ChangedConfig = { path: string };

/** `value` as it is typed: a text, a number, or JSON. */
export async function setInConfig(
  sources: ConfigSources,
  { scope, key, value }: { scope: ConfigScope; key: string; value: string },
): Promise<Expected<ChangedConfig>> {
  const path = readConfigKey(key);
  if (!path.ok) return path;
  const read = readTyped(path.value, value);
  if (!read.ok) return read;
  return change(sources, scope, (text) => withValue(text, path.value, read.value));
}

/** The problem says so if it is not there. */
export async function unsetInConfig(
  sources: ConfigSources,
  { scope, key }: { scope: ConfigScope; key: string },
): Promise<Expected<ChangedConfig>> {
  const path = readConfigKey(key);
  if (!path.ok) return path;
  return change(sources, scope, async (text, file): Promise<Expected<string>> => {
    const without = await withoutValue(text, path.value);
    if (without !== undefined) return { ok: true, value: without };
    return { ok: false, problem: `${key} is not set in ${file}.` };
  });
}

/** The path to a value of a known key; the problem names the nearest one. */
export function readConfigKey(written: string): Expected<string[]> {
  const path = readKeyPath(written);
  if (!path.ok) return path;
  const [key = "", ...below] = path.value;
  if (!configKeys.includes(key)) {
    const hint = didYouMean(key, configKeys) || ": toolwright config all lists them";
    return { ok: false, problem: `There is no key "${key}" in the configuration${hint}` };
  }
  if (below.length === 0 || !configOption(key)) return path;
  return { ok: false, problem: `"${key}" is a single value: write it without ".${below.join(".")}"` };
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

async function change(
  sources: ConfigSources,
  scope: ConfigScope,
  changeText: ChangeText,
): Promise<Expected<ChangedConfig>> {
  const workspace = workspaceOf(sources);
  const path = await configFileOf(scope, { configDir: configDirectory(sources.env), workspace });
  return alone(path, async (): Promise<Expected<ChangedConfig>> => {
    const text = readConfigText(path);
    if (!text.ok) return text;
    const changed = await changeText(text.value ?? "", path);
    if (!changed.ok) return changed;
    const problem = await refusal(sources, scope, { path, before: text.value ?? "", after: changed.value });
    if (problem !== undefined) return { ok: false, problem };
    return write(path, changed.value, scope);
  });
}

/** A value that is wrong, or would only be ignored where it is. */
async function refusal(
  sources: ConfigSources,
  scope: ConfigScope,
  { path, before, after }: { path: string; before: string; after: string },
): Promise<string | undefined> {
  const warned = await warningsOf(sources, scope, { path, text: before });
  const warns = await warningsOf(sources, scope, { path, text: after });
  if (!warns.ok) return warns.problem;
  const isNew = (warning: string): boolean => warned.ok && !warned.value.includes(warning);
  return warns.value.find(isNew);
}

async function warningsOf(
  sources: ConfigSources,
  scope: ConfigScope,
  { path, text }: { path: string; text: string },
): Promise<Expected<string[]>> {
  const file = await readConfigFile(path, text);
  if (!file.ok) return file;
  if (scope === "user") return { ok: true, value: file.value.warnings };
  if (scope === "local") return { ok: true, value: ofOneWorkspace(file.value).warnings };
  const layers = await readLayers(sources);
  if (!layers.ok) return layers;
  const merged = await mergeLayers({ ...layers.value, project: file.value }, sources);
  return merged.ok ? { ok: true, value: merged.value.warnings } : merged;
}

/** Others need not read what may hold a key; a workspace's file is for everybody who has the workspace. */
async function write(path: string, text: string, scope: ConfigScope): Promise<Expected<ChangedConfig>> {
  // One's own file may be a link into a collection of such files; a workspace's could lead anywhere.
  const place = scope === "project" ? path : (realPath(path) ?? path);
  const mode = scope === "project" ? 0o666 : 0o600;
  const written = await writeAtomically(place, new TextEncoder().encode(text), mode);
  return written.ok
    ? { ok: true, value: { path } }
    : { ok: false, problem: `${written.problem.message}. Nothing was changed.` };
}
