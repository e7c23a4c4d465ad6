/** One call of a tool with a given schema, from a model that its server holds to a form. */

import { Validator } from "@cfworker/json-schema";
import { collect } from "../../src/base/async.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { ToolCall } from "../../src/protocol/messages.ts";
import type { ModelChoice } from "../../src/providers/discover.ts";
import { prepareModel } from "../../src/providers/open-model.ts";

/** The calls of an answer that must call, and what a validator finds wrong with the first. `way`: as `ModelWay.name`. */
export async function heldCall(
  choice: ModelChoice,
  way: string,
  properties: JsonObject,
): Promise<{ calls: ToolCall[]; errors: unknown[] }> {
  const { usual } = await prepareModel(choice);
  const asked = usual.ways.find(({ name }) => name === way);
  if (!asked)
    throw new Error(`There is no way ${way}, only ${usual.ways.map(({ name }) => name).join(", ")}.`);
  const schema: JsonObject = {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  const prompt = {
    system: "You are an assistant with tools.",
    messages: [
      { role: "user" as const, content: [{ type: "text" as const, text: "Save it: 12345.678 and 999." }] },
    ],
    tools: [{ name: "save", description: "Save values.", schema }],
    toolChoice: "required" as const,
    oneCall: true as const,
  };
  const events = await collect(asked.model.ask(prompt, new AbortController().signal));
  const calls = events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));
  const { errors } = new Validator({ ...schema }, "2020-12").validate(calls[0]?.input);
  return { calls, errors };
}
