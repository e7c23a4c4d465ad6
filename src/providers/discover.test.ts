import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { collect } from "../base/async.ts";
import type { JsonObject } from "../base/json.ts";
import { serveModel } from "../testing/scripted-server.ts";
import { catalog } from "./catalog.ts";
import { chooseModel, knownProviders, listModels, serverOf, type DiscoveryOptions } from "./discover.ts";
import { parseModelName, providerNamed } from "./model-name.ts";
import { openModel } from "./open-model.ts";
import { scriptedModel } from "./scripted-model.ts";

test.each([
  ["anthropic/claude-x", "anthropic", "claude-x"],
  ["openrouter/qwen/qwen3-coder:free", "openrouter", "qwen/qwen3-coder:free"],
  ["ollama/qwen3:8b", "ollama", "qwen3:8b"],
  ["Ollama/hf.co/who/What:Q4", "ollama", "hf.co/who/What:Q4"],
  ["groq", "groq", undefined],
  ["claude-sonnet-5-5", "anthropic", "claude-sonnet-5-5"],
  ["gpt-5.5", "openai", "gpt-5.5"],
  ["qwen3:8b", "ollama", "qwen3:8b"],
  ["command-a-plus-05-2026", "cohere", "command-a-plus-05-2026"],
  ["command-r:35b", "ollama", "command-r:35b"],
])("the name %s means provider %s", (text, provider, model) => {
  const parsed = parseModelName(text);
  expect(parsed.ok && [parsed.value.provider.name, parsed.value.model]).toEqual([provider, model]);
});

test("a URL names any server that speaks OpenAI's format, with the model after a #", () => {
  expect(readUrl("http://box:9000/v1#my/model")).toEqual([
    "openai-compatible",
    "http://box:9000/v1",
    "my/model",
  ]);
  expect(readUrl("https://box/api/")).toEqual(["openai-compatible", "https://box/api", undefined]);
  expect(readUrl("http://box:9000")).toEqual(["openai-compatible", "http://box:9000/v1", undefined]);
  expect(parseModelName("http://").ok).toBe(false);
});

test("a server that takes the request and says nothing has given no answer in time; it was not stopped", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => silent.close().closeAllConnections());
  const address = silent.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const provider = providerNamed("openai") ?? expect.fail();
  const server = serverOf(provider, { OPENAI_API_KEY: "o" }, `http://${host}`);
  await expect(listModels(provider, server, { withinMs: 30 })).rejects.toMatchObject({
    kind: "timeout",
    inFull: `${host} gave no answer within 30 ms. Check the network and the base URL, or choose another model.`,
  });
});

test("a vendor/model name is resolved to a configured broker", () => {
  const parsed = parseModelName("meta/llama-9", { has: ({ name }) => name === "openrouter" });
  expect(parsed.ok && [parsed.value.provider.name, parsed.value.model]).toEqual([
    "openrouter",
    "meta/llama-9",
  ]);
});

test.each(["", "  ", "meta/llama-9", "no-idea"])(
  "the model name %j is refused with a hint on what to write instead",
  (text) => {
    const parsed = parseModelName(text);
    expect(!parsed.ok && parsed.problem).toMatch(/^[^\n]*Write provider\/model, with one of: anthropic, /);
  },
);

test("the named model is chosen first, then API keys in catalog order, then a local server", async () => {
  const env = { OPENAI_API_KEY: "o", XAI_API_KEY: "x", GOOGLE_API_KEY: "g" };
  expect(await chosen({ named: "gemini/g-1", env })).toEqual(["gemini", "g-1", "it is named"]);
  expect(await chosen({ env })).toEqual([
    "openai",
    providerNamed("openai")?.defaultModel,
    "OPENAI_API_KEY is set",
  ]);
  expect(await chosen({ env: { GOOGLE_API_KEY: "g" } })).toMatchObject([
    "gemini",
    expect.any(String),
    "GOOGLE_API_KEY is set",
  ]);
  expect(await chosen({ env: { OPENAI_API_KEY: " " } })).toEqual([
    "lmstudio",
    "local",
    "LM Studio is running",
  ]);
});

