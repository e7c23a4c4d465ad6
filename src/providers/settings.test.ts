import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { collect } from "../base/async.ts";
import { serveModel } from "../testing/scripted-server.ts";
import { wireNames, type WireName } from "../wires/wire.ts";
import { catalog } from "./catalog.ts";
import { chooseModel, knownProviders, listModels, serverOf } from "./discover.ts";
import { parseModelName } from "./model-name.ts";
import { openModel } from "./open-model.ts";
import { scriptedModel } from "./scripted-model.ts";
import { providersWith, type AllSettings } from "./settings.ts";

test("without settings the providers are exactly the catalog", () => {
  expect(providersWith({})).toEqual(catalog);
});

/** The path with which servers of each wire expect their base URL to end. */
const prefixes: Record<WireName, string> = {
  anthropic: "",
  "openai-chat": "/v1",
  "openai-responses": "/v1",
  ollama: "",
  gemini: "/v1beta",
  cohere: "",
};

test.each(wireNames)(
  "a server from the settings answers over the wire %s and lists its models in that wire's format",
  async (wire) => {
    const served = await serveModel(scriptedModel([[{ say: "Hello" }]], { name: "tiny" }));
    onTestFinished(() => served.close());
    const providers = providersWith({ "my-box": { baseUrl: served.url + prefixes[wire], wire } });
    const choosing = await chooseModel({ named: "my-box/tiny", providers, env: {} });
    if (!choosing.ok) throw new Error(choosing.message);
    const { provider, server } = choosing.choice;
    expect((await listModels(provider, server)).map(({ id }) => id)).toEqual(["tiny"]);
    const model = await openModel(choosing.choice);
    expect(model.name).toBe("my-box/tiny");
    const events = await collect(
      model.ask({ system: "", messages: [], tools: [] }, new AbortController().signal),
    );
    expect(events).toContainEqual({ type: "text-delta", text: "Hello" });
  },
);

test("a server from the settings speaks Chat Completions by default, and its name is case-insensitive", () => {
  const providers = providersWith({ "My-Box": { baseUrl: "http://box/v1" } });
  const parsed = parseModelName("my-box/vendor/model", { providers });
  expect(parsed).toMatchObject({
    ok: true,
    value: { provider: { name: "My-Box", wire: "openai-chat" }, model: "vendor/model" },
  });
});

