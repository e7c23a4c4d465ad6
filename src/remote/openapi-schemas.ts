/** Converts the route table's schemas to named, described components of an OpenAPI document. */

import * as z from "zod/mini";
import type { JsonObject } from "../base/json.ts";
import { commands } from "../protocol/commands.ts";
import { part, usage } from "../protocol/fact-parts.ts";
import { conflict } from "./api-conflict.ts";
import { context, review } from "./api-reports.ts";
import * as values from "./api-values.ts";
import { command, newSession, type ApiRoute, routes } from "./api.ts";

type SchemaComponent = { schema: z.ZodMiniType; says: string };

/** Schemas without a name here are named after their route. */
const named: Readonly<Record<string, SchemaComponent>> = {
  Problem: { schema: values.problem, says: "What is wrong: `code` for programs, `message` for people." },
  About: { schema: values.about, says: "How the gateway is." },
  Code: { schema: values.code, says: "A one-time code." },
  Token: { schema: values.token, says: "A token, to be kept secret." },
  Models: { schema: values.models, says: "Models by provider." },
  Session: { schema: values.session, says: "A session, as it is now. Times are milliseconds since 1970." },
  Sessions: { schema: values.sessionsPage, says: "Some sessions, newest first." },
  Fact: { schema: values.entry, says: "A fact, as docs/events.md has them; new types may appear." },
  Facts: { schema: values.factsPage, says: "Facts in order." },
  Outcome: { schema: values.outcome, says: "What came of a command. A refused one changed nothing." },
  Conflict: { schema: conflict, says: "What stands in the way of an undo." },
  Imported: { schema: values.imported, says: "What came of an import; `was`: the id that it had." },
  Forked: { schema: values.forked, says: "The new session." },
  Review: { schema: review, says: "What a request changed." },
  Context: { schema: context, says: "What fills the context, in tokens." },
  NewSession: { schema: newSession, says: "What is absent is as the gateway was started." },
  Part: { schema: part, says: "A part of a message: text, or an image in base64." },
  Usage: { schema: usage, says: "Tokens." },
  Command: { schema: command, says: "What may be asked of a session." },
  ...Object.fromEntries(
    Object.entries(commands).map(([type, schema]) => [
      `${pascal(type)}Command`,
      { schema, says: `The command "${type}".` },
    ]),
  ),
};

const names = new Map<z.core.$ZodType, string>(
  Object.entries(named).map(([name, { schema }]) => [schema, name]),
);
for (const [route, { body, replies }] of Object.entries<ApiRoute>(routes)) {
  for (const { schema } of body ? [body] : [])
    if (schema && !names.has(schema)) names.set(schema, `${pascal(route)}Request`);
  for (const { schema } of Object.values(replies))
    if (schema && !names.has(schema)) names.set(schema, `${pascal(route)}Reply`);
}

/** A reference to the component for one of the route table's schemas. */
export const reference = (schema: z.core.$ZodType): JsonObject => ({
  $ref: pointerTo(names.get(schema) ?? ""),
});

/** By name. Objects allow further properties, because newer gateways add some. */
export function schemaComponents(): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, {
    uri: pointerTo,
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === values.entry) Object.assign(jsonSchema, factSchema);
    },
  });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, schema]) => [name, asComponent(schema, named[name]?.says)]),
  );
}

/** The parameters of a query, by name. */
export function queryParameters(query: z.ZodMiniType): JsonObject[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input" });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: plain(schema),
  }));
}

const factSchema = {
  type: "object",
  properties: {
    type: { type: "string" },
    v: { type: "integer", description: "The version of the format." },
    seq: { type: "integer", description: "Counts from 1 without gaps in a session." },
    at: { type: "integer", description: "Milliseconds since 1970." },
    turn: { type: "integer", description: "Counts from 1; 0: before any request." },
  },
  required: ["type", "v", "seq", "at", "turn"],
};

const pointerTo = (name: string): string => `#/components/schemas/${name}`;

function pascal(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/gu, (_all, letter: string) => letter.toUpperCase());
}

/** Drops `$schema` and `$id`: an `$id` of its own would break the document's references. */
function asComponent(schema: unknown, says: string | undefined): JsonObject {
  const { $schema: _, $id: __, ...rest } = plain(schema);
  return says === undefined ? rest : { description: says, ...rest };
}

/** Gives the schema the type of the JSON that it is. */
function plain(schema: unknown): JsonObject {
  const value: JsonObject = JSON.parse(JSON.stringify(schema));
  return value;
}
