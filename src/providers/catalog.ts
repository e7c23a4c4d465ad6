/** Every provider that works out of the box, one row each, in the order in which keys are looked for. */
import { isObject, type Json, type JsonObject } from "../base/json.ts";
import { wires } from "../wires/index.ts";
import type { Wire } from "../wires/wire.ts";
import type { Capabilities, ListedModel } from "./capabilities.ts";
import type { HttpModelOptions } from "./http-model.ts";
import { describeOllama, ollamaModel } from "./ollama-model.ts";
import type { Model } from "./provider.ts";
import type { Server } from "./server.ts";

export type Provider = {
  name: string;
  /** As its makers write it. */
  title: string;
  wire: Wire;
  /** With the version prefix that the wire expects. "" when only the user can tell. */
  baseUrl: string;
  /** The environment variable that replaces the base URL. */
  baseUrlFrom?: string;
  /** Environment variables that may hold the key; the first that is set counts. */
  keyNames: readonly string[];
  local: boolean;
  /** Looked for on its usual port when nothing is configured. */
  isUsual?: boolean;
  /** Serves models of many vendors under the vendors' own names. */
  isBroker?: boolean;
  /** Used when only the provider is named. Without one, the first that the server lists. */
  defaultModel?: string;
  /** A window that every present model of the provider has at least. */
  contextTokens?: number;
  /** Bare model names that can only mean this provider. */
  modelNames?: RegExp;
  ifSilent: string;
  list: { path: string; read: (reply: Json) => ListedModel[] };
  adjust?: (body: JsonObject) => JsonObject;
  /** What the server says about a model. Without this, native tools are taken for granted. */
  describe?: (server: Server, model: string, signal?: AbortSignal) => Promise<Capabilities>;
  open?: (options: HttpModelOptions, capabilities: Capabilities) => Model;
};

