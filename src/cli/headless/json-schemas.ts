/** The schemas of a headless run as one JSON Schema, for programs in any language. */

import * as z from "zod/mini";
import { isJsonObject, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { inputLine, outputLine, question, runResult } from "./schemas.ts";

/** What is read admits no further fields; what is printed may have more in later versions. */
export function headlessSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "toolwright -p",
    $defs: {
      ...definitions({ runResult, outputLine, question }, "input"),
      ...definitions({ inputLine }, "output"),
    },
  };
}

/** `io`: zod's objects are closed where they come out of it, and open where they go in. */
function definitions(schemas: Record<string, z.ZodMiniType>, io: "input" | "output"): JsonObject {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, { io });
  const plain: JsonObject = JSON.parse(JSON.stringify(made.schemas), (_, value: unknown) =>
    withoutShared(value),
  );
  return Object.fromEntries(
    Object.keys(schemas).map((name) => {
      const { $schema: _, $id: __, ...schema } = asObject(plain[name]);
      return [name, schema];
    }),
  );
}

/** All that is shared is "any JSON value", which an empty schema says as well. */
const withoutShared = (value: unknown): unknown =>
  isObject(value) && typeof value["$ref"] === "string" && value["$ref"].includes("__shared") ? {} : value;

const asObject = (value: Json | undefined): JsonObject => (value && isJsonObject(value) ? value : {});
