/** Searches the web as the user has configured it: by a program of theirs, or a SearXNG server. */

import { bounds } from "../../base/bounds.ts";
import { parseJson } from "../../base/json.ts";
import { runProcess } from "../../base/process.ts";
import { fetchSafely } from "../../base/safe-request.ts";
import { plainOutput } from "../../base/text.ts";
import { readWebAddress } from "../../base/web-address.ts";
import { textField } from "../../tools/shape.ts";
import { defineTool, failed, ok, type Produced, type Tool, type ToolRoom } from "../../tools/tool.ts";
import { whyMissing } from "../missing-program.ts";
import { type Found, foundIn, foundInWords } from "./found.ts";
import type { WebSearchSettings } from "./settings.ts";

const { searchTime, searchOutput, page } = bounds.web;
const longestQuery = bounds.web.query.most;

/**
 * It goes where the user has said that it goes, so that nobody is asked unless a rule says so. `home`: where their
 * program runs, because a program may take the directory that it runs in for its own, and the workspace is not theirs.
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
    async run({ query }, room) {
      const words = oneLine(query);
      if (words === "") return failed("There is nothing to search for: the query is empty.");
      if (words.length > longestQuery)
        return failed(`The query is longer than ${longestQuery} characters. Use a few words.`);
      if (settings.command) return byProgram(settings.command, words, { room, home });
      return settings.url === undefined
        ? failed("No search is configured.")
        : byServer(settings.url, words, room);
    },
  });

const oneLine = (query: string): string => query.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();

async function byProgram(
  command: readonly string[],
  query: string,
  { room, home }: { room: ToolRoom; home: string },
): Promise<Produced> {
  const outcome = await runProcess({
    command: withQuery(command, query),
    cwd: home,
    env: room.environment,
    signal: room.signal,
    wallMs: searchTime.most,
    maxKeep: searchOutput.most,
  });
  room.signal.throwIfAborted();
  const printed = plainOutput(Buffer.from(outcome.output.bytes).toString("utf8")).trim();
  const [program = ""] = command;
  const whose = `The search program (${program})`;
  const isMissing = outcome.problem !== undefined || outcome.exit === 127 || outcome.exit === 126;
  const missing = isMissing
    ? await whyMissing(program, { directory: home, env: room.environment })
    : undefined;
  if (missing !== undefined)
    return failed(
      `The web cannot be searched: ${missing}. It stands under \`webSearch.command\` in the configuration. Tell the user; do not try again.`,
    );
  if (outcome.problem !== undefined) return failed(`${whose}: ${outcome.problem} Tell the user.`);
  if (outcome.timedOut)
    return failed(`${whose} took longer than ${searchTime.most / 1000} s; it was stopped.`);
  if (outcome.exit !== 0)
    return failed(
      `${whose} failed (${outcome.exit === undefined ? "it was ended by a signal" : `exit code ${outcome.exit}`}): ${printed.slice(-lastWords)}`,
    );
  return ok(foundInWords(query, listIn(printed) ?? printed));
}

/** Its warnings may stand in front of its JSON. */
function listIn(printed: string): Found[] | undefined {
  const start = printed.search(/^[[{]/mu);
  const json = parseJson(printed.slice(Math.max(0, start)));
  return json.ok ? foundIn(json.value) : undefined;
}

/** Of what a program says when it fails, the end tells most. */
const lastWords = 500;

/** Where no place is named for the query it comes last. One that begins with a dash must not be taken for an option. */
function withQuery(command: readonly string[], query: string): string[] {
  const place = "{query}";
  const all = command.some((argument) => argument.includes(place)) ? command : [...command, place];
  return all.map((argument) => {
    const filled = argument.replaceAll(place, () => query);
    return argument.startsWith(place) && query.startsWith("-") ? ` ${filled}` : filled;
  });
}

async function byServer(url: string, query: string, room: ToolRoom): Promise<Produced> {
  const address = searchAddress(url, query);
  const host = readWebAddress(address.href, [address.host]);
  const named = host.ok ? [host.value.host] : [];
  const limits = { wholeMs: searchTime.most, silenceMs: searchTime.most, bytes: page.most };
  const answer = await fetchSafely({
    url: address.href,
    signal: room.signal,
    accept: "application/json",
    named,
    limits,
  });
  room.signal.throwIfAborted();
  if (!answer.ok) return failed(`The search server did not answer: ${answer.problem}`);
  const { status, bytes } = answer.value;
  if (status === 403)
    return failed(
      "The search server refuses JSON (403): in its settings, `search.formats` must have `json`. Tell the user.",
    );
  if (status !== 200)
    return failed(`The search server answered with status ${status}. Try again later, or without it.`);
  const json = parseJson(new TextDecoder().decode(bytes));
  const found = json.ok ? foundIn(json.value) : undefined;
  return found
    ? ok(foundInWords(query, found))
    : failed("The search server's answer is no list of results in JSON. Tell the user.");
}

function searchAddress(url: string, query: string): URL {
  const address = new URL(url);
  if (!/\/search\/?$/u.test(address.pathname))
    address.pathname = `${address.pathname.replace(/\/+$/u, "")}/search`;
  address.searchParams.set("q", query);
  address.searchParams.set("format", "json");
  return address;
}