test("when no model is found, a one-line message says what to do", async () => {
  const choosing = await chooseModel({ env: {}, probe: async () => undefined });
  expect(!choosing.ok && choosing.message).toMatch(
    /^[^\n]*key[^\n]*ollama serve[^\n]*the option "model"[^\n]*toolwright demo[^\n]*$/,
  );
});

test("the message names what is missing: a model on the local server, a key or a base URL", async () => {
  expect(await refusal({ probe: async () => [] })).toMatch(
    /Ollama is running, but has no model.*ollama pull/,
  );
  expect(await refusal({ named: "gemini/x" })).toMatch(/needs a key: set GEMINI_API_KEY or GOOGLE_API_KEY/);
  expect(await refusal({ named: "openai-compatible/x" })).toMatch(
    /needs a base URL: set OPENAI_COMPATIBLE_BASE_URL/,
  );
});

test.each(["http://[nonsense", "a b c", "http://:70000", "https://"])(
  "an address that is none is told with the variable that says it: %s",
  async (host) => {
    expect(await refusal({ named: "ollama/x", env: { OLLAMA_HOST: host } })).toMatch(
      /^OLLAMA_HOST leads nowhere \(".*" is no address\): set it to host:port, or to a URL/u,
    );
  },
);

test.each([
  ["0.0.0.0", "http://127.0.0.1:11434"],
  [":9999", "http://127.0.0.1:9999"],
  ["box", "http://box:11434"],
  ["box:80", "http://box:80"],
  ["https://box/ollama/", "https://box/ollama"],
  ["http://0.0.0.0:1", "http://127.0.0.1:1"],
  [undefined, "http://127.0.0.1:11434"],
])("OLLAMA_HOST=%s leads to %s", (host, baseUrl) => {
  expect(serverOf(provider("ollama"), { OLLAMA_HOST: host }).baseUrl).toBe(baseUrl);
});

test("keys and base URLs are read from the environment and trimmed", () => {
  const env = { OPENAI_API_KEY: " from-env\n", OPENAI_BASE_URL: "https://proxy/v1/" };
  expect(serverOf(provider("openai"), env)).toMatchObject({
    key: "from-env",
    baseUrl: "https://proxy/v1",
  });
});

test("a server given by URL lists its models and answers, even if no model is named", async () => {
  const served = await serveModel(scriptedModel([[{ say: "Hello" }]], { name: "tiny" }));
  onTestFinished(() => served.close());
  const choosing = await chooseModel({ named: served.url, env: {} });
  if (!choosing.ok) throw new Error(choosing.message);
  const { choice } = choosing;
  expect(await listModels(choice.provider, choice.server)).toEqual([
    { id: "tiny", contextTokens: undefined },
  ]);
  const model = await openModel(choice);
  expect(model.name).toBe("openai-compatible/tiny");
  const events = await collect(
    model.ask({ system: "", messages: [], tools: [] }, new AbortController().signal),
  );
  expect(events).toContainEqual({ type: "text-delta", text: "Hello" });
});

test("the real probe finds a local server that answers and skips one that does not", async () => {
  const served = await serveModel(scriptedModel([], { name: "tiny:1b" }));
  const elsewhere = await serveModel(scriptedModel([]));
  await elsewhere.close();
  onTestFinished(() => served.close());
  const env = {
    OLLAMA_HOST: elsewhere.url,
    LMSTUDIO_BASE_URL: `${served.url}/v1`,
    LLAMACPP_BASE_URL: elsewhere.url,
  };
  const choosing = await chooseModel({ env });
  expect(choosing.ok && [choosing.choice.provider.name, choosing.choice.model]).toEqual([
    "lmstudio",
    "tiny:1b",
  ]);
});

