/** Built-in tools' inputs: from zod shapes to JSON Schema, and from zod issues to messages for the model. */

import * as z from "zod/mini";
import { propertyNames } from "../../base/json-schema.ts";
import { type JsonObject, parseObject } from "../../base/json.ts";
import { type InputProblem, type InputPath, placeInWords } from "./call-problems.ts";

/** A text argument; `about` is the description the model reads. */
export const textField = (about: string) => z.string().check(z.describe(about));
/** A whole number, at least `least`; without words if its name and the tool's own words say enough. */
export const countField = (about?: string, least = 1) =>
  z.int().check(z.minimum(least), ...(about === undefined ? [] : [z.describe(about)]));
export const switchField = (about: string) => z.boolean().check(z.describe(about));

/** A JSON Schema without details that no model needs but every request would pay for. */
export function compactSchema(reader: z.core.$ZodType): JsonObject {
  const schema = z.toJSONSchema(reader, {
    io: "input",
    override: ({ jsonSchema }) => {
      // The safe-integer bounds are zod's own addition.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // Minimums of 0 and 1 are what models assume anyway.
      if (jsonSchema.maximum === undefined && (jsonSchema.minimum === 0 || jsonSchema.minimum === 1))
        delete jsonSchema.minimum;
      // Inputs seldom come near these bounds; those that exceed them get an error.
      for (const bound of ["minLength", "maxLength", "minItems", "maxItems"] as const)
        delete jsonSchema[bound];
      // Models seldom invent argument names, and get an error listing the valid ones if they do.
      if (jsonSchema.additionalProperties === false && Object.keys(jsonSchema.properties ?? {}).length > 0)
        delete jsonSchema.additionalProperties;
    },
  });
  delete schema.$schema;
  const plain = parseObject(JSON.stringify(schema));
  return plain.ok ? plain.value : {};
}

/** All problems in one line. The issues must have been made with `reportInput`. */
export function problemOf(error: z.core.$ZodError, schema: JsonObject): InputProblem {
  return {
    words: error.issues.map((issue) => describeIssue(issue, schema)).join("; "),
    places: error.issues.map(inputPathOf),
  };
}

const inputPathOf = (issue: z.core.$ZodIssue): InputPath =>
  issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));

function describeIssue(issue: z.core.$ZodIssue, schema: JsonObject): string {
  const place = `"${placeInWords(inputPathOf(issue))}"`;
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `${place} is required`
        : `${place} must be ${withArticle(issue.expected)}`;
    case "unrecognized_keys": {
      const names = issue.keys.map((key) => `"${key}"`).join(", ");
      return `unknown argument ${names}; known are: ${propertyNames(schema, schema).join(", ")}`;
    }
    case "too_small":
      return `${place} must ${amount(issue.origin, "at least", issue.minimum)}`;
    case "too_big":
      return `${place} must ${amount(issue.origin, "at most", issue.maximum)}`;
    case "invalid_value":
      return `${place} must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    default:
      return `${place} is invalid: ${issue.message}`;
  }
}

function amount(origin: string, bound: string, count: number | bigint): string {
  if (origin === "array") return `have ${bound} ${count} items`;
  return origin === "string" ? `have ${bound} ${count} characters` : `be ${bound} ${count}`;
}

const articles: Readonly<Record<string, string>> = {
  int: "an integer",
  array: "a list",
  object: "an object",
};

function withArticle(type: string): string {
  return articles[type] ?? `a ${type}`;
}
