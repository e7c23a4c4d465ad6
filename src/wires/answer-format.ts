/** Reads the answer format that a client requests, as OpenAI, Anthropic and Cohere write it. */

import type { AnswerFormat } from "../protocol/messages.ts";
import { badField, optionalText, requiredObject } from "./ask-fields.ts";
import { copyOf, objectAt } from "./fields.ts";

/**
 * Accepts `{type: "json_schema", …}` with the schema at any of the usual places, and `{type: "json_object"}`;
 * everything else means plain text.
 */
export function readFormat(format: unknown): AnswerFormat | undefined {
  if (format === undefined || format === null) return undefined;
  const type = optionalText(requiredObject(format, "format")["type"], "format.type") ?? "text";
  if (type === "text") return undefined;
  if (type !== "json_object" && type !== "json_schema")
    throw badField("format.type", "text, json_object or json_schema");
  const named = objectAt(format, "json_schema");
  const schema = objectAt(named, "schema") ?? objectAt(format, "schema") ?? named;
  return schema ? { schema: copyOf(schema) } : {};
}
