/**
 * Wraps the tools of servers as ours, with names, descriptions and schemas that cannot mislead models, providers or
 * people.
 */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { fitsPattern } from "../../base/star-pattern.ts";
import type { Does } from "../../protocol/facts.ts";
import { toldSchema } from "../../tools/arguments/foreign-schema.ts";
import { schemaTool } from "../../tools/schema-tool.ts";
import { failedResult, type ToolResult, text, type Tool, type ToolContext } from "../../tools/tool.ts";
import { toolServerBounds } from "./bounds.ts";
import { pointOf } from "./change-points.ts";
import type { Names } from "./names.ts";
import { definitionHash } from "./pins.ts";
import { producedOf } from "./result.ts";
import type { McpServer } from "./server.ts";
import type { McpServerSettings } from "./settings.ts";
import { plainLine, plainWords } from "./words.ts";

/** A description given by a tool server, in characters. */
const mostDescription = 2_000;

/** A server's tool; `called`: the server's own name for it. */
export type ServerTool = { tool: Tool; of: string; called: string };

type OfferedBy = {
  server: McpServer;
  settings: McpServerSettings;
  names: Names;
  /** Whether the tool has changed since a person last reviewed it. */
  isChanged: (tool: string) => boolean;
  /** A person allowed the tool as of this hash. */
  accepted(tool: string, hash: string): void;
};

export function offeredTools(definitions: readonly JsonObject[], by: OfferedBy): ServerTool[] {
  const seen = new Set<string>();
  return definitions.flatMap((definition): ServerTool[] => {
    const called = definition["name"];
    if (typeof called !== "string" || called === "" || seen.has(called) || !isWanted(called, by.settings))
      return [];
    if (needsTasks(definition) || pointOf(definition) !== undefined) return [];
    seen.add(called);
    return [{ tool: toolOf(definition, called, by), of: by.server.name, called }];
  });
}

/** Such a tool only runs as a task of the protocol, which is not spoken here. */
const needsTasks = (definition: JsonObject): boolean =>
  objectOf(definition["execution"])?.["taskSupport"] === "required";

const isWanted = (name: string, { tools = ["*"], withoutTools = [] }: McpServerSettings): boolean =>
  tools.some((pattern) => fitsPattern(pattern, name)) &&
  !withoutTools.some((pattern) => fitsPattern(pattern, name));

const words = (said: string): string => plainWords(said, mostDescription);

function toolOf(definition: JsonObject, called: string, by: OfferedBy): Tool {
  const { server, settings, names } = by;
  const schema = objectOf(definition["inputSchema"]) ?? { type: "object" };
  const title = titleOf(definition, called);
  const hash = definitionHash(definition);
  const description = definition["description"];
  const about = typeof description === "string" ? words(description) : "";
  return schemaTool({
    name: names.of(server.name, called),
    summary: about === "" ? `${title} (of the server ${server.name})` : about,
    told: toldSchema(schema, { most: toolServerBounds.schema.most, words: (said) => plainWords(said, 500) }),
    schema,
    does: doesOf(definition, called, by),
    definition: hash,
    ...askedEachTime(definition),
    title: (input) => `${server.name}: ${title}${argumentsIn(input)}`,
    preview: (input) => `${server.name}: ${called}\n${JSON.stringify(input, undefined, 2)}`,
    run: (input, context) => {
      by.accepted(called, hash);
      return call({ server, called, settings }, input, context);
    },
  });
}

/** A server's own read-only claims count only if the user said so, and never for a changed tool. */
function doesOf(definition: JsonObject, called: string, { settings: { reads }, isChanged }: OfferedBy): Does {
  if (reads === undefined || reads === false || isChanged(called)) return "execute";
  if (Array.isArray(reads)) return reads.some((pattern) => fitsPattern(pattern, called)) ? "read" : "execute";
  return objectOf(definition["annotations"])?.["readOnlyHint"] === true ? "read" : "execute";
}

/** Where a tool's definition says, in its `_meta`, why a person is to be asked about each call. Anybody may be stricter. */
const askedKey = "toolwright/asked-each-time";

function askedEachTime(definition: JsonObject): { askedEachTime?: string } {
  const because = objectOf(definition["_meta"])?.[askedKey];
  if (because === undefined) return {};
  const words = typeof because === "string" ? plainLine(because, 300) : "";
  return { askedEachTime: words === "" ? "its server wants a question about each call" : words };
}

function titleOf(definition: JsonObject, called: string): string {
  const said = [definition["title"], objectOf(definition["annotations"])?.["title"], called];
  const title = said.find((one) => typeof one === "string" && one.trim() !== "");
  return plainLine(typeof title === "string" ? title : called, 80);
}

/** A preview; an approval shows them in full. */
function argumentsIn(input: JsonObject): string {
  if (Object.keys(input).length === 0) return "";
  return ` ${plainLine(JSON.stringify(input), mostShown)}`;
}

const mostShown = 200;

const objectOf = (value: Json | undefined): JsonObject | undefined =>
  value !== undefined && value !== null && isJsonObject(value) ? value : undefined;

type ServerCall = { server: McpServer; called: string; settings: McpServerSettings };

async function call(
  { server, called, settings }: ServerCall,
  input: JsonObject,
  context: ToolContext,
): Promise<ToolResult> {
  const asked = await server.ask(
    "tools/call",
    { name: called, arguments: input },
    {
      signal: context.signal,
      timeout: timeoutOf(settings),
      progress: (said) => context.output(`${plainLine(said, 300)}\n`),
    },
  );
  if (asked.ok) return producedOf(asked.value, context);
  return asked.outcome === "timeout"
    ? { outcome: "timeout", content: text(asked.problem) }
    : failedResult(asked.problem);
}

export const timeoutOf = ({ timeout }: McpServerSettings): number =>
  timeout === undefined ? toolServerBounds.call.most : timeout * 1_000;
