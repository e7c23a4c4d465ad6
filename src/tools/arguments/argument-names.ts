/** Maps argument names as models write them to the names a tool declares (requirements A20, A23). */

import { ownValue, propertyNames } from "../../base/json-schema.ts";
import { isJsonObject, type Json, type JsonObject, parseObject } from "../../base/json.ts";
import { argumentKeys } from "../../protocol/call-keys.ts";
import { meantByCommonName } from "../../protocol/common-names.ts";
import type { Repair } from "../../protocol/messages.ts";
import { looseName } from "../../protocol/tool-name.ts";

/** Other names of arguments: `{ path: ["file", "filePath"] }`. */
export type ArgumentAliases = Readonly<Record<string, readonly string[]>>;

/** `keeps`: whether an undeclared name stays as it is, because the schema allows any name there. */
type Naming = { aliases: ArgumentAliases; repairs: Repair[]; keeps: (name: string) => boolean };

/** A declared name with a value wins over its aliases; of two aliases the first one written does. */
export function withDeclaredNames(known: readonly string[], input: JsonObject, naming: Naming): JsonObject {
  const entries = Object.entries(input);
  const declared = new Set(known);
  if (entries.every(([name]) => declared.has(name))) return input;
  const meant = nameFinder(known, naming);
  const named = new Map(entries.filter(([name]) => declared.has(name)));
  for (const [name, value] of entries) {
    if (declared.has(name)) continue;
    const to = meant(name);
    if (to === undefined) named.set(name, value);
    else if ((named.get(to) ?? null) !== null)
      naming.repairs.push(duplicateRepair(name, to, isSame(value, named.get(to))));
    else {
      named.set(to, value);
      naming.repairs.push({ code: "argument-renamed", detail: `"${name}" to "${to}"` });
    }
  }
  return Object.fromEntries(named);
}

/** Records a dropped duplicate; if the two values differed, the choice between them is marked as a guess. */
function duplicateRepair(name: string, declared: string, same: boolean): Repair {
  const repair = { code: "argument-ignored", detail: `"${name}", because "${declared}" is there too` };
  return same ? repair : { ...repair, guess: true };
}

const isSame = (one: Json, other: Json | undefined): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Matches by alias, then ignoring case and separators if that leaves a single candidate. */
function nameFinder(
  known: readonly string[],
  { aliases, keeps }: Pick<Naming, "aliases" | "keeps">,
): (name: string) => string | undefined {
  const byAlias = new Map<string, string>();
  const byLooseName = new Map<string, string | undefined>();
  for (const one of known) {
    const others = Object.hasOwn(aliases, one) ? (aliases[one] ?? []) : [];
    for (const other of others) if (!byAlias.has(other)) byAlias.set(other, one);
    for (const loose of new Set([one, ...others].map(looseName)))
      byLooseName.set(loose, byLooseName.has(loose) ? undefined : one);
  }
  return (name) => byAlias.get(name) ?? (keeps(name) ? undefined : byLooseName.get(looseName(name)));
}

type CommonNaming = { required: readonly string[]; repairs: Repair[]; keeps: Naming["keeps"] };

/** Where an argument is missing that was given under another common name. */
export function withCommonNames(
  known: readonly string[],
  input: JsonObject,
  { required, repairs, keeps }: CommonNaming,
): JsonObject {
  const given = Object.keys(input).filter((name) => known.includes(name) || !keeps(name));
  if (given.every((name) => known.includes(name))) return input;
  const meant = meantByCommonName(given, { declared: known, required });
  if (meant.size === 0) return input;
  for (const [from, to] of meant) repairs.push({ code: "argument-renamed", detail: `"${from}" to "${to}"` });
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [meant.get(name) ?? name, value]));
}

type Unwrapping = { aliases: ArgumentAliases; repairs: Repair[] };

/** Schema keywords next to `properties` when a model filled in a copy of the schema. */
const schemaKeys: readonly string[] = [
  "type",
  "properties",
  "required",
  "additionalProperties",
  "title",
  "$schema",
];

/** Unpacks arguments from a wrapper or a copied schema, provided that it holds only declared names. */
export function unwrapArguments(
  schema: JsonObject,
  input: JsonObject,
  { aliases, repairs }: Unwrapping,
): JsonObject {
  if (wrapperOf(input) === undefined) return input;
  const known = new Set(propertyNames(schema, schema));
  if (known.size === 0 && ownValue(schema, "additionalProperties") !== false) return input;
  const meant = nameFinder([...known], { aliases, keeps: () => false });
  const isDeclared = (name: string): boolean => known.has(name) || meant(name) !== undefined;
  let inner = input;
  for (const names: string[] = []; names.length < 4;) {
    const wrapper = wrapperOf(inner);
    const inside = wrapper === undefined || isDeclared(wrapper) ? undefined : objectAt(inner, wrapper);
    if (wrapper === undefined || inside === undefined) return input;
    names.push(`"${wrapper}"`);
    inner = inside;
    if (!Object.keys(inner).every(isDeclared)) continue;
    repairs.push({ code: "arguments-unwrapped", detail: `they stood in ${names.join(" in ")}` });
    return inner;
  }
  return input;
}

function wrapperOf(input: JsonObject): string | undefined {
  const names = Object.keys(input);
  if (names.includes("properties") && names.every((name) => schemaKeys.includes(name))) return "properties";
  return names.length === 1 ? argumentKeys.find((one) => one === names[0]) : undefined;
}

/** An object, or the JSON text of one. */
function objectAt(input: JsonObject, name: string): JsonObject | undefined {
  const value = ownValue(input, name);
  if (typeof value === "string") {
    const parsed = parseObject(value);
    return parsed.ok ? parsed.value : undefined;
  }
  return value !== undefined && isJsonObject(value) ? value : undefined;
}
