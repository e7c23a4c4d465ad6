import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { collect } from "../../base/async.ts";
import { loadConfig, type Config } from "../../configuration/config.ts";
import { parseArguments } from "../../configuration/options/arguments.ts";
import { dialects } from "../../dialects/index.ts";
import { ModelError } from "../../protocol/model-events.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import { serveModel } from "../../testing/scripted-server.ts";
import { testSession } from "../../testing/session.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { numberAt, objectAt } from "../../wires/fields.ts";
import { startRuntime } from "../runtime.ts";
import { findModel, memoryIn, modelsWithinReach, openChosenModel } from "./models.ts";
import { serveModels } from "./served-models.ts";

/** Local ports where nothing answers, so that what runs on this machine changes no test. */
const nobody = {
  OLLAMA_HOST: "http://127.0.0.1:1",
  LMSTUDIO_BASE_URL: "http://127.0.0.1:1",
  LLAMACPP_BASE_URL: "http://127.0.0.1:1",
  VLLM_BASE_URL: "http://127.0.0.1:1",
  SGLANG_BASE_URL: "http://127.0.0.1:1",
};

async function settings(argv: string[], providers: Config["providers"] = {}): Promise<Config> {
  const parsed = parseArguments(argv, {});
  if (!parsed.ok) throw new Error(parsed.problem);
  const config = await loadConfig({ arguments: parsed.value, env: { HOME: "/nowhere" }, cwd: "/elsewhere" });
  if (!config.ok) throw new Error(config.problem);
  return { ...config.value, providers };
}

async function serve(): Promise<string> {
  const served = await serveModel(scriptedModel([], { name: "tiny" }), { capabilities: ["completion"] });
  onTestFinished(() => served.close());
  return served.url;
}

test("a user's own server is listed beside the known ones, with its own or the configured model list", async () => {
  const url = await serve();
  const own = { asked: { baseUrl: `${url}/v1` }, told: { baseUrl: `${url}/v1`, models: ["a", "b"] } };
  const reach = await modelsWithinReach(await settings([], own), nobody);
  expect(reach.slice(0, 2)).toEqual([
    { provider: "asked", models: ["tiny"] },
    { provider: "told", models: ["a", "b"] },
  ]);
  expect(reach.slice(2).map(({ provider }) => provider)).toEqual([
    "ollama",
    "lmstudio",
    "llamacpp",
    "vllm",
    "sglang",
  ]);
});

test("an own server without its key, or one that does not answer, is listed with the reason", async () => {
  const own = {
    keyed: { baseUrl: "http://127.0.0.1:1/v1", keyVariable: "UNSET" },
    silent: { baseUrl: "http://127.0.0.1:1" },
  };
  const reach = await modelsWithinReach(await settings([], own), nobody);
  expect(reach.slice(0, 2)).toMatchObject([
    { provider: "keyed", models: [], problem: expect.stringContaining("needs a key: set UNSET") },
    { provider: "silent", models: [], problem: expect.stringContaining("Start silent, or fix its baseUrl") },
  ]);
});

test("--model names an own server and its model", async () => {
  const own = { box: { baseUrl: await serve(), wire: "ollama" as const } };
  const opened = await openChosenModel(await settings(["--model", "box/tiny"], own), nobody);
  expect(opened).toMatchObject({ ok: true, value: { name: "box/tiny" } });
});

test("a server that is too slow for the first look is used all the same, as on a busy machine", async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    if (asked > 1) response.end(JSON.stringify({ models: [{ name: "slow", model: "slow" }] }));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const env = { ...nobody, OLLAMA_HOST: `http://127.0.0.1:${numberAt(server.address(), "port")}` };
  expect(await findModel(await settings([]), env)).toMatchObject({
    ok: true,
    value: { provider: { name: "ollama" }, model: "slow" },
  });
});

test("native skips teaching even when the server reports that the model has no tools", async () => {
  const env = { ...nobody, OLLAMA_HOST: await serve() };
  const notice = async (...flags: string[]) => {
    const opened = await openChosenModel(await settings(["--model", "ollama/tiny", ...flags]), env);
    return opened.ok ? opened.value.notice : opened.problem;
  };
  expect(await notice()).toContain("no native tools");
  expect(await notice("--dialect", "native")).toBeUndefined();
});

