/**
 * Rewrites a foreign tool's schema so that all providers accept it: an object at the root, no references, no keywords
 * for which some refuse the whole request. It only guides the model; calls are checked against the original.
 */

import { ownValue, resolveReference } from "../../base/json-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { typesOf } from "./usable-schema.ts";

type ForeignSchemaLimits = {
  /** Limit on the whole schema's characters, as JSON. */
  most: number;
  /** Sanitises third-party text for the model. */
  words: (text: string) => string;
};

/** Never throws, whatever the input. */
export function toldSchema(schema: Json | undefined, limits: ForeignSchemaLimits): JsonObject {
  const forms = [
    { deepest: 12, words: limits.words },
    { deepest: 6, words: () => undefined },
    { deepest: 1, words: () => undefined },
  ];
  for (const form of forms) {
    const told = rootOf(schema, form);
    if (JSON.stringify(told).length <= limits.most) return told;
  }
  return anything;
}

const anything: JsonObject = { type: "object", properties: {}, additionalProperties: true };

type SchemaDetail = { deepest: number; words(text: string): string | undefined };
type SchemaExpansion = SchemaDetail & {
  root: JsonObject;
  /** Remaining schemas that may be written: expanding references can otherwise grow without end. */
  left: { schemas: number };
  /** The schemas being expanded: one nested inside itself is not written again. */
  within: readonly JsonObject[];
};

const mostSchemas = 4_000;

function rootOf(schema: Json | undefined, form: SchemaDetail): JsonObject {
  if (schema === undefined || schema === null || !isJsonObject(schema)) return anything;
  const reading: SchemaExpansion = { ...form, root: schema, left: { schemas: mostSchemas }, within: [] };
  const { anyOf, oneOf, ...own } = mergeReferences(schema, reading);
  const whole = [anyOf, oneOf].reduce<JsonObject>(
    (at, list) => {
      const alternatives = Array.isArray(list) ? list.filter(isJsonObject) : [];
      return withAlternatives(
        at,
        alternatives
          .slice(0, mostAlternatives)
          .map((one) => supportedKeywords(mergeReferences(one, reading), reading)),
      );
    },
    supportedKeywords(own, reading),
  );
  const { type: _type, enum: _enum, const: _const, default: _default, ...rest } = whole;
  return onlyNamed({ ...rest, type: "object", properties: objectAt(whole, "properties") });
}

const mostAlternatives = 50;

/** Drops `required` names that are not in `properties`: some providers refuse the request otherwise. */
function onlyNamed(schema: JsonObject): JsonObject {
  if (schema["required"] === undefined) return schema;
  const properties = objectAt(schema, "properties");
  return {
    ...schema,
    required: namesAt(schema, "required").filter((name) => Object.hasOwn(properties, name)),
  };
}

/** Some providers refuse alternatives at the root: lists the arguments of all, and requires those that all require. */
function withAlternatives(told: JsonObject, alternatives: readonly JsonObject[]): JsonObject {
  if (alternatives.length === 0) return told;
  const properties = Object.assign({}, ...alternatives.map((one) => objectAt(one, "properties")));
  const needed = alternatives.map((one) => namesAt(one, "required"));
  const always = (needed[0] ?? []).filter((name) => needed.every((names) => names.includes(name)));
  return {
    ...told,
    properties: { ...properties, ...objectAt(told, "properties") },
    required: [...new Set([...namesAt(told, "required"), ...always])],
  };
}

const objectAt = (schema: JsonObject, key: string): JsonObject => {
  const value = ownValue(schema, key);
  return value !== undefined && isJsonObject(value) ? value : {};
};

