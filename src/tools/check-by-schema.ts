/** The check of arguments against schemas that are not ours (MCP servers, lent tools). */
import { Validator } from "@cfworker/json-schema";
import type { JsonObject, Parsed } from "../base/json.ts";

const validators = new WeakMap<JsonObject, Validator>();

/** The problem is one line for `invalidInput`. A schema that cannot be used is a problem too, never an exception. */
export function checkBySchema(schema: JsonObject, value: JsonObject): Parsed<JsonObject> {
  try {
    const result = validatorOf(schema).validate(value);
    if (result.valid) return { ok: true, value };
    // The validator reports from the outside in: the last words about a place are the most exact ones.
    const words = result.errors.filter((error) => !summaries.has(error.keyword)).map(wordsOf);
    const shown = [...new Set(words.length > 0 ? words : result.errors.map(wordsOf))].slice(0, 5);
    return { ok: false, problem: shown.join("; ") };
  } catch (error) {
    return {
      ok: false,
      problem: `the tool's schema cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** Keywords whose error only says that something inside is wrong. */
const summaries = new Set(["properties", "items", "prefixItems", "additionalProperties", "$ref", "allOf"]);

function validatorOf(schema: JsonObject): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const draft = /draft-0?([47])/.exec(typeof schema["$schema"] === "string" ? schema["$schema"] : "")?.[1];
  const made = new Validator(schema, draft === "4" || draft === "7" ? draft : "2020-12");
  validators.set(schema, made);
  return made;
}

function wordsOf(error: { instanceLocation: string; error: string }): string {
  const place = error.instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".");
  return place === "" ? error.error : `"${place}": ${error.error}`;
}