/** Default models were the general, tool-trained ones in the vendors' SDKs and documents of November 2026. */
export const catalog: readonly Provider[] = [
  {
    ...hosted("anthropic", "Anthropic", wires.anthropic),
    baseUrl: "https://api.anthropic.com",
    baseUrlFrom: "ANTHROPIC_BASE_URL",
    keyNames: ["ANTHROPIC_API_KEY"],
    defaultModel: "claude-sonnet-5-5",
    contextTokens: 200_000,
    modelNames: /^claude-/,
    list: { path: "/v1/models?limit=1000", read: readData },
  },
  {
    ...hosted("openai", "OpenAI", wires["openai-responses"]),
    baseUrl: "https://api.openai.com/v1",
    baseUrlFrom: "OPENAI_BASE_URL",
    keyNames: ["OPENAI_API_KEY"],
    defaultModel: "gpt-5.5",
    contextTokens: 200_000,
    modelNames: /^(gpt-(?!oss)|chatgpt-|o\d)/,
  },
  {
    ...hosted("gemini", "Google Gemini", wires.gemini),
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    baseUrlFrom: "GOOGLE_GEMINI_BASE_URL",
    keyNames: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    defaultModel: "gemini-3.8-flash",
    contextTokens: 1_000_000,
    modelNames: /^gemini-/,
    list: { path: "/models?pageSize=1000", read: readGemini },
  },
  {
    ...hosted("openrouter", "OpenRouter", wires["openai-chat"]),
    baseUrl: "https://openrouter.ai/api/v1",
    keyNames: ["OPENROUTER_API_KEY"],
    isBroker: true,
    defaultModel: "openrouter/auto",
  },
  {
    ...hosted("deepseek", "DeepSeek", wires["openai-chat"]),
    baseUrl: "https://api.deepseek.com",
    keyNames: ["DEEPSEEK_API_KEY"],
    defaultModel: "deepseek-flash",
    contextTokens: 128_000,
    modelNames: /^deepseek-/,
  },
  {
    ...hosted("mistral", "Mistral", wires["openai-chat"]),
    baseUrl: "https://api.mistral.ai/v1",
    keyNames: ["MISTRAL_API_KEY"],
    defaultModel: "mistral-medium-latest",
    contextTokens: 128_000,
    modelNames: /^(mistral|devstral|codestral|magistral|ministral)-/,
    // It refuses every field that it does not know (422 extra_forbidden), and reports usage without being asked.
    adjust: (body) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== "stream_options")),
  },
  {
    ...hosted("groq", "Groq", wires["openai-chat"]),
    baseUrl: "https://api.groq.com/openai/v1",
    keyNames: ["GROQ_API_KEY"],
    defaultModel: "openai/gpt-oss-120b",
    contextTokens: 128_000,
  },
  {
    ...hosted("xai", "xAI", wires["openai-chat"]),
    baseUrl: "https://api.x.ai/v1",
    keyNames: ["XAI_API_KEY"],
    defaultModel: "grok-4.3",
    contextTokens: 200_000,
    modelNames: /^grok-/,
  },
  {
    ...here("ollama", "Ollama", wires.ollama),
    baseUrl: "http://127.0.0.1:11434",
    baseUrlFrom: "OLLAMA_HOST",
    isUsual: true,
    keyNames: ["OLLAMA_API_KEY"],
    modelNames: /^[^/]+:[^/]+$/,
    ifSilent: "Start Ollama with `ollama serve`",
    list: { path: "/api/tags", read: readTags },
    describe: describeOllama,
    open: ollamaModel,
  },
  {
    ...here("lmstudio", "LM Studio", wires["openai-chat"]),
    baseUrl: "http://127.0.0.1:1234/v1",
    baseUrlFrom: "LMSTUDIO_BASE_URL",
    isUsual: true,
    ifSilent: "Start LM Studio's server with `lms server start`",
  },
  {
    ...here("llamacpp", "llama-server", wires["openai-chat"]),
    baseUrl: "http://127.0.0.1:8080/v1",
    baseUrlFrom: "LLAMACPP_BASE_URL",
    isUsual: true,
    ifSilent: "Start it with `llama-server -m model.gguf --jinja`",
  },
  {
    ...here("vllm", "vLLM", wires["openai-chat"]),
    baseUrl: "http://127.0.0.1:8000/v1",
    baseUrlFrom: "VLLM_BASE_URL",
    keyNames: ["VLLM_API_KEY"],
    ifSilent: "Start it with `vllm serve MODEL --enable-auto-tool-choice --tool-call-parser …`",
  },
  {
    ...here("openai-compatible", "an OpenAI-compatible server", wires["openai-chat"]),
    baseUrl: "",
    baseUrlFrom: "OPENAI_COMPATIBLE_BASE_URL",
    keyNames: ["OPENAI_COMPATIBLE_API_KEY"],
    ifSilent: "Start that server",
  },
];

/** Where a URL given as a model leads. */
export const anyServer = "openai-compatible";

function hosted(name: string, title: string, wire: Wire) {
  const ifSilent = "Check the network and the base URL";
  return { name, title, wire, local: false, ifSilent, list: { path: "/models", read: readData } };
}

function here(name: string, title: string, wire: Wire) {
  const keyNames: readonly string[] = [];
  return { name, title, wire, local: true, keyNames, list: { path: "/models", read: readData } };
}

/** OpenAI's list, with the names under which compatible servers tell the context window. */
function readData(reply: Json): ListedModel[] {
  return itemsOf(reply, "data").flatMap((item) =>
    typeof item["id"] === "string" ? [{ id: item["id"], contextTokens: windowOf(item) }] : [],
  );
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

function readTags(reply: Json): ListedModel[] {
  return itemsOf(reply, "models").flatMap((item) =>
    typeof item["name"] === "string" ? [{ id: item["name"] }] : [],
  );
}

function readGemini(reply: Json): ListedModel[] {
  return itemsOf(reply, "models").flatMap((item) => {
    const methods = item["supportedGenerationMethods"];
    if (typeof item["name"] !== "string" || (Array.isArray(methods) && !methods.includes("generateContent")))
      return [];
    const window = item["inputTokenLimit"];
    const id = item["name"].replace(/^models\//, "");
    return [typeof window === "number" ? { id, contextTokens: window } : { id }];
  });
}

function itemsOf(reply: unknown, key: string): Record<string, unknown>[] {
  const items: unknown = isObject(reply) ? reply[key] : undefined;
  return Array.isArray(items) ? items.filter((item: unknown) => isObject(item)) : [];
}