function namesAt(schema: JsonObject, key: string): string[] {
  const value = ownValue(schema, key);
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

/** Merges the schema with its references and its `allOf` parts. */
function mergeReferences(schema: JsonObject, reading: SchemaExpansion): JsonObject {
  const { $ref, allOf, ...own } = schema;
  const parts = [resolveReference($ref, reading.root), ...(Array.isArray(allOf) ? allOf : [])]
    .filter((part) => part !== undefined)
    .filter(isJsonObject)
    .filter((part) => !reading.within.includes(part));
  const inner = { ...reading, within: [...reading.within, ...parts] };
  return parts.reduce<JsonObject>((at, part) => {
    if ((reading.left.schemas -= 1) < 0 || inner.within.length > mostNested) return at;
    return uniteSchemas(mergeReferences(part, inner), at);
  }, own);
}

const mostNested = 64;

/** On conflict the second schema wins; `required` names are united. */
function uniteSchemas(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...objectAt(one, "properties"), ...objectAt(other, "properties") };
  const required = [...new Set([...namesAt(one, "required"), ...namesAt(other, "required")])];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** A schema below the root, which may also be `true` or `false`. */
function nestedSchema(value: Json | undefined, reading: SchemaExpansion): JsonObject {
  if (value === undefined || !isJsonObject(value) || reading.deepest < 0) return {};
  if ((reading.left.schemas -= 1) < 0 || reading.within.includes(value)) return {};
  const inner = { ...reading, deepest: reading.deepest - 1, within: [...reading.within, value] };
  return onlyNamed(supportedKeywords(mergeReferences(value, inner), inner));
}

/** Writes only keywords that providers support, fewer than a validator does. */
function supportedKeywords(schema: JsonObject, reading: SchemaExpansion): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    const kept = keptOf(key, value, reading);
    if (kept !== undefined) result[key] = kept;
  }
  if (result["type"] === undefined && result["properties"] !== undefined) result["type"] = "object";
  if (result["type"] === "array" && result["items"] === undefined) result["items"] = {};
  return result;
}

function keptOf(key: string, value: Json, reading: SchemaExpansion): Json | undefined {
  switch (key) {
    case "type":
      return typesOf(value)[0];
    case "description":
    case "title":
      return typeof value === "string" ? reading.words(value) : undefined;
    case "properties":
      return isJsonObject(value) ? propertiesOf(value, reading) : undefined;
    case "items":
      return Array.isArray(value)
        ? { anyOf: value.map((one) => nestedSchema(one, reading)) }
        : nestedSchema(value, reading);
    case "prefixItems":
      return undefined;
    case "additionalProperties":
      return typeof value === "boolean" ? value : nestedSchema(value, reading);
    case "anyOf":
    case "oneOf":
      return alternativesOf(value, reading);
    case "required":
      return Array.isArray(value) ? value : undefined;
    case "enum":
      return Array.isArray(value) && value.length > 0 ? value.slice(0, mostValues) : undefined;
    case "const":
      return value;
    case "default":
      return JSON.stringify(value).length <= longestDefault ? value : undefined;
    case "format":
      return typeof value === "string" && formats.has(value) ? value : undefined;
    default:
      return numbers.has(key) && typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }
}

const mostValues = 200;
const longestDefault = 500;
const formats: ReadonlySet<string> = new Set([
  "date-time",
  "date",
  "time",
  "duration",
  "email",
  "uri",
  "uuid",
]);
/** Draft 4's boolean `exclusiveMinimum` is left out. */
const numbers: ReadonlySet<string> = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
]);

function alternativesOf(value: Json, reading: SchemaExpansion): Json | undefined {
  if (!Array.isArray(value)) return undefined;
  const alternatives = value.filter((one) => one !== false).map((one) => nestedSchema(one, reading));
  return alternatives.length > 0 ? alternatives : undefined;
}

/**
 * One provider refuses every request with a property name outside this pattern. Properties that are `false` are
 * dropped.
 */
function propertiesOf(properties: JsonObject, reading: SchemaExpansion): JsonObject {
  const names = Object.keys(properties).filter(
    (name) => /^[\w.-]{1,64}$/u.test(name) && name !== "__proto__" && properties[name] !== false,
  );
  return Object.fromEntries(names.map((name) => [name, nestedSchema(properties[name], reading)]));
}
