/** Renders an object's zod schema as a Markdown table of its fields. */

import * as z from "zod/mini";
import { isObject } from "../../src/base/json.ts";

/** One row per field, except those in `leaveOut`, which are described elsewhere. Empty if none remains. */
export function schemaTable(schema: z.core.$ZodType, leaveOut: readonly string[] = []): string {
  const shape: unknown = z.toJSONSchema(schema, { io: "input", reused: "inline" });
  if (!isObject(shape) || !isObject(shape["properties"])) throw new Error("expected the schema of an object");
  const required = listOf(shape["required"]);
  const fields = Object.entries(shape["properties"]).filter(([name]) => !leaveOut.includes(name));
  if (fields.length === 0) return "";

  const described = fields.some(([, field]) => descriptionOf(field) !== "");
  const rows = fields.map(([name, field]) => {
    const mark = required.includes(name) ? "" : " (optional)";
    return [`\`${name}\`${mark}`, typeInWords(field), ...(described ? [descriptionOf(field)] : [])];
  });
  const head = ["field", "type", ...(described ? [""] : [])];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const descriptionOf = (field: unknown): string =>
  isObject(field) && typeof field["description"] === "string" ? cell(field["description"]) : "";

/** Escapes text so that it cannot break out of its table cell. */
export const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function typeInWords(field: unknown): string {
  if (!isObject(field) || "$ref" in field) return "any JSON";
  if ("const" in field) return literal(field["const"]);
  const values = listOf(field["enum"]);
  if (values.length > 0) return values.map(literal).join(" ");
  // zod encodes `nullable` of a plain type as a list of types.
  const types = listOf(field["type"]);
  if (types.length > 0) return types.join(" or ");
  const choices = [...listOf(field["anyOf"]), ...listOf(field["oneOf"])];
  if (choices.length > 0) return choices.map(typeInWords).join(" or ");
  if (field["type"] === "array") return `list of ${typeInWords(field["items"])}`;
  if (isObject(field["properties"])) return objectInWords(field["properties"], listOf(field["required"]));
  if (field["type"] === "object") return "object";
  return typeof field["type"] === "string" ? field["type"] : "any JSON";
}

function objectInWords(properties: Record<string, unknown>, required: readonly unknown[]): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `\`${name}\`${required.includes(name) ? "" : "?"}: ${typeInWords(field)}`,
  );
  return `{ ${fields.join(", ")} }`;
}

const literal = (value: unknown): string => `\`${JSON.stringify(value)}\``;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
