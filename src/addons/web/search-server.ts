/** Searches the web through the JSON API of a SearXNG server. */

import { pageRequestBounds } from "../../base/bounds.ts";
import { isJsonObject, type Json, parseJson } from "../../base/json.ts";
import { fetchSafely } from "../../base/safe-request.ts";
import { stripHidden } from "../../base/visible-text.ts";
import { readWebAddress } from "../../base/web-address.ts";
import { failedResult, ok, type ToolResult, type ToolContext } from "../../tools/tool.ts";
import { foundIn, foundInWords } from "./search-hits.ts";

const { time, page } = pageRequestBounds;

export async function searchByServer(url: string, query: string, context: ToolContext): Promise<ToolResult> {
  const address = searchAddress(url, query);
  const host = readWebAddress(address.href, [address.host]);
  const named = host.ok ? [host.value.host] : [];
  const limits = { wholeMs: time.most, silenceMs: time.most, bytes: page.most };
  const answer = await fetchSafely({
    url: address.href,
    signal: context.signal,
    accept: "application/json",
    named,
    limits,
  });
  context.signal.throwIfAborted();
  if (!answer.ok) return failedResult(`The search server did not answer: ${answer.problem}`);
  const { status, bytes } = answer.value;
  if (status !== 200)
    return failedResult(`The search server answered with status ${status}. ${adviceOn[status] ?? later}`);
  const json = parseJson(new TextDecoder().decode(bytes));
  const found = json.ok ? foundIn(json.value) : undefined;
  if (!json.ok || !found)
    return failedResult(
      `The search server's answer is no list of results in JSON: \`webSearch.url\` may not be the address of a SearXNG server. ${tellUser}`,
    );
  const silent = found.length === 0 ? silentEngines(json.value) : "";
  return silent === ""
    ? ok(foundInWords(query, found))
    : failedResult(
        `Nothing can be said of "${query}": the search server's engines gave no answer (${silent}). ${later}`,
      );
}

const later = "Try again later, or without it.";
const tellUser = "Tell the user.";

const adviceOn: Readonly<Record<number, string>> = {
  401: `It asks for a password, and none is sent. ${tellUser}`,
  403: `It refuses JSON: in its settings, \`search.formats\` must have \`json\`. ${tellUser}`,
  404: `\`webSearch.url\` may not be the address of a SearXNG server. ${tellUser}`,
  429: `There were too many requests, or its limiter takes us for a bot: addresses under \`pass_ip\` in its \`limiter.toml\` are let through. ${tellUser}`,
};

/** SearXNG lists the engines that failed as pairs of name and reason. */
function silentEngines(answer: Json): string {
  const list = isJsonObject(answer) ? answer["unresponsive_engines"] : undefined;
  const engines = Array.isArray(list) ? list.filter((one) => Array.isArray(one)) : [];
  const named = engines.slice(0, mostEngines).map((pair) =>
    pair
      .filter((part) => typeof part === "string")
      .join(": ")
      .slice(0, 100),
  );
  return stripHidden(named.join(", ")).replaceAll(/\s+/gu, " ");
}

const mostEngines = 10;

function searchAddress(url: string, query: string): URL {
  const address = new URL(url);
  if (!/\/search\/?$/u.test(address.pathname))
    address.pathname = `${address.pathname.replace(/\/+$/u, "")}/search`;
  address.searchParams.set("q", query);
  address.searchParams.set("format", "json");
  return address;
}
