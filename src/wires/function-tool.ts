/** Reads and writes tools in OpenAI's form, which other formats adopted: `{type: "function", function: {…}}`. */

import type { JsonObject } from "../base/json.ts";
import type { ToolDescription } from "../protocol/messages.ts";
import { optionalText, requiredObject, requiredText, schemaOf } from "./ask-fields.ts";

export const functionTool = (tool: ToolDescription): JsonObject => ({
  type: "function",
  function: functionOf(tool),
});

export const functionOf = ({ name, description, schema }: ToolDescription): JsonObject => ({
  name,
  description,
  parameters: schema,
});

/** Reads such a tool from a client's request; `field` is its path there. */
export function readFunctionTool(value: unknown, field: string): ToolDescription {
  const tool = requiredObject(requiredObject(value, field)["function"], `${field}.function`);
  return {
    name: requiredText(tool["name"], `${field}.function.name`),
    description: optionalText(tool["description"], `${field}.function.description`) ?? "",
    schema: schemaOf(tool["parameters"], `${field}.function.parameters`),
  };
}
