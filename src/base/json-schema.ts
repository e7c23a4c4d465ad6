/** Answers what a JSON Schema allows at one place of a value, through references, alternatives and cycles. */

import { allOrNone, attempt } from "./expected.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

export type JsonType = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/** A schema as found in the document: an object, true, false, or any invalid value. */
export type SchemaNode = Json | undefined;

/** The types allowed here; empty if the schema does not restrict them. "number" always comes with "integer". */
export function typesAllowed(schema: SchemaNode, root: JsonObject): ReadonlySet<JsonType> {
  return meaning(schema, typeWays, lookingIn(root)) ?? new Set();
}

/** The schema of a property; false if the property is forbidden; undefined if nothing is specified. */
export function propertySchema(schema: SchemaNode, name: string, root: JsonObject): Json | undefined {
  return meaning(
    schema,
    schemaWays((at) => ownProperty(at, name)),
    lookingIn(root),
  );
}

/** The schema of a list's items; of a tuple, the one at `index`, or the union if no index is given. */
export function itemSchema(schema: SchemaNode, root: JsonObject, index?: number): Json | undefined {
  return meaning(
    schema,
    schemaWays((at) => ownItem(at, index)),
    lookingIn(root),
  );
}

/** The names of all declared properties in any alternative, in order of declaration. */
export function propertyNames(schema: SchemaNode, root: JsonObject): string[] {
  return meaning(schema, nameWays, lookingIn(root)) ?? [];
}

/** The properties that every value must have. */
export function requiredNames(schema: SchemaNode, root: JsonObject): string[] {
  return meaning(schema, requiredWays, lookingIn(root)) ?? [];
}

/** The only texts allowed here; undefined if any text is allowed, or none. */
export function textsAllowed(schema: SchemaNode, root: JsonObject): readonly string[] | undefined {
  const texts = meaning(schema, textWays, lookingIn(root));
  return texts === undefined || texts.length === 0 ? undefined : texts;
}

/** The schema reduced to the alternatives that the value may be meant for, judging by types, names and constants. */
export function narrowSchema(schema: SchemaNode, value: Json, root: JsonObject, depth = 0): SchemaNode {
  if (schema === undefined || !isJsonObject(schema) || depth > deepest) return schema;
  const target = resolveReference(ownValue(schema, "$ref"), root);
  if (target !== undefined) {
    const { $ref: _, ...beside } = schema;
    const inner = narrowSchema(target, value, root, depth + 1);
    return Object.keys(beside).length === 0 || inner === undefined ? inner : { allOf: [inner, beside] };
  }
  const key = schemasAt(schema, "anyOf").length > 0 ? "anyOf" : "oneOf";
  const alternatives = schemasAt(schema, key);
  const possible = alternatives.filter((one) => couldBe(one, value, root));
  if (possible.length === 0 || possible.length === alternatives.length) return schema;
  return { ...schema, [key]: possible };
}

function couldBe(schema: Json, value: Json, root: JsonObject): boolean {
  const types = typesAllowed(schema, root);
  if (schema === false || (types.size > 0 && !types.has(typeOf(value)))) return false;
  if (value === null || !isJsonObject(value)) return true;
  if (requiredNames(schema, root).some((name) => !Object.hasOwn(value, name))) return false;
  return propertyNames(schema, root).every((name) => {
    const text = ownValue(value, name);
    const texts =
      typeof text === "string" ? textsAllowed(propertySchema(schema, name, root), root) : undefined;
    return texts === undefined || texts.some((one) => one === text);
  });
}

/** The JSON type of a value. A whole number is an "integer", however it was written. */
export function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isJsonObject(value)) return "object";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "string" ? "string" : "boolean";
}

