/** The configuration for bug reports: names and kinds only, never a key, header, argument or path of an address. */

import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import type { AddonSettings } from "../../configuration/addon-settings.ts";
import type { Config } from "../../configuration/config.ts";
import { keyPlace, knownProviders } from "../../providers/discover.ts";
import { providersFor } from "../models/models.ts";

/** `by`: whose configuration it comes from. */
type SettingSource = "user" | "workspace";

/** The configuration as bug reports show it. */
export type SetUp = {
  /** Options whose values are our own words or figures. */
  settings: Readonly<Record<string, string | number | boolean>>;
  /** Providers that could be used. `address` is scheme and host; `key`: where the key is stored. */
  providers: { name: string; wire: string; address: string; key: string }[];
  servers: { name: string; by: SettingSource; reached: "command" | "address" }[];
  hooks: { on: string[]; by: SettingSource; runs: "line" | "program" | "address" }[];
};

export function setUpOf(settings: Config, env: EnvironmentVariables): SetUp {
  const { user, workspace } = settings.addons;
  return {
    settings: plainSettings(settings),
    providers: providersOf(settings, env),
    servers: [...serversOf(user, "user"), ...serversOf(workspace, "workspace")],
    hooks: [...hooksOf(user, "user"), ...hooksOf(workspace, "workspace")],
  };
}

function plainSettings(settings: Config): SetUp["settings"] {
  const { model, mode, dialect, maxRounds, contextTokens, reasoning, gitBranch, offlineModel } = settings;
  const given = { model, mode, dialect, maxRounds, contextTokens, reasoning, gitBranch, offlineModel };
  const told = { ...given, log: settings.log !== undefined, telemetry: settings.telemetry !== "off" };
  const rules = settings.rules.reduce((sum, level) => sum + level.rules.length, 0);
  return Object.fromEntries(
    Object.entries({ ...told, rules }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
}

function providersOf(settings: Config, env: EnvironmentVariables): SetUp["providers"] {
  return knownProviders({ providers: providersFor(settings), env }).map(
    ({ provider, server: { baseUrl } }) => ({
      name: provider.name,
      wire: provider.wire,
      address: originOf(baseUrl),
      key: keyPlace(provider, env) ?? "none",
    }),
  );
}

/** The part after the host may be secret, too. */
export const originOf = (address: string): string =>
  URL.canParse(address) ? `${new URL(address).protocol}//${new URL(address).host}` : "none";

const serversOf = ({ mcpServers = {} }: AddonSettings, by: SettingSource): SetUp["servers"] =>
  Object.entries(mcpServers).map(([name, { command }]) => ({
    name,
    by,
    reached: command === undefined ? "address" : "command",
  }));

const hooksOf = ({ hooks = [] }: AddonSettings, by: SettingSource): SetUp["hooks"] =>
  hooks.map(({ on, command }) => ({ on: [on].flat(), by, runs: kindOf(command) }));

function kindOf(command: string | string[] | undefined): SetUp["hooks"][number]["runs"] {
  if (command === undefined) return "address";
  return typeof command === "string" ? "line" : "program";
}
