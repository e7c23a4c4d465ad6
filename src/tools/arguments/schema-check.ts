/** Validates values against schemas that are not ours: arguments (MCP servers, lent tools), and answers. */

import { dereference, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";
import {
  itemSchema,
  type JsonType,
  ownValue,
  propertyNames,
  propertySchema,
  typesAllowed,
} from "../../base/json-schema.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { shortExcerpt, type InputProblem, type InputPath, placeInWords } from "./call-problems.ts";
import { usableSchema } from "./usable-schema.ts";

/**
 * Returns undefined if the value is valid. Throws for an unusable schema, and may take as long as the schema's own
 * patterns do: call it within a time limit.
 */
export function problemBySchema(
  schema: JsonObject,
  value: Json,
  words: CheckedWords = ofArguments,
): InputProblem | undefined {
  const compiled = compile(schema);
  const first = run(compiled, value, { stopAtFirst: true });
  if (first.valid) return undefined;
  // Collects all errors at once, unless the value is so large that this takes too long.
  const isLong = JSON.stringify(value).length > mostLooked;
  const { errors } = isLong ? first : run(compiled, value, { stopAtFirst: false });
  const telling = errors.filter((error) => !isSummary(error));
  const problems = (telling.length > 0 ? telling : errors).map((error) =>
    describe(error, { root: schema, value, words }),
  );
  const told = [...new Set(problems.map((problem) => problem.words))];
  const shown = told.slice(0, mostProblems);
  return {
    words: told.length > mostProblems ? `${shown.join("; ")}; and more` : shown.join("; "),
    places: problems.map(({ place }) => place),
  };
}

/** What the value and its members are called. */
type CheckedWords = { whole: string; member: string };
const ofArguments: CheckedWords = { whole: "the input", member: "argument" };

const mostProblems = 5;
const mostLooked = 50_000;

/** Keywords whose errors only report that something nested is wrong. */
const summaries: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
]);

/** An exception: if several mutually exclusive alternatives match, nothing nested is wrong. */
const isSummary = ({ keyword, error }: OutputUnit): boolean =>
  summaries.has(keyword) && !(keyword === "oneOf" && !error.includes("(0 matches)"));

type SchemaDraft = "4" | "7" | "2019-09" | "2020-12";
type CompiledSchema = { schema: Schema; draft: SchemaDraft; lookup: Record<string, Schema | boolean> };

type Thoroughness = { stopAtFirst: boolean };

const run = ({ schema, draft, lookup }: CompiledSchema, value: Json, { stopAtFirst }: Thoroughness) =>
  validate(value, schema, draft, lookup, stopAtFirst);

/** The most recently used validators (D8). */
const cache = new Map<JsonObject, CompiledSchema>();
/** Compiled tool schemas kept. */
const mostCached = 16;

function compile(schema: JsonObject): CompiledSchema {
  const known = cache.get(schema);
  cache.delete(schema);
  const compiled = known ?? newlyCompiled(schema);
  cache.set(schema, compiled);
  const [oldest] = cache.keys();
  if (cache.size > mostCached && oldest) cache.delete(oldest);
  return compiled;
}

function newlyCompiled(schema: JsonObject): CompiledSchema {
  const usable = usableSchema(schema); // a copy, since the library mutates its input
  return { schema: usable, draft: draftOf(schema), lookup: dereference(usable) };
}

function draftOf(schema: JsonObject): SchemaDraft {
  const written = typeof schema["$schema"] === "string" ? schema["$schema"] : "";
  const found = /draft-0?(4|6|7)|draft\/(2019-09)/.exec(written);
  if (found?.[2] === "2019-09") return "2019-09";
  if (found?.[1] === "4") return "4";
  return found ? "7" : "2020-12";
}

type SchemaProblem = { words: string; place: InputPath };

type CheckedValue = { root: JsonObject; value: Json; words: CheckedWords };

function describe(error: OutputUnit, { root, value, words }: CheckedValue): SchemaProblem {
  const place = inputPathOf(error.instanceLocation, value);
  const name = place.length === 0 ? words.whole : `"${placeInWords(place)}"`;
  switch (error.keyword) {
    case "type":
      return { place, words: `${name} must be ${typesInWords(schemaAt(place, root), root)}` };
    case "required": {
      const missing = /property "(.*)"\.$/s.exec(error.error)?.[1] ?? "";
      return { place, words: `"${placeInWords([...place, missing])}" is required` };
    }
    case "false": {
      const around = schemaAt(place.slice(0, -1), root);
      const known = propertyNames(around, root).filter((one) => propertySchema(around, one, root) !== false);
      return { place, words: `unknown ${words.member} ${name}; known are: ${known.join(", ") || "none"}` };
    }
    case "enum":
      return {
        place,
        words: `${name} must be one of ${shortExcerpt(error.error.replace(/^.*?any of \[|\]\.$/g, ""))}`,
      };
    default:
      return { place, words: `${name}: ${shortExcerpt(error.error)}` };
  }
}

/** Parses the library's pointer: `#/edits/0/old`. */
function inputPathOf(pointer: string, value: Json): InputPath {
  let at: Json | undefined = value;
  return pointer
    .split("/")
    .slice(1)
    .map((step) => {
      const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
      const index = Array.isArray(at) ? Number(name) : undefined;
      at = index === undefined ? ownValue(at, name) : itemAt(at, index);
      return index ?? name;
    });
}

const itemAt = (value: Json | undefined, index: number): Json | undefined =>
  Array.isArray(value) ? value[index] : undefined;

function schemaAt(place: InputPath, root: JsonObject): Json | undefined {
  return place.reduce<Json | undefined>(
    (schema, step) =>
      typeof step === "number" ? itemSchema(schema, root, step) : propertySchema(schema, step, root),
    root,
  );
}

const typeWords: Readonly<Record<JsonType, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  null: "null",
  array: "a list",
  object: "an object",
};

function typesInWords(schema: Json | undefined, root: JsonObject): string {
  const types = typesAllowed(schema, root);
  const words = [...types]
    .filter((type) => type !== "integer" || !types.has("number"))
    .map((type) => typeWords[type]);
  return words.join(" or ") || "of another type";
}
