/** Arguments under one more name, `params={…}`: they are taken out of it. */

import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { argumentKeys } from "../../protocol/call-keys.ts";
import type { Repair } from "../../protocol/messages.ts";
import type { Parameters } from "./tool-schema.ts";

/** Undefined unless the only name is one for arguments that the tool does not declare, and those inside are declared. */
export function wrappedArguments(input: JsonObject, parameters: Parameters): JsonObject | undefined {
  const [entry, ...others] = Object.entries(input);
  if (!entry || others.length > 0 || !parameters.isKnown || !argumentKeys.includes(entry[0]))
    return undefined;
  const [key, inner] = entry;
  if (parameters.names.includes(key) || inner === null || !isJsonObject(inner)) return undefined;
  return Object.keys(inner).every((name) => parameters.declared(name) !== undefined) ? inner : undefined;
}

export const wrapped: Repair = { code: "wrapped", detail: "The arguments were wrapped once more." };
