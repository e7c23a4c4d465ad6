/** Parses the model lists of providers; entries that are not understood are left out. */

import { isObject, type Json } from "../base/json.ts";
import type { ListedModel } from "./capabilities.ts";

/** OpenAI's list, with the field names that compatible servers use for the context window. */
export function readData(reply: Json): ListedModel[] {
  return itemsOf(reply, "data").flatMap((item) =>
    typeof item["id"] === "string"
      ? [{ id: item["id"], contextTokens: windowOf(item), ...weightsOf(item) }]
      : [],
  );
}

/** Ollama's `/api/tags`. */
export function readTags(reply: Json): ListedModel[] {
  return itemsOf(reply, "models").flatMap((item) =>
    typeof item["name"] === "string" ? [{ id: item["name"] }] : [],
  );
}

/** Gemini's list; models that cannot generate content are left out. */
export function readGemini(reply: Json): ListedModel[] {
  return itemsOf(reply, "models").flatMap((item) => {
    const methods = item["supportedGenerationMethods"];
    if (typeof item["name"] !== "string" || (Array.isArray(methods) && !methods.includes("generateContent")))
      return [];
    const window = item["inputTokenLimit"];
    const id = item["name"].replace(/^models\//, "");
    return [typeof window === "number" ? { id, contextTokens: window } : { id }];
  });
}

/** Cohere's list; models without a chat endpoint are for embeddings, ranking or speech, and left out. */
export function readCohere(reply: Json): ListedModel[] {
  return itemsOf(reply, "models").flatMap((item) => {
    const { name, endpoints, context_length: window } = item;
    if (typeof name !== "string" || !Array.isArray(endpoints) || !endpoints.includes("chat")) return [];
    return [typeof window === "number" && window > 0 ? { id: name, contextTokens: window } : { id: name }];
  });
}

/** llama-server's. */
function weightsOf({ meta }: Record<string, unknown>): Pick<ListedModel, "weights"> {
  const weights = isObject(meta) ? meta["n_params"] : undefined;
  return typeof weights === "number" && weights > 0 ? { weights } : {};
}

function windowOf(item: Record<string, unknown>): number | undefined {
  const meta = isObject(item["meta"]) ? item["meta"] : {};
  const told = [...windowNames.map((name) => item[name]), meta["n_ctx"]];
  return told.find((value): value is number => typeof value === "number" && value > 0);
}

const windowNames = [
  "max_input_tokens",
  "context_length",
  "max_model_len",
  "context_window",
  "max_context_length",
];

function itemsOf(reply: unknown, key: string): Record<string, unknown>[] {
  const items: unknown = isObject(reply) ? reply[key] : undefined;
  return Array.isArray(items) ? items.filter((item: unknown) => isObject(item)) : [];
}
