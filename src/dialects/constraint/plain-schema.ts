/** Reads a JSON Schema into the few kinds of values that a grammar or a strict schema can say; the rest is left out. */

import { attempt } from "../../base/expected.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** `words`: the description, and keywords that narrow the value further. `isLoose`: it may allow more than the schema. */
export type PlainSchema = PlainValue & { readonly words: JsonObject; readonly isLoose?: true };

type PlainValue =
  | { readonly type: "any" | "string" | "number" | "integer" | "boolean" | "null" }
  | { readonly type: "enum"; readonly values: readonly Json[] }
  | { readonly type: "union"; readonly of: readonly PlainSchema[] }
  | PlainList
  /** Any names, with values of one kind. */
  | { readonly type: "map"; readonly values: PlainSchema }
  /** No names but these. */
  | PlainObject
  /** The value of a schema that leads back to itself; equal references are the same function. */
  | { readonly type: "again"; readonly target: () => PlainSchema };

/** `first`: what its first items must be, each its own. */
export type PlainList = {
  readonly type: "list";
  readonly items: PlainSchema;
  readonly first?: readonly PlainSchema[];
};
export type PlainObject = { readonly type: "object"; readonly properties: readonly PlainProperty[] };
type PlainProperty = {
  readonly name: string;
  readonly schema: PlainSchema;
  readonly isRequired: boolean;
};

/** Larger schemas are read no further: what is left of them may be anything. */
const mostNodes = 2_000;

/** `known`: schemas by the names under which the root refers to them. */
export function plainSchema(
  root: JsonObject,
  known: ReadonlyMap<string, PlainSchema> = new Map(),
): PlainSchema {
  return read(root, { root, known, open: [], outer: [], again: new Map(), left: { nodes: mostNodes } });
}

export function childrenOf(plain: PlainSchema): readonly PlainSchema[] {
  if (plain.type === "union") return plain.of;
  if (plain.type === "list") return [...(plain.first ?? []), plain.items];
  if (plain.type === "map") return [plain.values];
  return plain.type === "object" ? plain.properties.map(({ schema }) => schema) : [];
}

/** The schema and all within it. */
export const partsOf = (plain: PlainSchema): PlainSchema[] => [plain, ...childrenOf(plain).flatMap(partsOf)];

type SchemaReading = {
  readonly root: JsonObject;
  readonly known: ReadonlyMap<string, PlainSchema>;
  /** The references that are being followed for this value, and for those that it is within. */
  readonly open: readonly string[];
  readonly outer: readonly string[];
  readonly again: Map<string, () => PlainSchema>;
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
  const { $ref: reference, allOf } = schema;
  const parts = [
    ...(typeof reference === "string" ? [targetOf(reference, reading)] : []),
    ...(Array.isArray(allOf) ? allOf.map((part) => read(part, reading)) : []),
  ];
  const whole = parts.reduce(both, own);
  const isMore = unsaidWords.some((word) => Object.hasOwn(schema, word));
  const said = [schema["anyOf"], schema["oneOf"]].reduce<PlainSchema>(
    (soFar, choices) =>
      Array.isArray(choices)
        ? oneOfThese(
            soFar,
            choices.map((choice) => read(choice, reading)),
          )
        : soFar,
    whole,
  );
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
  // Said only where one name or none makes the difference.
  "minProperties",
  "maxProperties",
];

/** What the keywords of this schema itself say. */
function ownPart(schema: JsonObject, reading: SchemaReading): PlainSchema {
  const words = wordsOf(schema);
  const { type, enum: values, const: only } = schema;
  if (only !== undefined) return { type: "enum", values: [only], words };
  if (Array.isArray(values) && values.length > 0) {
    const of = (Array.isArray(type) ? type : [type]).map((one) => ownOfType(one, {}, reading));
    const fitting = values.filter((value) => of.some((one) => fits(value, one)));
    return { type: "enum", values: fitting.length > 0 ? fitting : values, words };
  }
  if (Array.isArray(type)) {
    const of = type.map((one) => ownOfType(one, schema, reading));
    return of.length === 1 ? { ...(of[0] ?? unsaid), words } : { type: "union", of, words };
  }
  const own = ownOfType(type ?? impliedType(schema), schema, reading);
  return { ...own, words: { ...words, ...own.words } };
}

/** What only speaks of one kind of value is of that kind, unless other parts of the schema tell. */
function impliedType(schema: JsonObject): string | undefined {
  const says = (word: string): boolean => schema[word] !== undefined;
  for (const [type, words] of Object.entries(typeWords)) if (words.some(says)) return type;
  if (["$ref", "allOf", "anyOf", "oneOf"].some(says)) return undefined;
  return Object.entries(boundWords).find(([, words]) => words.some(says))?.[0];
}

