/** The keys of the configuration that are for what users add. Loaded only when there is a file. */

import { hooksSchema, type HookSettings } from "../../addons/hooks/settings.ts";
import { languageServersSchema, type LanguageServerSettings } from "../../addons/languages/settings.ts";
import { mcpServersSchema, type McpServers } from "../../addons/mcp/settings.ts";
import {
  fetchSchema,
  type FetchSettings,
  webSearchSchema,
  type WebSearchSettings,
} from "../../addons/web/settings.ts";

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
  /** Nothing of it is used before a person has agreed to it. `path`: the file that says it. */
  workspace: Pick<AddonSettings, "hooks" | "mcpServers"> & { path?: string };
  /** Of the files that say so, to be read again when they change; absent: it was not read from files. */
  directories?: { user: string; workspace: string };
};
