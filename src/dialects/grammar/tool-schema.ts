/** What a reader knows of the tool that is being called: which parameters it declares, and what they are. */

import { propertyNames, propertySchema, requiredNames } from "../../base/json-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { argumentKeys } from "../../protocol/call-keys.ts";
import type { Repair } from "../../protocol/messages.ts";
import { looseName } from "../../protocol/tool-name.ts";
import type { ReadCall, OfferedTools } from "../reading/reader.ts";

export interface Parameters {
  /** The tool is on offer. */
  readonly isKnown: boolean;
  /** The declared names, in order. */
  readonly names: readonly string[];
  readonly required: readonly string[];
  /** The declared name that a written one means; undefined if there is none. */
  readonly declared: (written: string) => string | undefined;
  readonly schemaOf: (written: string) => Json | undefined;
  readonly root: JsonObject;
}

export function parametersOf(offered: OfferedTools, toolName: string): Parameters {
  const tool = offered.find(toolName);
  const root = tool?.schema ?? {};
  const names = propertyNames(root, root);
  const takesAny = tool === undefined || isOpen(root, names);
  const declared = (written: string): string | undefined =>
    meantBy(written, names, tool?.aliases ?? {}) ?? (takesAny ? written : undefined);
  return {
    isKnown: tool !== undefined,
    names,
    required: requiredNames(root, root),
    root,
    declared,
    schemaOf: (written) => propertySchema(root, declared(written) ?? written, root),
  };
}

/** Whether a call gives everything that its tool requires. */
export function isComplete(
  { name, input }: Pick<ReadCall, "name" | "input">,
  offered: OfferedTools,
): boolean {
  const { required, declared } = parametersOf(offered, name);
  const given = new Set(Object.keys(input).map(declared));
  return required.every((wanted) => given.has(wanted));
}

type Aliases = NonNullable<NonNullable<ReturnType<OfferedTools["find"]>>["aliases"]>;

function meantBy(written: string, names: readonly string[], aliases: Aliases): string | undefined {
  if (names.includes(written)) return written;
  const loose = looseName(written);
  return names.find((name) => {
    const others = Object.hasOwn(aliases, name) ? (aliases[name] ?? []) : [];
    return [name, ...others].some((one) => looseName(one) === loose);
  });
}

/** A schema that declares no names accepts anything, and so does one that describes additional names. */
function isOpen(root: JsonObject, names: readonly string[]): boolean {
  const others = root["additionalProperties"] ?? root["patternProperties"];
  if (others === undefined) return names.length === 0;
  return others === true || isJsonObject(others);
}

/**
 * The arguments under one more name, `params={…}`. Undefined unless the only name is one for arguments that the tool
 * does not declare, and those inside are declared.
 */
export function wrappedArguments(input: JsonObject, parameters: Parameters): JsonObject | undefined {
  const [entry, ...others] = Object.entries(input);
  if (!entry || others.length > 0 || !parameters.isKnown || !argumentKeys.includes(entry[0]))
    return undefined;
  const [key, inner] = entry;
  if (parameters.names.includes(key) || inner === null || !isJsonObject(inner)) return undefined;
  return Object.keys(inner).every((name) => parameters.declared(name) !== undefined) ? inner : undefined;
}

export const wrapped: Repair = { code: "wrapped", detail: "The arguments were wrapped once more." };
