/** Descriptions of servers for people: what each one is, and what is wrong with it. */

import { figureOf } from "../../base/bound.ts";
import { toolServerBounds } from "./bounds.ts";
import type { KnownMcpServer, Notice } from "./known-server.ts";
import type { McpServerSettings } from "./settings.ts";
import { plainLine } from "./words.ts";

/** Identifies a server by its command line or its address. */
export const identityOf = ({ command, args = [], url }: McpServerSettings): string =>
  JSON.stringify(command === undefined ? [url] : [command, ...args]);

export const whatRuns = ({ command, args = [], url }: McpServerSettings): string =>
  plainLine(command === undefined ? (url ?? "") : [command, ...args].join(" "), 200);

/** Redacts configured secrets, because servers print their settings in error messages. */
export function hiding({ env = {}, headers = {}, oauth }: McpServerSettings): (words: string) => string {
  const given = [...Object.values(env), ...Object.values(headers), oauth?.clientSecret ?? ""];
  const secrets = given.flatMap((value) => [value, value.replace(/^\S+ /u, "")]).filter(isSecret);
  return (words) => secrets.reduce((text, secret) => text.replaceAll(secret, "[hidden]"), words);
}

const isSecret = (value: string): boolean => value.length >= 8 && !/^[/.~]/u.test(value);

/** For servers that requests no longer wait for: otherwise nothing would explain why their tools are missing. */
export function lateNotices(known: readonly KnownMcpServer[]): Notice[] {
  return known.flatMap(({ name, server }): Notice[] => {
    if (server.state.type !== "starting") return [];
    const text = `The tool server ${name} has not answered for ${toolServerBounds.firstWait.most / 1_000} s since it was started: this goes on without its tools, which come once it does. See \`toolwright mcp list\`.`;
    return [{ code: `mcp-${name}`, text }];
  });
}

/** Why these settings cannot describe a server. */
export function shapeProblem({ command, url, type }: McpServerSettings): string | undefined {
  if (command !== undefined && type !== "http" && type !== "sse") return undefined;
  if (url === undefined && command !== undefined)
    return `a server of the type ${type} is reached at a \`url\`: give it one, or leave the type out`;
  if (url === undefined) return "it has neither a `command` nor a `url`: give it one";
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol === "http:" || protocol === "https:") return undefined;
  return `its address ${plainLine(url, 200)} is none of http or https`;
}

export function noticesOf({
  name,
  where,
  settings,
  problem,
  server,
  drift,
  isTrusted,
}: KnownMcpServer): Notice[] {
  const code = `mcp-${name}`;
  if (problem !== undefined)
    return [{ code, text: `The tool server ${name} (${where}) is not started: ${problem}.` }];
  if (!isTrusted()) return [];
  return [
    ...stateNotices(name, server, settings),
    ...cutNotice(name, server),
    ...floodNotice(name, server),
    ...driftNotice(name, drift),
  ].map((text) => ({
    code,
    text,
  }));
}

function stateNotices(
  name: string,
  { state }: KnownMcpServer["server"],
  { headers = {} }: McpServerSettings,
): string[] {
  switch (state.type) {
    case "resting":
    case "starting":
    case "ready":
      return [];
    case "waiting":
      return [`The tool server ${name} is not running: ${state.words}. It is started again by itself.`];
    case "login":
      if (Object.keys(headers).some((header) => header.toLowerCase() === "authorization"))
        return [
          `The tool server ${name} does not accept the Authorization header that its settings give it: check its value. Without that header, \`toolwright mcp login ${name}\` logs in.`,
        ];
      return [`The tool server ${name} wants a login: run \`toolwright mcp login ${name}\`.`];
    case "failed":
      return [
        `The tool server ${name} is given up: ${state.words}. See \`toolwright mcp list\`; your next request tries it again.`,
      ];
    default:
      return state satisfies never;
  }
}

function cutNotice(name: string, { offer }: KnownMcpServer["server"]): string[] {
  if (!offer?.cut.includes("tools")) return [];
  return [
    `The tool server ${name} lists more tools than are read: the first ${offer.tools.length.toLocaleString("en")} are offered.`,
  ];
}

const floodNotice = (name: string, { floods }: KnownMcpServer["server"]): string[] =>
  floods
    ? [
        `The tool server ${name} says more than ${figureOf(toolServerBounds.messages)} things a second: beyond that only its answers are read.`,
      ]
    : [];

function driftNotice(name: string, { changed }: KnownMcpServer["drift"]): string[] {
  if (changed.length === 0) return [];
  const shown = changed.slice(0, 5).map((tool) => plainLine(tool, 60));
  const more = changed.length > shown.length ? ` and ${changed.length - shown.length} more` : "";
  const which = changed.length === 1 ? "the tool" : "the tools";
  return [
    `The tool server ${name} has changed what it says of ${which} ${shown.join(", ")}${more} since you first used it. ${changed.length === 1 ? "It is" : "They are"} asked about again; \`toolwright mcp accept ${name}\` takes the change as it is.`,
  ];
}
