/** In which format a client wants the text of the answer: OpenAI's, Anthropic's and Cohere's ways to say JSON. */
import type { AnswerFormat } from "../protocol/messages.ts";
import { copyOf, objectAt, stringAt } from "./fields.ts";

/** `{type: "json_schema", …}` with the schema at one of the usual places, or `{type: "json_object"}`; else plain text. */
export function readFormat(format: unknown): AnswerFormat | undefined {
  const type = stringAt(format, "type");
  if (type !== "json_object" && type !== "json_schema") return undefined;
  const named = objectAt(format, "json_schema");
  const schema = objectAt(named, "schema") ?? objectAt(format, "schema") ?? named;
  return schema ? { schema: copyOf(schema) } : {};
}