const typeWords = {
  object: ["properties", "additionalProperties", "required"],
  array: ["items", "prefixItems"],
};
const boundWords = {
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  string: ["pattern", "format", "minLength", "maxLength"],
  array: ["minItems", "maxItems"],
  object: ["minProperties", "maxProperties", "propertyNames"],
};

function ownOfType(type: Json | undefined, schema: JsonObject, reading: SchemaReading): PlainSchema {
  const words = narrowing(schema);
  switch (type) {
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return { type, words };
    case "array":
      return listOf(schema, within(reading));
    case "object":
      return { ...objectOf(schema, within(reading)), words };
    default:
      return type === undefined ? anything : unsaid;
  }
}

const within = ({ open, outer, ...reading }: SchemaReading): SchemaReading => ({
  ...reading,
  open: [],
  outer: [...outer, ...open],
});

/** Until 2019 the first items stood under `items`, and the others under `additionalItems`. */
function listOf(schema: JsonObject, reading: SchemaReading): PlainSchema {
  const { items, prefixItems, additionalItems } = schema;
  const first = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
  const others = Array.isArray(items) ? additionalItems : items;
  const most: JsonObject = others === false ? { maxItems: first.length } : {};
  const words = joinedWords(narrowing(schema), most);
  const list = { type: "list" as const, items: read(others, reading), words };
  return first.length === 0 ? list : { ...list, first: first.map((one) => read(one, reading)) };
}

/** Names that a schema does not declare are not offered, unless it has no list of them. */
function objectOf(schema: JsonObject, reading: SchemaReading): PlainSchema {
  const { required, additionalProperties: others } = schema;
  const properties = schema["properties"] ?? namesListed(schema);
  const declared = Object.entries(asObject(properties));
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  if (properties === undefined && needed.length === 0 && others !== false)
    return {
      type: "map",
      values: isJsonObject(others ?? null) ? read(others, reading) : anything,
      words: {},
    };
  const known = new Set(declared.map(([name]) => name));
  const other = isJsonObject(others ?? null) ? (others ?? {}) : {};
  const undeclared = needed.filter((name) => !known.has(name)).map((name): [string, Json] => [name, other]);
  const all = [...declared, ...undeclared]
    .filter(([name, one]) => one !== false || needed.includes(name))
    .map(([name, one]): PlainProperty => ({
      name,
      schema: read(one, reading),
      isRequired: needed.includes(name),
    }));
  const isOpen = others === true || (isJsonObject(others ?? null) && schema["properties"] !== undefined);
  return { type: "object", properties: all, words: {}, ...(isOpen ? { isLoose: true } : {}) };
}

/** The only names that an object may have, where they are listed apart. */
function namesListed({
  propertyNames,
  additionalProperties: others = {},
}: JsonObject): JsonObject | undefined {
  const { enum: names } = asObject(propertyNames);
  if (!Array.isArray(names)) return undefined;
  return Object.fromEntries(names.flatMap((name) => (typeof name === "string" ? [[name, others]] : [])));
}

