/** The tool that fetches a page or file from the public web. Approval is per host; the content is treated as data. */

import * as z from "zod/mini";
import { fetchSafely, type Resolve } from "../base/safe-request.ts";
import { readWebAddress, shownAddress } from "../base/web-address.ts";
import { countField } from "./arguments/shape.ts";
import { shownPage } from "./fetch/page-result.ts";
import { defineTool, failedResult, type Tool } from "./tool.ts";

/** `hosts` are exempt from the public-address and port checks: they may be local, on the port they name. */
type FetchPlace = { hosts?: readonly string[] | undefined; resolve?: Resolve };

export const fetchUrl = ({ hosts: named, resolve }: FetchPlace = {}): Tool =>
  defineTool({
    name: "fetch",
    aliases: ["fetch_url", "web_fetch", "read_url", "http_get"],
    argumentAliases: {
      url: ["uri", "address", "link", "href"],
      from: ["offset", "start", "startLine", "start_line", "startIndex"],
    },
    summary: "Fetch a page or picture from the public web; HTML comes as Markdown.",
    does: "read",
    input: () => ({
      url: z.string(),
      from: z.optional(countField()), // the result tells how to read on
    }),
    title: ({ url }) => `Fetch ${URL.canParse(url) ? new URL(url).href : shownAddress(url)}`,
    hosts: ({ url }) => {
      const address = readWebAddress(url, named);
      // An address that `run` will refuse anyway, without sending anything, needs no approval.
      return address.ok ? [address.value.host] : undefined;
    },
    async run({ url, from = 1 }, context) {
      const page = await fetchSafely({ url, signal: context.signal, accept, named, resolve });
      context.signal.throwIfAborted();
      return page.ok ? shownPage(page.value, from, context) : failedResult(page.problem);
    },
  });

/** Some sites serve Markdown to clients that request it. */
const accept = "text/markdown, text/html;q=0.9, application/json;q=0.8, text/plain;q=0.8, */*;q=0.5";