test("model lists are parsed in each provider's own format, and a malformed reply yields an empty list", () => {
  expect(readList("ollama", { models: [{ name: "a:1" }, { size: 1 }] })).toEqual([{ id: "a:1" }]);
  expect(readList("openrouter", { data: [{ id: "v/m", context_length: 1000 }, null, 7] })).toEqual([
    { id: "v/m", contextTokens: 1000 },
  ]);
  const gemini = [
    { name: "models/g", inputTokenLimit: 5, supportedGenerationMethods: ["generateContent"] },
    { name: "models/e", supportedGenerationMethods: ["embedContent"] },
  ];
  expect(readList("gemini", { models: gemini })).toEqual([{ id: "g", contextTokens: 5 }]);
  const cohere = [
    { name: "command-x", endpoints: ["chat", "generate"], context_length: 5 },
    { name: "command-y", endpoints: ["chat"] },
    { name: "embed-x", endpoints: ["embed"], context_length: 5 },
    { name: "unknown" },
  ];
  expect(readList("cohere", { models: cohere })).toEqual([
    { id: "command-x", contextTokens: 5 },
    { id: "command-y" },
  ]);
  for (const { list } of catalog)
    for (const reply of [null, [], "x", { data: {}, models: 3 }]) expect(list.read(reply)).toEqual([]);
});

test("every provider in the catalog has a unique name, a key variable or a local server, and a valid URL", () => {
  const names = catalog.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { local, keyNames, defaultModel, baseUrl } of catalog) {
    expect(local || (keyNames.length > 0 && defaultModel !== undefined)).toBe(true);
    expect(baseUrl === "" || URL.canParse(baseUrl)).toBe(true);
    expect(baseUrl.endsWith("/")).toBe(false);
  }
});

test("the known providers are those with a key and the local ones", () => {
  const names = knownProviders({ env: { GROQ_API_KEY: "k" } }).map(({ provider: { name } }) => name);
  expect(names).toEqual(["groq", "ollama", "lmstudio", "llamacpp", "vllm", "sglang"]);
});

/** What is done to its bodies of Chat Completions. */
const adjusted = (name: string, body: JsonObject) => provider(name).adjust?.["openai-chat"]?.(body);

test("OpenAI's Chat Completions gets max_completion_tokens, and a Responses body is unchanged", () => {
  expect(adjusted("openai", { model: "m", max_tokens: 9 })).toEqual({ model: "m", max_completion_tokens: 9 });
  expect(serverOf(provider("openai"), {}).adjust).toBeUndefined();
});

test("requests to Claude over OpenRouter carry cache_control", () => {
  const messages = [{ role: "user", content: "Go." }];
  const body = adjusted("openrouter", { model: "anthropic/claude-opus-5", messages });
  expect(JSON.stringify(body)).toContain("cache_control");
});

test("stream_options, which Mistral refuses, is not sent to it", () => {
  const body = adjusted("mistral", { model: "m", stream_options: {}, stream: true });
  expect(body).toEqual({ model: "m", stream: true });
});

function provider(name: string) {
  const found = providerNamed(name);
  return found ?? expect.unreachable(`There is no provider ${name}.`);
}

const readUrl = (text: string) => {
  const parsed = parseModelName(text);
  return parsed.ok && [parsed.value.provider.name, parsed.value.baseUrl, parsed.value.model];
};

const onlyStudio: DiscoveryOptions["probe"] = async ({ name }) =>
  name === "lmstudio" ? [{ id: "text-embed" }, { id: "local" }] : undefined;

const refusal = async (wanted: Partial<DiscoveryOptions>) => {
  const choosing = await chooseModel({ env: {}, probe: async () => undefined, ...wanted });
  return choosing.ok ? "" : choosing.message;
};

const readList = (name: string, reply: object) => provider(name).list.read(JSON.parse(JSON.stringify(reply)));

const chosen = async (wanted: Partial<DiscoveryOptions>) => {
  const choosing = await chooseModel({ env: {}, probe: onlyStudio, ...wanted });
  return choosing.ok && [choosing.choice.provider.name, choosing.choice.model, choosing.choice.because];
};
