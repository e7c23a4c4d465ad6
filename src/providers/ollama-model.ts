/** Ollama-specific parts: capabilities from /api/show, the true context window, and thinking that may be refused. */

import { isObject } from "../base/json.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import type { ModelCapabilities } from "./capabilities.ts";
import { httpModel, type HttpModelOptions } from "./http-model.ts";
import type { Model, Prompt } from "./provider.ts";
import { fetchJson, type Server } from "./server.ts";

/** The window to request unless the user or the model's own file sets one: Ollama allocates its memory at once. */
const defaultContext = 32_768;

/** Queries `/api/show`. Tools are native exactly if it lists "tools" (A6). Throws ModelError. */
export async function describeOllama(
  server: Server,
  model: string,
  signal?: AbortSignal,
): Promise<ModelCapabilities> {
  const shown = await fetchJson(server, "/api/show", { body: { model }, signal });
  const listed = isObject(shown) && Array.isArray(shown["capabilities"]) ? shown["capabilities"] : [];
  return {
    tools: listed.includes("tools"),
    images: listed.includes("vision"),
    reasoning: listed.includes("thinking"),
    contextTokens: contextOf(shown),
    ...weightsOf(shown),
    template: isObject(shown) && typeof shown["template"] === "string" ? shown["template"] : undefined,
  };
}

function weightsOf(shown: unknown): Pick<ModelCapabilities, "weights"> {
  const info = isObject(shown) && isObject(shown["model_info"]) ? shown["model_info"] : {};
  const weights = info["general.parameter_count"];
  return typeof weights === "number" && weights > 0 ? { weights } : {};
}

/** The window in the model's own file, else the default; never more than the model was built for. */
function contextOf(shown: unknown): number | undefined {
  if (!isObject(shown)) return undefined;
  const info = isObject(shown["model_info"]) ? shown["model_info"] : {};
  const lengths = Object.entries(info).flatMap(([key, value]) =>
    key.endsWith(".context_length") && typeof value === "number" && value > 0 ? [value] : [],
  );
  const parameters = typeof shown["parameters"] === "string" ? shown["parameters"] : "";
  const own = /^num_ctx\s+(\d+)/m.exec(parameters)?.[1];
  return Math.min(...lengths, own === undefined ? defaultContext : Number(own));
}

type AskedHow = [signal: AbortSignal, sent?: () => void];

/** A model on an Ollama server. Its `notice` changes once the server has been seen to truncate a prompt. */
export function ollamaModel(options: HttpModelOptions, capabilities: ModelCapabilities): Model {
  const contextTokens = options.contextTokens ?? capabilities.contextTokens ?? defaultContext;
  // A8: models that can think do so unless it is switched off.
  const reasoning = capabilities.reasoning === true ? (options.reasoning ?? "medium") : undefined;
  const thinking = httpModel({ ...options, contextTokens, reasoning });
  const plain = httpModel({ ...options, contextTokens, reasoning: undefined });
  let refusesThinking = capabilities.reasoning !== true;
  let notice = options.notice;

  async function* answer(prompt: Prompt, ...how: AskedHow): AsyncGenerator<ModelEvent> {
    const { reasoning: _, ...rest } = prompt;
    try {
      yield* refusesThinking ? plain.ask(rest, ...how) : thinking.ask(prompt, ...how);
    } catch (error) {
      if (refusesThinking || !isRefusal(error)) throw error;
      yield* plain.ask(rest, ...how);
      // Only the success of the retry shows that thinking was what the server refused.
      refusesThinking = true;
    }
  }
  async function* watched(prompt: Prompt, ...how: AskedHow): AsyncGenerator<ModelEvent> {
    for await (const event of answer(prompt, ...how)) {
      if (event.type === "usage" && wasCut(prompt, event.usage.inputTokens, contextTokens)) {
        notice = `Ollama read only ${event.usage.inputTokens} tokens of a longer prompt (num_ctx ${contextTokens}): it forgot the beginning. Raise the context window or start a new session.`;
      }
      yield event;
    }
  }
  return {
    name: thinking.name,
    contextTokens,
    suits: { completion: "writes" },
    thinks: capabilities.reasoning,
    get notice() {
      return notice;
    },
    ask: watched,
  };
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ModelError &&
  error.status === 400 &&
  !error.midStream &&
  error.kind !== "context-overflow";

/** No tokenizer packs more than six characters of ordinary text into a token: a longer prompt was truncated. */
const wasCut = (prompt: Prompt, read: number, contextTokens: number): boolean => {
  const least = promptLength(prompt) / 6;
  return least > contextTokens && read <= contextTokens;
};

function promptLength({ system, messages, tools }: Prompt): number {
  const said = messages.flatMap(({ content }) =>
    content.map((part) =>
      part.type === "call" ? JSON.stringify(part.call.input) : "text" in part ? part.text : "",
    ),
  );
  return [system, ...said, tools.length > 0 ? JSON.stringify(tools) : ""].reduce(
    (sum, text) => sum + text.length,
    0,
  );
}
