/** The configuration keys for users' addons. Loaded only if there is a configuration file. */

import { hooksSchema, type HookSettings } from "../addons/hooks/settings.ts";
import { languageServersSchema, type LanguageServerSettings } from "../addons/languages/settings.ts";
import { mcpServersSchema, type McpServers } from "../addons/mcp/settings.ts";
import {
  fetchSchema,
  type FetchSettings,
  webSearchSchema,
  type WebSearchSettings,
} from "../addons/web/settings.ts";

export type AddonSettings = {
  hooks?: HookSettings[];
  mcpServers?: McpServers;
  languageServers?: LanguageServerSettings;
  webSearch?: WebSearchSettings;
  fetch?: FetchSettings;
};

export const addonSchemas = {
  hooks: hooksSchema,
  mcpServers: mcpServersSchema,
  languageServers: languageServersSchema,
  webSearch: webSearchSchema,
  fetch: fetchSchema,
} as const;

export type AddonsConfigured = {
  user: AddonSettings;
  /** Unused until a person has approved it. `path`: the file it comes from. */
  workspace: Pick<AddonSettings, "hooks" | "mcpServers"> & { path?: string };
  /** The directories of those files, to be re-read on change; absent if the settings did not come from files. */
  directories?: { user: string; workspace: string };
};
