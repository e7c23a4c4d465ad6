/**
 * The built-in tools that addon parts contribute, for matching rules and stored sessions. They need no session here.
 */

import { build } from "../addons/checks/build.ts";
import { languageTools } from "../addons/languages/part.ts";
import { readResource } from "../addons/mcp/resources.ts";
import { skillTool } from "../addons/skills/skill-tool.ts";
import { webSearch } from "../addons/web/search.ts";
import { fetchUrl } from "../tools/fetch-url.ts";
import { tools } from "../tools/index.ts";
import { searchTools } from "../tools/search-tools.ts";
import type { Tool } from "../tools/tool.ts";

/** Tools that access the web. */
export const webTools: readonly Tool[] = [fetchUrl(), webSearch({}, "/")];

export const partTools: readonly Tool[] = [
  ...webTools,
  build("/nonexistent", { isTold: true }),
  ...languageTools,
];

export const everyTool: readonly Tool[] = [...tools, ...partTools];

const noSkills = {
  workspace: "/nonexistent",
  withheld: () => undefined,
  offered: () => [],
  waiting: () => [],
  loaded: async () => {},
};

/** Offered only to sessions that have a use for them; rules may name them everywhere. */
export const sessionTools: readonly Tool[] = [
  skillTool(noSkills),
  searchTools("", () => []),
  readResource(() => []),
];
