/** Reads servers as the files of other agents and editors describe them, and explains entries that are malformed. */

import type * as z from "zod/mini";
import { isObject } from "../../base/json.ts";
import { fewOf } from "../added-text.ts";
import { inSeconds } from "./other-words.ts";
import { mcpServerSchema, type McpServerSettings } from "./settings.ts";
import { plainLine } from "./words.ts";

type DescribedServers = { servers: [string, McpServerSettings][]; problems: string[] };

const oneServer = '{ "command": "PROGRAM" } or { "url": "https://…" }';

/** `key`: the field of the file that holds the servers. Problems are for people and omit the file's name. */
export function describedIn(json: Record<string, unknown>, key: string): DescribedServers {
  const servers = json[key];
  if (isObject(servers)) return allIn(servers);
  const said = key in json ? `"${key}" is ${kindOf(servers)}` : elsewhere(json, key);
  if (said === undefined) return { servers: [], problems: [] };
  const expected = `{ "${key}": { "NAME": ${oneServer} } }`;
  return { servers: [], problems: [`${said}, where servers are expected as ${expected}: none is there.`] };
}

/** Agents and editors use different keys, so a copied section easily ends up under the wrong one. */
function elsewhere(json: Record<string, unknown>, key: string): string | undefined {
  const other = ["mcpServers", "servers"].find((name) => name !== key && name in json);
  return other === undefined ? undefined : `it has "${other}", and no "${key}"`;
}

function allIn(all: Record<string, unknown>): DescribedServers {
  const servers: DescribedServers["servers"] = [];
  const problems: string[] = [];
  const entries = Object.entries(all);
  for (const [name, value] of entries.slice(0, mostServers)) {
    const read = mcpServerSchema.safeParse(inSeconds(value));
    const problem =
      nameProblem(name) ?? (read.success ? addressProblem(read.data) : wrongIn(value, read.error));
    if (read.success && problem === undefined) servers.push([name, read.data]);
    else problems.push(`the server ${JSON.stringify(plainLine(name, 64))} is left out: ${problem}.`);
  }
  if (entries.length > mostServers)
    problems.push(`it has more than ${mostServers} servers: the rest is left out.`);
  return { servers, problems: fewOf(problems) };
}

/** Tool servers in a file of a workspace. */
const mostServers = 100;

const nameProblem = (name: string): string | undefined =>
  /^[^\p{Cc}\p{Cf}]{1,64}$/u.test(name)
    ? undefined
    : "its name is empty, longer than 64 characters, or has some that are not seen";

const addressProblem = ({ command, url, disabled }: McpServerSettings): string | undefined =>
  command === undefined && url === undefined && disabled !== true
    ? `it has neither a command nor a url: give it ${oneServer}`
    : undefined;

function wrongIn(value: unknown, { issues }: z.core.$ZodError): string {
  if (!isObject(value)) return `it is ${kindOf(value)}, where ${oneServer} is expected`;
  const told = issues
    .slice(0, 3)
    .map((issue) => `its ${plainLine(issue.path.join("."), 80)} ${wantedBy(issue)}`);
  return told.join(", and ");
}

function wantedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${wanted[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    default:
      return "cannot be that";
  }
}

const wanted: Readonly<Record<string, string>> = {
  array: "a list",
  record: "an object",
  object: "an object",
  string: "a text",
  boolean: "true or false",
};

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}
