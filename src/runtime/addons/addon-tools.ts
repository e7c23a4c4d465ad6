/**
 * The tools of our own that a session has from its parts: by these, rules and the past know them. What they do here
 * depends on nothing.
 */

import { build } from "../../addons/checks/build.ts";
import { languageTools } from "../../addons/languages/part.ts";
import { webSearch } from "../../addons/web/search.ts";
import { fetchUrl } from "../../tools/fetch-url.ts";
import { tools } from "../../tools/index.ts";
import type { Tool } from "../../tools/tool.ts";

/** They reach out into the web. */
export const webTools: readonly Tool[] = [fetchUrl(), webSearch({}, "/")];

export const partTools: readonly Tool[] = [
  ...webTools,
  build("/nonexistent", { isTold: true }),
  ...languageTools,
];

export const everyTool: readonly Tool[] = [...tools, ...partTools];
