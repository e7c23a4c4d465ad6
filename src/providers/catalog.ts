/** The providers that work out of the box, one row each, in the order in which their keys are looked up. */

import type { Json } from "../base/json.ts";
import type { WireName } from "../wires/wire.ts";
import type { ConstraintKind, ModelCapabilities, ListedModel } from "./capabilities.ts";
import {
  without,
  withAnswersBetween,
  withCacheKey,
  withCacheMarks,
  withShortIds,
  withThoughts,
} from "./chat-bodies.ts";
import type { HttpModelOptions } from "./http-model.ts";
import { describeLlamaServer } from "./llama-server.ts";
import { readCohere, readData, readGemini, readTags } from "./model-lists.ts";
import { describeOllama, ollamaModel } from "./ollama-model.ts";
import type { Model } from "./provider.ts";
import type { Server } from "./server.ts";

/** A provider: its address, its wire, and its peculiarities. */
export type Provider = {
  name: string;
  /** The name as its makers write it. */
  title: string;
  wire: WireName;
  /** Includes the version prefix that the wire expects. "" if only the user can supply it. */
  baseUrl: string;
  /** The environment variable that overrides the base URL. */
  baseUrlFrom?: string | undefined;
  /** Environment variables that may hold the key; the first that is set is used. */
  keyNames: readonly string[];
  /** The key itself, from the user's settings; it takes precedence over the variables. */
  key?: string;
  /** The key that `toolwright login` keeps; the variables take precedence over it. */
  keptKey?: string;
  /** What only this provider's keys look like. */
  keyForm?: RegExp;
  /** What a key opens, if its list of models is open to everybody. */
  keyPath?: string;
  /** The user's own headers, with variables not yet substituted. */
  headers?: Readonly<Record<string, string>>;
  /** Whether requests without a key are pointless. */
  needsKey: boolean;
  /** On this computer or near it: slow replies are normal. */
  local: boolean;
  /** A server defined only in the user's settings. */
  isOwn?: boolean;
  /** Probed if no model is named. */
  isUsual?: boolean;
  /** Serves models of many vendors under the vendors' own names. */
  isBroker?: boolean;
  /** Used if only the provider is named; without it, the first model that the server lists. */
  defaultModel?: string;
  /** Its models, if the user's settings list them: the server's list is then not requested. */
  models?: readonly string[];
  /** The minimum context window of all the provider's current models. */
  contextTokens?: number;
  /** Bare model names that can only mean this provider. */
  modelNames?: RegExp;
  unreachableAdvice: string;
  /** What its servers hold a model to while it writes; absent if that is not known. */
  constraints?: readonly ConstraintKind[] | undefined;
  /** Its list of models says how many weights each has. */
  listsWeights?: true;
  /** Where its servers tell their version, outside of the version prefix, and in which field. */
  version?: { path: string; field: string };
  /** The name in the OpenTelemetry conventions, if different. */
  telemetryName?: string;
  /** For each wire, changes a request's body before it is sent: fields that this provider refuses, or needs besides. */
  adjust?: Partial<Record<WireName, Server["adjust"]>>;
} & WireBehaviour;

/** Server behaviour that follows from its wire. */
type WireBehaviour = {
  list: { path: string; read: (reply: Json) => ListedModel[] };
  /** Queries what the server reports about a model. Without this, native tools are assumed. */
  describe?:
    | ((server: Server, model: string, signal?: AbortSignal) => Promise<ModelCapabilities>)
    | undefined;
  open?: ((options: HttpModelOptions, capabilities: ModelCapabilities) => Model) | undefined;
};

const openaiList = { path: "/models", read: readData };
const wireBehaviours: Readonly<Record<WireName, WireBehaviour>> = {
  anthropic: { list: { path: "/v1/models?limit=1000", read: readData } },
  "openai-chat": { list: openaiList },
  "openai-responses": { list: openaiList },
  ollama: { list: { path: "/api/tags", read: readTags }, describe: describeOllama, open: ollamaModel },
  gemini: { list: { path: "/models?pageSize=1000", read: readGemini } },
  cohere: { list: { path: "/v1/models?endpoint=chat&page_size=1000", read: readCohere } },
};

