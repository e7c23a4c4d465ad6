/** Checks the argument fields that a program gives for a tool, where its compiler takes anything. */

import { isObject } from "../../base/json.ts";

/** A schema of any library, not a record of fields. Those of some libraries are functions. */
export const isWholeSchema = (value: unknown): boolean =>
  (isObject(value) || typeof value === "function") && ("~standard" in value || "_zod" in value);

/** Throws TypeError. */
export function checkedFields<Fields>(fields: Fields, tool: string): Fields {
  const input = `The input of the tool ${JSON.stringify(tool)}`;
  if (!isObject(fields) || isWholeSchema(fields))
    throw new TypeError(
      `${input} is a schema, and not its fields: write { word: z.string() } with zod 4, or give the shape of an object of it.`,
    );
  const [odd] = Object.entries(fields).find(([, field]) => !isObject(field) || !("_zod" in field)) ?? [];
  if (odd !== undefined)
    throw new TypeError(
      `${input} has the field ${JSON.stringify(odd)}, which is no schema of zod 4: write one, such as z.string().`,
    );
  return fields;
}
