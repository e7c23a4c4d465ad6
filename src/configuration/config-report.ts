/** Says of every setting which value it has, and where that is from. */

import { isObject } from "../base/json.ts";
import { configKeys, type ConfigFile } from "./config-file.ts";
import type { ConfigLevels } from "./config-levels.ts";
import { configScopes } from "./config-places.ts";
import { type Config, ignoredKeys } from "./config.ts";
import type { Arguments } from "./options/arguments.ts";
import { configOption, configOptions } from "./options/config-options.ts";
import { defaultOf } from "./options/help-words.ts";
import type { Option, OptionValue } from "./options/options.ts";

/** Where a value is from: `where` is a path, a variable or an option, absent for a default. */
type ConfigOrigin = {
  from: "default" | "user" | "local" | "project" | "environment" | "command-line";
  where?: string;
};

/** One setting; a section has a row for each file that says something. */
export type ConfigRow = ConfigOrigin & {
  key: string;
  /** As it would be written in a file; of a default its words. */
  value: unknown;
};

type ReportedConfig = {
  levels: ConfigLevels;
  arguments: Pick<Arguments, "command" | "flags" | "environment">;
  config: Config;
};

/** Options first, in the order of the table, then the sections. */
export function configRows(reported: ReportedConfig): ConfigRow[] {
  const rows = configOptions.map((option) => optionRow(option, reported));
  return [...rows, ...sectionRows(reported.levels)];
}

function optionRow(option: Option, { levels, arguments: given, config }: ReportedConfig): ConfigRow {
  const { name, flag, variable } = option;
  const { project } = levels;
  // The only option that a workspace may set; whether it was stricter is decided where files are merged.
  const said = saidOf(option, levels, given);
  if (name === "mode" && project && said.value !== config.mode && isTightening(project, config))
    return { key: name, value: config.mode, from: "project", where: project.path };
  if (said.value === undefined) return { key: name, value: defaultOf(option, "config"), from: "default" };
  const value = inFile(option, said.value);
  switch (said.from) {
    case "command-line":
      return { key: name, value, from: said.from, where: `--${flag}` };
    case "environment":
      return { key: name, value, from: said.from, where: variable };
    default:
      return { key: name, value, from: said.from, where: levels[said.from]?.path ?? "" };
  }
}

const isTightening = ({ values, leastMode }: ConfigFile, { mode }: Config): boolean =>
  values.mode === mode || leastMode === mode;

function saidOf(
  { name }: Option,
  { user, local }: ConfigLevels,
  { flags, environment }: ReportedConfig["arguments"],
): { value: OptionValue | undefined; from: "command-line" | "environment" | "local" | "user" } {
  if (flags[name] !== undefined) return { value: flags[name], from: "command-line" };
  if (environment[name] !== undefined) return { value: environment[name], from: "environment" };
  if (local?.values[name] !== undefined) return { value: local.values[name], from: "local" };
  return { value: user?.values[name], from: "user" };
}

/** Times are read into milliseconds, and written in seconds. */
const inFile = ({ type }: Option, value: OptionValue): OptionValue =>
  type.kind === "duration" && value !== 0 ? `${Number(value) / 1_000}s` : value;

const sectionKeys = configKeys.filter((key) => !configOption(key));

const sectionRows = (levels: ConfigLevels): ConfigRow[] =>
  sectionKeys.flatMap((key) =>
    configScopes.flatMap((scope): ConfigRow[] => {
      const file = levels[scope];
      if (file === undefined || (scope === "project" && ignoredKeys(file).includes(key))) return [];
      const value = sectionOf(file, key);
      return value === undefined ? [] : [{ key, value, from: scope, where: file.path }];
    }),
  );

function sectionOf({ addons, ...file }: ConfigFile, key: string): unknown {
  return Object.entries({ ...file, ...addons }).find(([name]) => name === key)?.[1];
}

/** What stands at a path inside a value; undefined if nothing does. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, value);
}