test.each([
  ["hermse", ' (did you mean "hermes"?)'],
  ["klingon", ""],
  ["constructor", ""],
])("the dialect %s is refused in one clear line", async (name, hint) => {
  expect(await openChosenModel(await settings(["--dialect", name]), nobody)).toEqual({
    ok: false,
    problem: `There is no dialect "${name}"${hint}: the option "dialect" is one of auto, native, ${Object.keys(dialects).join(", ")}.`,
  });
});

test("what a session asks of the model's thinking is sent to it, and nothing without", async () => {
  const served = await serveModel(scriptedModel(() => [{ say: "a" }]));
  onTestFinished(() => served.close());
  const env = { ...nobody, ANTHROPIC_BASE_URL: served.url, ANTHROPIC_API_KEY: "key-for-tests" };
  const opened = await openChosenModel(await settings(["--model", "anthropic/claude-x"]), env);
  if (!opened.ok) throw new Error(opened.problem);
  const { session, ask, close } = await testSession(opened.value, { reasoning: "low" });
  onTestFinished(close);
  await ask("One.");
  await session.command({ type: "set-reasoning", reasoning: "default" });
  await ask("Two.");
  const thinking = served.requests.map(({ body }) => Object.hasOwn(Object(body), "thinking"));
  expect(thinking).toEqual([true, false]);
});

test("--reasoning is what served models are asked with, unless their client says otherwise", async () => {
  const served = await serveModel(scriptedModel(() => [{ say: "a" }]));
  const state = await temporaryWorkspace({});
  onTestFinished(async () => {
    await served.close();
    await state.remove();
  });
  const env = { ...nobody, ANTHROPIC_BASE_URL: served.url, ANTHROPIC_API_KEY: "key-for-tests" };
  const given = await settings(["--model", "anthropic/claude-x", "--reasoning", "low"]);
  const models = await serveModels({ ...given, stateDir: state.root }, env);
  if (!models.ok) throw new Error(models.problem);
  onTestFinished(() => models.value.close());
  const { signal } = new AbortController();
  const opened = await models.value.open("anthropic/claude-x", signal);
  if (!opened.ok) throw new Error(opened.problem);
  const prompt = { system: "", tools: [], messages: [{ role: "user" as const, content: [] }] };
  await collect(opened.value.ask(prompt, signal));
  await collect(opened.value.ask({ ...prompt, reasoning: "high" }, signal));
  const budgets = served.requests.map(({ body }) => numberAt(objectAt(body, "thinking"), "budget_tokens"));
  expect(budgets).toEqual([2048, 12_288]);
});

test("--reasoning is what a runtime's sessions begin with", async () => {
  const place = await temporaryWorkspace({});
  onTestFinished(() => place.remove());
  const model = scriptedModel(() => [{ say: "Yes." }]);
  const found = { ...(await settings(["--reasoning", "high"])), workspace: place.root };
  const runtime = await startRuntime(found, {
    env: nobody,
    interactive: false,
    model,
    store: openMemoryStore(),
  });
  if (!runtime.ok) throw new Error(runtime.problem);
  onTestFinished(() => runtime.value.close());
  const opened = await runtime.value.open({});
  if (!opened.ok) throw new Error(opened.problem);
  onTestFinished(() => opened.value.close());
  await opened.value.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  await opened.value.idle();
  expect([opened.value.reasoning, model.prompts[0]?.reasoning]).toEqual(["high", "high"]);
});