/** An own property of a value or schema, never an inherited one such as `constructor`. */
export function ownValue(value: Json | undefined, name: string): Json | undefined {
  return value !== undefined && isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** How to answer one question about a schema. Undefined always means that the schema does not say. */
type SchemaQuestion<Answer> = {
  own(schema: JsonObject): Answer | undefined;
  /** Combines answers that all apply. */
  all(answers: readonly Answer[]): Answer;
  /** Combines the answers of alternatives. */
  any(answers: readonly (Answer | undefined)[]): Answer | undefined;
  /** The answer for a schema that only refers to itself. */
  never: Answer;
};

type SchemaLookup<Answer> = { root: JsonObject; depth: number; known: Map<JsonObject, Answer | undefined> };

const deepest = 64;

const lookingIn = <Answer>(root: JsonObject): SchemaLookup<Answer> => ({ root, depth: 0, known: new Map() });

/** Evaluates each schema once, so that cycles and repeated references cost no more than the schema's size. */
function meaning<Answer>(
  schema: SchemaNode,
  ways: SchemaQuestion<Answer>,
  looking: SchemaLookup<Answer>,
): Answer | undefined {
  if (schema === undefined || !isJsonObject(schema) || looking.depth > deepest) return undefined;
  if (looking.known.has(schema)) return looking.known.get(schema);
  looking.known.set(schema, ways.never);
  const inner = { ...looking, depth: looking.depth + 1 };
  const answers = [
    ways.own(schema),
    meaning(resolveReference(ownValue(schema, "$ref"), looking.root), ways, inner),
    ...schemasAt(schema, "allOf").map((one) => meaning(one, ways, inner)),
  ];
  for (const key of ["anyOf", "oneOf"]) {
    const alternatives = schemasAt(schema, key).filter((one) => one !== false);
    if (alternatives.length > 0) answers.push(ways.any(alternatives.map((one) => meaning(one, ways, inner))));
  }
  const said = answers.filter((answer) => answer !== undefined);
  const [only] = said;
  const answer = said.length > 1 ? ways.all(said) : only;
  looking.known.set(schema, answer);
  return answer;
}

function schemasAt(schema: JsonObject, key: string): readonly Json[] {
  const list = ownValue(schema, key);
  return Array.isArray(list) ? list : [];
}

/** Resolves only references inside the schema: "#", "#/$defs/x". */
export function resolveReference(reference: Json | undefined, root: JsonObject): Json | undefined {
  if (typeof reference !== "string" || !/^#(?:\/|$)/.test(reference)) return undefined;
  let at: Json | undefined = root;
  for (const step of reference.split("/").slice(1)) {
    const name = decodeStep(step).replaceAll("~1", "/").replaceAll("~0", "~");
    at = Array.isArray(at) && /^\d{1,9}$/.test(name) ? at[Number(name)] : ownValue(at, name);
  }
  return at;
}

const decodeStep = (step: string): string => attempt(() => decodeURIComponent(step)) ?? step;

const union = <Item>(lists: Iterable<Iterable<Item>>): Set<Item> =>
  new Set([...lists].flatMap((list) => [...list]));

function common<Item>(lists: readonly Iterable<Item>[]): Set<Item> {
  const [first = [], ...others] = lists;
  const sets = others.map((list) => new Set(list));
  return new Set([...first].filter((item) => sets.every((set) => set.has(item))));
}

const typeWays: SchemaQuestion<ReadonlySet<JsonType>> = {
  own: ownTypes,
  all: (answers) => common(answers),
  any: (answers) => {
    const given = allOrNone(answers);
    return given && union(given);
  },
  never: new Set(),
};

function ownTypes(schema: JsonObject): ReadonlySet<JsonType> | undefined {
  const declared = declaredTypes(schema);
  const values = enumValues(schema);
  if (!values) return declared ?? impliedType(schema);
  const types = new Set(values.map(typeOf));
  if (isNullable(schema)) types.add("null");
  return declared ? common([types, declared]) : types;
}

function declaredTypes(schema: JsonObject): Set<JsonType> | undefined {
  const type = ownValue(schema, "type");
  const names = (Array.isArray(type) ? type : [type]).flatMap((name) =>
    // Gemini's schemas write "STRING".
    typeof name === "string" ? (typesByName.get(name.toLowerCase()) ?? []) : [],
  );
  if (names.length === 0) return undefined;
  return new Set(isNullable(schema) ? [...names, "null"] : names);
}

/** OpenAPI's syntax for allowing null. */
const isNullable = (schema: JsonObject): boolean => ownValue(schema, "nullable") === true;

const typesByName: ReadonlyMap<string, readonly JsonType[]> = new Map<string, readonly JsonType[]>([
  ["string", ["string"]],
  ["number", ["number", "integer"]],
  ["integer", ["integer"]],
  ["boolean", ["boolean"]],
  ["null", ["null"]],
  ["array", ["array"]],
  ["object", ["object"]],
]);

function enumValues(schema: JsonObject): readonly Json[] | undefined {
  const constant = ownValue(schema, "const");
  if (constant !== undefined) return [constant];
  const values = ownValue(schema, "enum");
  return Array.isArray(values) && values.length > 0 ? values : undefined;
}

/** The type that is clearly meant if neither this schema nor one beside it states a type. */
function impliedType(schema: JsonObject): ReadonlySet<JsonType> | undefined {
  if (["$ref", "allOf", "anyOf", "oneOf"].some((key) => ownValue(schema, key) !== undefined))
    return undefined;
  if (ownValue(schema, "properties") !== undefined) return new Set(["object"]);
  return ownValue(schema, "items") !== undefined ? new Set(["array"]) : undefined;
}

function schemaWays(own: (schema: JsonObject) => Json | undefined): SchemaQuestion<Json> {
  return {
    own,
    all: (answers) => {
      const telling = [...new Set(answers)].filter((answer) => answer !== true);
      if (telling.includes(false)) return false;
      return telling.length > 1 ? { allOf: telling } : (telling[0] ?? true);
    },
    any: (answers) => {
      const given = allOrNone(answers);
      if (!given) return undefined;
      const possible = [...new Set(given)].filter((answer) => answer !== false);
      return possible.length > 1 ? { anyOf: possible } : (possible[0] ?? false);
    },
    never: false,
  };
}

function ownProperty(schema: JsonObject, name: string): Json | undefined {
  if (ownTypes(schema)?.has("object") === false) return false;
  const declared = ownValue(ownValue(schema, "properties"), name);
  if (declared !== undefined) return declared;
  // Patterns are not evaluated: they come from outside and may run for ever.
  return ownValue(schema, "patternProperties") === undefined
    ? ownValue(schema, "additionalProperties")
    : undefined;
}

function ownItem(schema: JsonObject, index: number | undefined): Json | undefined {
  if (ownTypes(schema)?.has("array") === false) return false;
  const items = ownValue(schema, "items");
  const prefix = ownValue(schema, "prefixItems") ?? items;
  if (!Array.isArray(prefix)) return items;
  const rest = prefix === items ? ownValue(schema, "additionalItems") : items;
  if (index !== undefined) return index < prefix.length ? prefix[index] : rest;
  return rest === undefined ? undefined : { anyOf: [...prefix, rest] };
}

const nameWays: SchemaQuestion<string[]> = {
  own: (schema) => {
    const properties = ownValue(schema, "properties");
    return properties !== undefined && isJsonObject(properties) ? Object.keys(properties) : undefined;
  },
  all: (answers) => [...union(answers)],
  any: (answers) => [...union(answers.filter((names) => names !== undefined))],
  never: [],
};

const requiredWays: SchemaQuestion<string[]> = {
  own: (schema) => {
    const names = ownValue(schema, "required");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : undefined;
  },
  all: (answers) => [...union(answers)],
  any: (answers) => {
    const given = allOrNone(answers);
    return given && [...common(given)];
  },
  never: [],
};

/** Alternatives without texts do not count; one that allows any text lifts the restriction. */
const textWays: SchemaQuestion<readonly string[]> = {
  own: (schema) => {
    const texts = enumValues(schema)?.filter((value) => typeof value === "string");
    if (texts) return texts;
    const types = ownTypes(schema);
    return types && !types.has("string") ? [] : undefined;
  },
  all: (answers) => [...common(answers)],
  any: (answers) => {
    const given = allOrNone(answers);
    return given && [...union(given)];
  },
  never: [],
};