/** The default models were the general, tool-trained ones in the vendors' SDKs and documents of November 2026. */
export const catalog: readonly Provider[] = [
  {
    name: "anthropic",
    title: "Anthropic",
    ...hostedService("anthropic"),
    constraints: ["strict"],
    baseUrl: "https://api.anthropic.com",
    baseUrlFrom: "ANTHROPIC_BASE_URL",
    keyNames: ["ANTHROPIC_API_KEY"],
    keyForm: /^sk-ant-/,
    defaultModel: "claude-sonnet-5-5",
    contextTokens: 200_000,
    modelNames: /^claude-/,
  },
  {
    name: "openai",
    title: "OpenAI",
    ...hostedService("openai-responses"),
    constraints: ["strict"],
    baseUrl: "https://api.openai.com/v1",
    baseUrlFrom: "OPENAI_BASE_URL",
    keyNames: ["OPENAI_API_KEY"],
    keyForm: /^sk-(?:proj|svcacct|admin)-|^sk-\w+T3BlbkFJ/,
    defaultModel: "gpt-5.5",
    contextTokens: 200_000,
    modelNames: /^(gpt-(?!oss)|chatgpt-|o\d)/,
    // In Chat Completions (chosen by the user's settings) its reasoning models refuse the older field name.
    adjust: {
      "openai-chat": ({ max_tokens, ...body }) =>
        max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens },
    },
  },
  {
    name: "gemini",
    title: "Google Gemini",
    telemetryName: "gcp.gemini",
    ...hostedService("gemini"),
    constraints: ["strict"],
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    baseUrlFrom: "GOOGLE_GEMINI_BASE_URL",
    keyNames: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    keyForm: /^AIza[\w-]{35}$/,
    defaultModel: "gemini-3.8-flash",
    contextTokens: 1_000_000,
    modelNames: /^gemini-/,
  },
  {
    name: "openrouter",
    title: "OpenRouter",
    ...hostedService("openai-chat"),
    baseUrl: "https://openrouter.ai/api/v1",
    keyNames: ["OPENROUTER_API_KEY"],
    keyForm: /^sk-or-/,
    keyPath: "/key",
    isBroker: true,
    defaultModel: "openrouter/auto",
    adjust: { "openai-chat": withCacheMarks },
  },
  {
    name: "deepseek",
    title: "DeepSeek",
    ...hostedService("openai-chat"),
    baseUrl: "https://api.deepseek.com",
    keyNames: ["DEEPSEEK_API_KEY"],
    defaultModel: "deepseek-flash",
    contextTokens: 128_000,
    modelNames: /^deepseek-/,
    adjust: { "openai-chat": withThoughts },
  },
  {
    name: "mistral",
    title: "Mistral",
    telemetryName: "mistral_ai",
    ...hostedService("openai-chat"),
    baseUrl: "https://api.mistral.ai/v1",
    keyNames: ["MISTRAL_API_KEY"],
    defaultModel: "mistral-medium-latest",
    contextTokens: 128_000,
    modelNames: /^(mistral|devstral|codestral|magistral|ministral)-/,
    // The server refuses every unknown field (422 extra_forbidden), and reports usage unasked.
    adjust: {
      "openai-chat": (body, ask) =>
        withCacheKey(withShortIds(withAnswersBetween(without(body, "stream_options"))), ask),
    },
  },
  {
    name: "groq",
    title: "Groq",
    ...hostedService("openai-chat"),
    baseUrl: "https://api.groq.com/openai/v1",
    keyNames: ["GROQ_API_KEY"],
    keyForm: /^gsk_/,
    defaultModel: "openai/gpt-oss-120b",
    contextTokens: 128_000,
  },
  {
    name: "xai",
    title: "xAI",
    telemetryName: "x_ai",
    ...hostedService("openai-chat"),
    baseUrl: "https://api.x.ai/v1",
    keyNames: ["XAI_API_KEY"],
    keyForm: /^xai-/,
    defaultModel: "grok-4.3",
    contextTokens: 200_000,
    modelNames: /^grok-/,
  },
  {
    name: "cohere",
    title: "Cohere",
    ...hostedService("cohere"),
    baseUrl: "https://api.cohere.com",
    baseUrlFrom: "CO_API_URL",
    keyNames: ["COHERE_API_KEY", "CO_API_KEY"],
    // The first model in the vendor's reference and SDK: agentic, reasoning, sees pictures, writes up to 64,000 tokens.
    defaultModel: "command-a-plus-05-2026",
    // The minimum of its models with tools; those for translation have less.
    contextTokens: 128_000,
    // The open models have the same names elsewhere; Ollama adds a size after a colon.
    modelNames: /^(command|north)-[^:]*$/,
  },
  {
    name: "ollama",
    title: "Ollama",
    ...localServer("ollama"),
    constraints: ["schema"],
    version: { path: "/api/version", field: "version" },
    baseUrl: "http://127.0.0.1:11434",
    baseUrlFrom: "OLLAMA_HOST",
    isUsual: true,
    keyNames: ["OLLAMA_API_KEY"],
    modelNames: /^[^/]+:[^/]+$/,
    unreachableAdvice: "Start Ollama with `ollama serve`",
  },
  {
    name: "lmstudio",
    title: "LM Studio",
    ...localServer("openai-chat"),
    constraints: ["schema"],
    baseUrl: "http://127.0.0.1:1234/v1",
    baseUrlFrom: "LMSTUDIO_BASE_URL",
    isUsual: true,
    unreachableAdvice: "Start LM Studio's server with `lms server start`",
  },
  {
    name: "llamacpp",
    title: "llama-server",
    ...localServer("openai-chat"),
    constraints: ["grammar", "schema"],
    version: { path: "/props", field: "build_info" },
    listsWeights: true,
    baseUrl: "http://127.0.0.1:8080/v1",
    baseUrlFrom: "LLAMACPP_BASE_URL",
    isUsual: true,
    describe: describeLlamaServer,
    unreachableAdvice: "Start it with `llama-server -m model.gguf --jinja`",
  },
  {
    name: "vllm",
    title: "vLLM",
    ...localServer("openai-chat"),
    constraints: ["structural-tags", "schema"],
    version: { path: "/version", field: "version" },
    baseUrl: "http://127.0.0.1:8000/v1",
    baseUrlFrom: "VLLM_BASE_URL",
    keyNames: ["VLLM_API_KEY"],
    unreachableAdvice: "Start it with `vllm serve MODEL --enable-auto-tool-choice --tool-call-parser …`",
  },
  {
    name: "sglang",
    title: "SGLang",
    ...localServer("openai-chat"),
    constraints: ["structural-tags", "schema"],
    version: { path: "/get_server_info", field: "version" },
    baseUrl: "http://127.0.0.1:30000/v1",
    baseUrlFrom: "SGLANG_BASE_URL",
    keyNames: ["SGLANG_API_KEY"],
    unreachableAdvice:
      "Start it with `python -m sglang.launch_server --model-path MODEL --tool-call-parser …`",
  },
  {
    name: "openai-compatible",
    title: "an OpenAI-compatible server",
    ...localServer("openai-chat"),
    baseUrl: "",
    baseUrlFrom: "OPENAI_COMPATIBLE_BASE_URL",
    keyNames: ["OPENAI_COMPATIBLE_API_KEY"],
    unreachableAdvice: "Start that server",
  },
];

/** The provider for a URL that is given as a model name. */
export const anyServer = "openai-compatible";

/** The wire fields of a row; they also reset its wire-specific ones when the user chooses another wire. */
export function wireFields(name: WireName) {
  const none: Pick<Provider, "describe" | "open" | "constraints"> = {
    describe: undefined,
    open: undefined,
    constraints: undefined,
  };
  return { wire: name, ...none, ...wireBehaviours[name] };
}

function hostedService(wire: WireName) {
  const unreachableAdvice = "Check the network and the base URL";
  return { ...wireFields(wire), local: false, needsKey: true, unreachableAdvice };
}

function localServer(wire: WireName) {
  const keyNames: readonly string[] = [];
  return { ...wireFields(wire), local: true, needsKey: false, keyNames };
}
