/** Reads a JSON Schema into the few kinds of values that a grammar or a strict schema can say; the rest is left out. */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** `words`: the description, and keywords that narrow the value further. `isLoose`: it may allow more than the schema. */
export type PlainSchema = PlainValue & { readonly words: JsonObject; readonly isLoose?: true };

type PlainValue =
  | { readonly type: "any" | "string" | "number" | "integer" | "boolean" | "null" }
  | { readonly type: "enum"; readonly values: readonly Json[] }
  | { readonly type: "union"; readonly of: readonly PlainSchema[] }
  | { readonly type: "list"; readonly items: PlainSchema }
  /** Any names, with values of one kind. */
  | { readonly type: "map"; readonly values: PlainSchema }
  /** No names but these. */
  | PlainObject;

export type PlainObject = { readonly type: "object"; readonly properties: readonly PlainProperty[] };
type PlainProperty = {
  readonly name: string;
  readonly schema: PlainSchema;
  readonly isRequired: boolean;
};

/** Larger schemas are read no further: what is left of them may be anything. */
const mostNodes = 2_000;

export function plainSchema(root: JsonObject): PlainSchema {
  return read(root, { root, open: [], left: { nodes: mostNodes } });
}

type SchemaReading = {
  readonly root: JsonObject;
  /** The references that are being followed. */
  readonly open: readonly string[];
  readonly left: { nodes: number };
};

const anything: PlainSchema = { type: "any", words: {} };
/** What cannot be said may be anything. */
const unsaid: PlainSchema = { ...anything, isLoose: true };

function read(schema: Json | undefined, reading: SchemaReading): PlainSchema {
  reading.left.nodes -= 1;
  if (reading.left.nodes < 0) return unsaid;
  if (schema === undefined || !isJsonObject(schema)) return schema === false ? unsaid : anything;
  const own = ownPart(schema, reading);
  const { $ref: reference, allOf, anyOf, oneOf } = schema;
  const parts = [
    ...(typeof reference === "string" ? [targetOf(reference, reading)] : []),
    ...(Array.isArray(allOf) ? allOf.map((part) => read(part, reading)) : []),
  ];
  const whole = parts.reduce(both, own);
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  const isMore = unsaidWords.some((word) => Object.hasOwn(schema, word));
  const said = choices
    ? oneOfThese(
        whole,
        choices.map((choice) => read(choice, reading)),
      )
    : whole;
  return isMore ? { ...said, isLoose: true } : said;
}

const unsaidWords = [
  "not",
  "if",
  "patternProperties",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedProperties",
  "contains",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "prefixItems",
];

/** What the keywords of this schema itself say. */
function ownPart(schema: JsonObject, reading: SchemaReading): PlainSchema {
  const words = wordsOf(schema);
  const { type, enum: values, const: only } = schema;
  if (only !== undefined) return { type: "enum", values: [only], words };
  if (Array.isArray(values) && values.length > 0) return { type: "enum", values, words };
  if (Array.isArray(type)) {
    const of = type.map((one) => ownOfType(one, schema, reading));
    return of.length === 1 ? { ...(of[0] ?? unsaid), words } : { type: "union", of, words };
  }
  return { ...ownOfType(type ?? impliedType(schema), schema, reading), words };
}

function impliedType(schema: JsonObject): string | undefined {
  const isObject = ["properties", "additionalProperties", "required"].some(
    (word) => schema[word] !== undefined,
  );
  return isObject ? "object" : schema["items"] === undefined ? undefined : "array";
}

function ownOfType(type: Json | undefined, schema: JsonObject, reading: SchemaReading): PlainSchema {
  const words = narrowing(schema);
  switch (type) {
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return { type, words };
    case "array": {
      const { items } = schema;
      return { type: "list", items: Array.isArray(items) ? unsaid : read(items, reading), words };
    }
    case "object":
      return { ...objectOf(schema, reading), words };
    default:
      return type === undefined ? anything : unsaid;
  }
}

/** Names that a schema does not declare are not offered, unless it has no list of them. */
function objectOf(schema: JsonObject, reading: SchemaReading): PlainSchema {
  const { properties, required, additionalProperties: others } = schema;
  const declared = Object.entries(asObject(properties));
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  if (properties === undefined && needed.length === 0 && others !== false)
    return {
      type: "map",
      values: isJsonObject(others ?? null) ? read(others, reading) : anything,
      words: {},
    };
  const known = new Set(declared.map(([name]) => name));
  const undeclared = needed.filter((name) => !known.has(name)).map((name): [string, Json] => [name, {}]);
  const all = [...declared, ...undeclared]
    .filter(([name, one]) => one !== false || needed.includes(name))
    .map(([name, one]): PlainProperty => ({
      name,
      schema: read(one, reading),
      isRequired: needed.includes(name),
    }));
  const isOpen = others === true || isJsonObject(others ?? null);
  return { type: "object", properties: all, words: {}, ...(isOpen ? { isLoose: true } : {}) };
}

const asObject = (value: Json | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : {};

/** A reference within the document; one that leads back to itself may be anything. */
function targetOf(reference: string, reading: SchemaReading): PlainSchema {
  if (!reference.startsWith("#") || reading.open.includes(reference)) return unsaid;
  let target: Json | undefined = reading.root;
  for (const part of reference.split("/").slice(1)) {
    const key = decodePart(part);
    target =
      target !== undefined && isJsonObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return target === undefined ? unsaid : read(target, { ...reading, open: [...reading.open, reference] });
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return part;
  }
}

/** A value that fits both, as far as that can be said. */
function both(one: PlainSchema, other: PlainSchema): PlainSchema {
  const words = { ...other.words, ...one.words };
  const loose = one.isLoose === true || other.isLoose === true ? { isLoose: true as const } : {};
  if (one.type === "any" || (one.type === "map" && other.type === "object"))
    return { ...other, words, ...loose };
  if (other.type === "any" || (other.type === "map" && one.type === "object"))
    return { ...one, words, ...loose };
  if (one.type !== "object" || other.type !== "object") return { ...one, words, isLoose: true };
  const later = other.properties.filter(({ name }) => !one.properties.some((known) => known.name === name));
  const earlier = one.properties.map((property) => {
    const same = other.properties.find(({ name }) => name === property.name);
    if (!same) return property;
    const isRequired = property.isRequired || same.isRequired;
    return { ...property, schema: both(property.schema, same.schema), isRequired };
  });
  return { type: "object", properties: [...earlier, ...later], words, ...loose };
}

function oneOfThese(whole: PlainSchema, choices: readonly PlainSchema[]): PlainSchema {
  const { words, ...bare } = whole;
  const of = choices.map((choice) => both(choice, { ...bare, words: {} }));
  const [first, second] = of;
  if (!first) return whole;
  if (!second) return { ...first, words: { ...first.words, ...words } };
  // Alternatives that say nothing of their own: what they would add cannot be said.
  if (choices.every(({ type }) => type === "any")) return { ...whole, isLoose: true };
  return { type: "union", of, words };
}

const narrowWords = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
] as const;

const wordsAmong = (schema: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])));

const narrowing = (schema: JsonObject): JsonObject => wordsAmong(schema, narrowWords);
const wordsOf = (schema: JsonObject): JsonObject => wordsAmong(schema, ["description", ...narrowWords]);