const asObject = (value: Json | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : {};

/** A reference within the document; one that leads back to itself at once may be anything. */
function targetOf(reference: string, reading: SchemaReading): PlainSchema {
  const known = reading.known.get(reference);
  if (known) return known;
  if (!reference.startsWith("#") || reading.open.includes(reference)) return unsaid;
  let target: Json | undefined = reading.root;
  for (const part of reference.split("/").slice(1)) {
    const key = decodePart(part);
    target =
      target !== undefined && isJsonObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  if (target === undefined) return unsaid;
  if (reading.outer.includes(reference)) return againOf(reference, target, reading);
  return read(target, { ...reading, open: [...reading.open, reference] });
}

function againOf(reference: string, schema: Json, reading: SchemaReading): PlainSchema {
  let plain: PlainSchema | undefined;
  const target =
    reading.again.get(reference) ??
    ((): PlainSchema => (plain ??= read(schema, { ...reading, open: [reference], outer: [] })));
  reading.again.set(reference, target);
  return { type: "again", target, words: {}, isLoose: true };
}

const decodePart = (part: string): string =>
  attempt(() => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")) ?? part;

/** A value that fits both, as far as that can be said. */
const both = (one: PlainSchema, other: PlainSchema): PlainSchema =>
  intersection(one, other) ?? { ...one, isLoose: true };

/** Undefined if nothing fits both. */
function intersection(one: PlainSchema, other: PlainSchema): PlainSchema | undefined {
  const words = joinedWords(one.words, other.words);
  const loose = one.isLoose === true || other.isLoose === true ? { isLoose: true as const } : {};
  if (one.type === "any") return { ...other, words, ...loose };
  if (other.type === "any") return { ...one, words, ...loose };
  if (one.type === "again" || other.type === "again") return { ...one, words, isLoose: true };
  if (one.type === "union") return joinedChoices(one, other);
  if (other.type === "union") return joinedChoices(other, one);
  if (one.type === "enum") return joinedValues(one, other, words);
  if (other.type === "enum") return joinedValues(other, one, words);
  if (one.type === "object" && other.type === "object")
    return { ...joinedObject(one, other), words, ...loose };
  if (one.type === "object" && other.type === "map")
    return { ...withValues(one, other.values), words, ...loose };
  if (one.type === "map" && other.type === "object")
    return { ...withValues(other, one.values), words, ...loose };
  if (one.type === "map" && other.type === "map")
    return { type: "map", values: both(one.values, other.values), words, ...loose };
  if (one.type === "list" && other.type === "list") {
    const items = both(one.items, other.items);
    const isLoose = (one.first ?? other.first) ? { isLoose: true as const } : loose;
    return { ...other, ...one, items, words, ...isLoose };
  }
  if (one.type === "number" && other.type === "integer") return { ...other, words, ...loose };
  const isSame = one.type === other.type || (one.type === "integer" && other.type === "number");
  return isSame ? { ...one, words, ...loose } : undefined;
}

type PlainUnion = PlainSchema & { type: "union" };
type PlainEnum = PlainSchema & { type: "enum" };

/** So many pairs of alternatives are looked at. */
const mostPairs = 1_000;

function joinedChoices(union: PlainUnion, other: PlainSchema): PlainSchema | undefined {
  const pairs = union.of.length * (other.type === "union" ? other.of.length : 1);
  if (pairs > mostPairs) return { ...union, isLoose: true };
  const of = union.of.flatMap((choice) => intersection(choice, other) ?? []);
  const [first, second] = of;
  return second ? { ...union, of } : first;
}

function joinedValues(one: PlainEnum, other: PlainSchema, words: JsonObject): PlainSchema | undefined {
  const values = one.values.filter((value) => fits(value, other));
  return values.length > 0 ? { ...one, values, words } : undefined;
}

/** As far as the kind of value goes. */
function fits(value: Json, plain: PlainSchema): boolean {
  switch (plain.type) {
    case "any":
    case "again":
      return true;
    case "enum":
      return plain.values.some((one) => JSON.stringify(one) === JSON.stringify(value));
    case "union":
      return plain.of.some((one) => fits(value, one));
    case "list":
      return Array.isArray(value);
    case "map":
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    default:
      return typeof value === plain.type;
  }
}

function joinedObject(one: PlainObject, other: PlainObject): PlainObject {
  const later = other.properties.filter(({ name }) => !one.properties.some((known) => known.name === name));
  const earlier = one.properties.map((property) => {
    const same = other.properties.find(({ name }) => name === property.name);
    if (!same) return property;
    const isRequired = property.isRequired || same.isRequired;
    return { ...property, schema: both(property.schema, same.schema), isRequired };
  });
  return { type: "object", properties: [...earlier, ...later] };
}

const withValues = ({ properties }: PlainObject, values: PlainSchema): PlainObject => ({
  type: "object",
  properties: properties.map((property) => ({ ...property, schema: both(property.schema, values) })),
});

function oneOfThese(whole: PlainSchema, choices: readonly PlainSchema[]): PlainSchema {
  const { description, ...narrow } = whole.words;
  const told: JsonObject = description === undefined ? {} : { description };
  const of = choices.flatMap((choice) => intersection(choice, { ...whole, words: narrow }) ?? []);
  const [first, second] = of;
  if (!first) return choices.length > 0 ? { ...whole, isLoose: true } : whole;
  if (!second) return { ...first, words: { ...first.words, ...told } };
  // Alternatives that say nothing of their own: what they would add cannot be said.
  if (choices.every(({ type }) => type === "any")) return { ...whole, isLoose: true };
  return { type: "union", of, words: told };
}

/** Of two bounds the narrower one counts. */
export function joinedWords(one: JsonObject, other: JsonObject): JsonObject {
  const words = { ...other, ...one };
  for (const [word, narrower] of narrowerOf) {
    const [first, second] = [one[word], other[word]];
    if (typeof first === "number" && typeof second === "number") words[word] = narrower(first, second);
  }
  return words;
}

const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const narrowerOf = new Map([
  ...lowerBounds.map((word) => [word, Math.max] as const),
  ...upperBounds.map((word) => [word, Math.min] as const),
]);
const narrowWords = [...lowerBounds, ...upperBounds, "multipleOf", "pattern", "format"];

const wordsAmong = (schema: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])));

const narrowing = (schema: JsonObject): JsonObject => wordsAmong(schema, narrowWords);
const wordsOf = (schema: JsonObject): JsonObject => wordsAmong(schema, ["description", ...narrowWords]);
