/** Gives a session its web tools: fetching pages, and a search if one is configured. */

import { fetchUrl } from "../../tools/fetch-url.ts";
import type { AddonOpener } from "../part.ts";
import { webSearch } from "./search.ts";
import type { FetchSettings, WebSearchSettings } from "./settings.ts";

export const openWeb =
  ({
    fetch,
    webSearch: search,
  }: {
    fetch?: FetchSettings | undefined;
    webSearch?: WebSearchSettings | undefined;
  }): AddonOpener =>
  ({ home }) => {
    const all = [fetchUrl({ hosts: fetch?.hosts }), ...(search ? [webSearch(search, home)] : [])];
    return { tools: () => all };
  };