test("a session that cannot read its model's native calls switches dialect and warns, and the next one starts with it", async () => {
  const bad = '<tool_call>\n{"name": "list_files", "arguments": {"path": }}\n</tool_call>';
  const good = '{"say": "I look.", "calls": [{"name": "list_files", "arguments": {}}]}';
  const model = scriptedModel([[{ say: bad }], [{ say: bad }], [{ say: good }], [{ say: "Done." }]], {
    name: "tiny",
  });
  const served = await serveModel(model);
  onTestFinished(() => served.close());
  const env = { ...nobody, OLLAMA_HOST: served.url };
  const store = openMemoryStore();
  const memory = memoryIn(Promise.resolve({ ok: true, value: store }));
  const open = async () => {
    const opened = await openChosenModel(await settings(["--model", "ollama/tiny"]), env, memory);
    if (!opened.ok) throw new Error(opened.problem);
    return opened.value;
  };
  const session = await testSession(await open());
  onTestFinished(() => session.close());
  await session.ask("go");
  const warnings = session.facts().filter((fact) => fact.type === "warning");
  expect(warnings).toEqual([
    expect.objectContaining({
      code: "dialect-changed",
      text: expect.stringContaining("calls as text (hermes)"),
    }),
  ]);
  expect((await open()).notice).toBe(
    "In earlier sessions 2 of its 2 calls with native tools could not be read: it is taught to write its calls as text (hermes).",
  );
});

test("a call that the server fails on in mid-stream is asked for again as text in the same turn", async () => {
  const failure = new ModelError(
    "server",
    "error parsing tool call: raw='{\"path\":', err=unexpected end of JSON",
  );
  const good = '<tool_call>\n{"name": "list_files", "arguments": {}}\n</tool_call>';
  const model = scriptedModel([
    [{ say: "I look. " }, { fail: failure }],
    [{ say: good }],
    [{ say: "Done." }],
  ]);
  const served = await serveModel(model);
  onTestFinished(() => served.close());
  const env = { ...nobody, OLLAMA_HOST: served.url };
  const opened = await openChosenModel(await settings(["--model", "ollama/x"]), env);
  if (!opened.ok) throw new Error(opened.problem);
  const session = await testSession(opened.value);
  onTestFinished(() => session.close());
  await session.ask("go");
  expect(model.prompts.map(({ tools }) => tools.length > 0)).toEqual([true, false, true]);
  expect(session.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done", text: "Done." });
  const warnings = session.facts().filter((fact) => fact.type === "warning");
  expect(warnings).toMatchObject([{ code: "dialect-changed", text: expect.stringContaining("asked again") }]);
});

test("a failing store does not fail the answer; its counts are just not remembered", async () => {
  const served = await serveModel(
    scriptedModel([[{ say: '<tool_call>{"name": "f", "arguments": {}}</tool_call>' }]]),
  );
  onTestFinished(() => served.close());
  const failing = Promise.resolve({ ok: false as const, problem: "The disk is full." });
  const env = { ...nobody, OLLAMA_HOST: served.url };
  const opened = await openChosenModel(await settings(["--model", "ollama/x"]), env, memoryIn(failing));
  if (!opened.ok) throw new Error(opened.problem);
  const tools = [{ name: "f", description: "", schema: { type: "object" } }];
  const prompt = { system: "", tools, messages: [{ role: "user" as const, content: [] }] };
  const events = await collect(opened.value.ask(prompt, new AbortController().signal));
  expect(events).toContainEqual(expect.objectContaining({ type: "call-end" }));
});

test("a model that cannot be opened at the start is left for the first of --fallback that can, which says so", async () => {
  const url = await serve();
  const own = { gone: { baseUrl: "http://127.0.0.1:1/v1" }, here: { baseUrl: `${url}/v1` } };
  const config = await settings(["--model", "gone", "--fallback", "gone, here/tiny"], own);
  const first = await openChosenModel(config, nobody);
  expect(first).toMatchObject({ ok: true, value: { name: "here/tiny" } });
  expect(first.ok && first.value.instead).toMatch(/Nothing answers at http:.* here\/tiny goes on instead\./u);
});

test("a name of --fallback that can never be valid is refused at the start", async () => {
  const opened = await openChosenModel(
    await settings(["--model", "ollama/a", "--fallback", "nobody"]),
    nobody,
  );
  expect(opened).toMatchObject({ ok: false, problem: expect.stringContaining('"nobody"') });
});
