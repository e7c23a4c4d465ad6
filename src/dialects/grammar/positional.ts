/** Assigns positional arguments to parameters, if the schema leaves no doubt. */

import {
  propertyNames,
  propertySchema,
  requiredNames,
  typeOf,
  typesAllowed,
} from "../../base/json-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { OfferedTools } from "../reading/reader.ts";

export type PositionalTool = NonNullable<ReturnType<OfferedTools["find"]>>;

/**
 * The input that values without names make, or nothing where it is not sure which parameters they are: they stand for
 * the first ones that are declared, as in a signature, unless two of them could change places.
 */
export function inputByPosition(
  { schema }: PositionalTool,
  values: readonly Json[],
  named: readonly string[],
): JsonObject | undefined {
  const names = propertyNames(schema, schema);
  const [only] = values;
  if (values.length === 1 && only !== undefined && isArguments(only, names)) return only;
  const required = new Set(requiredNames(schema, schema));
  const isSignature = names.every(
    (name, index) => index === 0 || !required.has(name) || required.has(names[index - 1] ?? ""),
  );
  const free = names.filter((name) => !named.includes(name));
  const meant = names.slice(0, values.length);
  const fits = (value: Json | undefined, name: string): boolean => {
    const types = typesAllowed(propertySchema(schema, name, schema), schema);
    return value !== undefined && (types.size === 0 || types.has(typeOf(value)));
  };
  const isSure = values.every((value, index) => {
    const name = meant[index];
    if (name === undefined || named.includes(name) || !fits(value, name)) return false;
    const others = free.filter((other) => other !== name && !meant.slice(0, index).includes(other));
    return others.every((other) => !fits(value, other) || (required.has(name) && !required.has(other)));
  });
  if (!isSignature || !isSure) return undefined;
  return Object.fromEntries(meant.map((name, index) => [name, values[index] ?? null]));
}

/** A single object with declared names holds all arguments: `search({"query": "x"})`. */
function isArguments(value: Json, names: readonly string[]): value is JsonObject {
  if (value === null || !isJsonObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => names.includes(key));
}
