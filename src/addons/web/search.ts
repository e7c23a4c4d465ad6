/** The `web_search` tool, backed by the user's program or a SearXNG server. */

import { textField } from "../../tools/arguments/shape.ts";
import { defineTool, failedResult, type Tool } from "../../tools/tool.ts";
import { searchByProgram } from "./search-program.ts";
import { searchByServer } from "./search-server.ts";
import type { WebSearchSettings } from "./settings.ts";

/** The words of a web search, in characters. */
const longestQuery = 1000;

/**
 * The user chose the destination, so no approval is needed unless a rule requires one. `home`: the program's working
 * directory, because a program may trust the directory it runs in, and the workspace is not the user's own.
 */
export const webSearch = (settings: WebSearchSettings, home: string): Tool =>
  defineTool({
    name: "web_search",
    aliases: ["search_web", "internet_search", "google_search"],
    argumentAliases: { query: ["q", "search", "searchTerm", "search_query"] },
    summary: "Search the web: titles, addresses and a few words of each.",
    does: "read",
    input: () => ({ query: textField("What to look for") }),
    title: ({ query }) => `Search the web for ${query}`,
    async run({ query }, context) {
      const words = oneLine(query);
      if (words === "") return failedResult("There is nothing to search for: the query is empty.");
      if (words.length > longestQuery)
        return failedResult(`The query is longer than ${longestQuery} characters. Use a few words.`);
      if (settings.command) return searchByProgram(settings.command, words, { context, home });
      return settings.url === undefined
        ? failedResult("No search is configured.")
        : searchByServer(settings.url, words, context);
    },
  });

const oneLine = (query: string): string => query.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