describe("headers from the settings", () => {
  const headers = { "X-Team": "search", Authorization: "Token ${GATEWAY_KEY}" };

  test("are sent with every request, override the wire's, and never appear in an error", async () => {
    const heard: IncomingHttpHeaders[] = [];
    const server = createServer((incoming, outgoing) => {
      heard.push(incoming.headers);
      outgoing.writeHead(401).end(JSON.stringify({ error: { message: "No Token canary-0123456789." } }));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    if (typeof address !== "object" || !address) throw new Error("It has no address.");
    const providers = providersWith({
      box: { baseUrl: `http://127.0.0.1:${address.port}/v1`, key: "unused", headers },
    });
    const env = { GATEWAY_KEY: "canary-0123456789" };
    const choosing = await chooseModel({ named: "box/tiny", providers, env });
    if (!choosing.ok) throw new Error(choosing.message);
    const { choice } = choosing;
    const listed = listModels(choice.provider, choice.server);
    await expect(listed).rejects.toThrow("No [key].");
    const asked = collect(
      (await openModel(choice)).ask({ system: "", messages: [], tools: [] }, new AbortController().signal),
    );
    await expect(asked).rejects.toThrow("No [key].");
    const sent = { "x-team": "search", authorization: "Token canary-0123456789" };
    expect(heard).toMatchObject([sent, sent]);
  });

  test("refuse their provider if one of their variables is not set, and the message names it", async () => {
    const providers = providersWith({ box: { baseUrl: "http://127.0.0.1:1/v1", headers } });
    expect(await chooseModel({ named: "box/tiny", providers, env: {} })).toEqual({
      ok: false,
      message: "The headers of box need GATEWAY_KEY: set it, or choose another model.",
    });
  });
});

test("models in the settings are listed without a request; the first is the default, and bare names find each", async () => {
  const providers = providersWith({ box: { baseUrl: "http://127.0.0.1:1/v1", models: ["first", "second"] } });
  const choosing = await chooseModel({ named: "box", providers, env: {} });
  if (!choosing.ok) throw new Error(choosing.message);
  const { provider, server, model } = choosing.choice;
  expect(model).toBe("first");
  expect(await listModels(provider, server)).toEqual([{ id: "first" }, { id: "second" }]);
  expect(await chooseModel({ named: "second", providers, env: {} })).toMatchObject({
    choice: { provider: { name: "box" }, model: "second" },
  });
});

test("settings for a known provider override its row and the environment, and leave the rest of the row", () => {
  const env = { OPENAI_API_KEY: "from-env", OPENAI_BASE_URL: "https://env/v1", WORK_KEY: "from-work" };
  expect(openaiWith({ baseUrl: "https://own/v1/", key: " from-settings " }, env)).toMatchObject({
    baseUrl: "https://own/v1",
    key: "from-settings",
    wire: "openai-responses",
  });
  expect(openaiWith({ keyVariable: "WORK_KEY" }, env)).toMatchObject({
    baseUrl: "https://env/v1",
    key: "from-work",
  });
  expect(openaiWith({ keyVariable: "UNSET" }, env).key).toBeUndefined();
  expect(openaiWith({ wire: "openai-chat" }, env).wire).toBe("openai-chat");
});

test("a known provider given another wire loses what belonged to its original one", () => {
  const providers = providersWith({ ollama: { baseUrl: "http://box/v1", wire: "openai-chat" } });
  const row = providers.find(({ name }) => name === "ollama");
  expect(row).toMatchObject({ describe: undefined, open: undefined, list: { path: "/models" } });
});

test("what a provider's bodies of one wire need is not done to those of another", () => {
  const openRouter = (settings: AllSettings[string]) => {
    const row = providersWith({ openrouter: settings }).find(({ name }) => name === "openrouter");
    return row && serverOf(row, {});
  };
  expect(openRouter({})?.adjust).toBeDefined();
  expect(openRouter({ wire: "anthropic" })?.adjust).toBeUndefined();
});

const probe = async () => [{ id: "local" }];

test("servers from the settings come first: keyed ones before other keys, keyless ones before local servers", async () => {
  const providers = providersWith({
    open: { baseUrl: "http://box/v1" },
    paid: { baseUrl: "https://far/v1", keyVariable: "FAR_KEY", models: ["m"] },
  });
  const keys = { ANTHROPIC_API_KEY: "a", FAR_KEY: "f" };
  expect(await chooseModel({ providers, env: keys, probe })).toMatchObject({
    choice: { provider: { name: "paid" }, model: "m", because: "FAR_KEY is set" },
  });
  expect(await chooseModel({ providers, env: {}, probe })).toMatchObject({
    choice: { provider: { name: "open" }, model: "local", because: "open is running" },
  });
});

test("a missing key or URL of a server from the settings is reported in one line, when named and when listed", async () => {
  const providers = providersWith({ keyed: { baseUrl: "https://far/v1", keyVariable: "FAR_KEY" }, lost: {} });
  const problems = {
    keyed:
      "keyed needs a key: set FAR_KEY, hand one over with `toolwright login keyed`, or choose another model.",
    lost: "lost needs a base URL: set its baseUrl in the configuration, or name the model as http://host:port/v1#model.",
  };
  for (const [name, message] of Object.entries(problems))
    expect(await chooseModel({ named: `${name}/m`, providers, env: {} })).toEqual({ ok: false, message });
  const own = knownProviders({ providers, env: {} }).filter(({ provider }) => provider.isOwn);
  expect(own.map(({ provider, problem }) => [provider.name, problem])).toEqual(Object.entries(problems));
});

test("the refusal of an unknown provider lists the servers from the settings among the others", () => {
  const parsed = parseModelName("nobody/m", { providers: providersWith({ box: { baseUrl: "http://box" } }) });
  expect(!parsed.ok && parsed.problem).toMatch(/^There is no provider named "nobody"\..* box, anthropic, /);
});

function openaiWith(settings: AllSettings[string], env: Record<string, string>) {
  const row = providersWith({ OpenAI: settings }).find(({ name }) => name === "openai");
  if (!row) return expect.unreachable("There is no such row.");
  return serverOf(row, env);
}
