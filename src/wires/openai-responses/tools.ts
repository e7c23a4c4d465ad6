/** Decodes the tools of a request: functions, those of a namespace, tools that take a text, a search for tools. */

import { isObject } from "../../base/json.ts";
import type { ToolDescription } from "../../protocol/messages.ts";
import { listOf, requiredText, schemaOf } from "../ask-fields.ts";
import { objectAt, stringAt } from "../fields.ts";
import { textTool } from "../text-tool.ts";
import type { RequestTools } from "../wire.ts";

/**
 * Tools that the service itself runs, such as web search, cannot be run here and are left out. `found`: those that the
 * client's own search has found since.
 */
export function readTools(body: unknown, found: readonly unknown[] = []): RequestTools {
  const offered: RequestTools = { tools: [], forms: new Map() };
  for (const [at, tool] of [...listOf(fieldOf(body, "tools"), "tools"), ...found].entries()) {
    const field = `tools[${at}]`;
    if (stringAt(tool, "type") !== "namespace") readTool(tool, field, { offered });
    else {
      const namespace = requiredText(stringAt(tool, "name"), `${field}.name`);
      const inner = listOf(fieldOf(tool, "tools"), `${field}.tools`);
      for (const [place, each] of inner.entries())
        readTool(each, `${field}.tools[${place}]`, { offered, namespace });
    }
  }
  return offered;
}

/** The tool's name here: the namespace is a prefix, so that names stay distinct. */
export const nameIn = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === "" ? name : `${namespace}__${name}`;

type ToolNamespace = { offered: RequestTools; namespace?: string };

function readTool(value: unknown, field: string, { offered, namespace }: ToolNamespace): void {
  const type = requiredText(stringAt(value, "type"), `${field}.type`);
  if (type === "tool_search" && isOfClient(value)) {
    offered.tools.push({ name: type, ...functionTool(value, field) });
    offered.forms.set(type, { name: type, takes: "search" });
  }
  if (type !== "function" && type !== "custom") return;
  const own = requiredText(stringAt(value, "name"), `${field}.name`);
  const name = nameIn(namespace, own);
  if (offered.tools.some((tool) => tool.name === name)) return;
  const takes = type === "custom" ? "text" : "arguments";
  offered.tools.push({ name, ...(takes === "text" ? plainTextTool(value) : functionTool(value, field)) });
  if (takes === "text" || namespace !== undefined) offered.forms.set(name, { name: own, takes, namespace });
}

/** The service's own search cannot be run here; the client's can be asked for. */
export const isOfClient = (value: unknown): boolean => stringAt(value, "execution") === "client";

type UnnamedTool = Omit<ToolDescription, "name">;

function functionTool(value: unknown, field: string): UnnamedTool {
  const schema = schemaOf(fieldOf(value, "parameters"), `${field}.parameters`);
  return { description: stringAt(value, "description") ?? "", schema };
}

const fieldOf = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

function plainTextTool(value: unknown): UnnamedTool {
  const format = objectAt(value, "format");
  return textTool({
    description: stringAt(value, "description"),
    grammar: stringAt(format, "definition"),
    syntax: stringAt(format, "syntax"),
  });
}
