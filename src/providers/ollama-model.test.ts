import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { collect } from "../base/async.ts";
import { readAll } from "../base/http.ts";
import { isObject, parseJson } from "../base/json.ts";
import { hermes } from "../dialects/hermes.ts";
import { ModelError } from "../protocol/model-events.ts";
import { catalog } from "./catalog.ts";
import type { ModelChoice } from "./discover.ts";
import { serverOf } from "./discover.ts";
import { openModel, type OpenOptions } from "./open-model.ts";
import type { Prompt } from "./provider.ts";

test("A6: native tools are used exactly if the server lists the capability; otherwise a dialect is taught", async () => {
  const native = await open({ show: { capabilities: ["completion", "tools"] } });
  await collect(native.model.ask(prompt, signal));
  expect(native.model.notice).toBeUndefined();
  expect(native.asked[0]).toMatchObject({ tools: [{ function: { name: "ping" } }] });

  const bare = await open({ show: { capabilities: ["completion"] } });
  const events = await collect(bare.model.ask(prompt, signal));
  expect(bare.model.notice).toContain("no native tools");
  expect(bare.asked[0]).not.toHaveProperty("tools");
  expect(events.at(-1)).toMatchObject({ type: "answer-end" });
  expect((await open({ show: {} })).model.notice).toContain("no native tools");
});

test("a dialect can be forced on a model with native tools, and native tools on one listed without them", async () => {
  const forced = await open({ show: { capabilities: ["tools"] } }, { dialect: hermes });
  await collect(forced.model.ask(prompt, signal));
  expect(forced.asked[0]).not.toHaveProperty("tools");

  const native = await open({ show: { capabilities: ["completion"] } }, { dialect: "native" });
  await collect(native.model.ask(prompt, signal));
  expect(native.model.notice).toBeUndefined();
  expect(native.asked[0]).toMatchObject({ tools: [{ function: { name: "ping" } }] });
});

test.each([
  [
    "the default for a model with a larger window",
    { model_info: { "x.context_length": 131_072 } },
    {},
    32_768,
  ],
  ["the whole window of a smaller model", { model_info: { "x.context_length": 8192 } }, {}, 8192],
  [
    "num_ctx of the Modelfile",
    { model_info: { "x.context_length": 131_072 }, parameters: 'stop "x"\nnum_ctx    65536' },
    {},
    65_536,
  ],
  [
    "the user's setting",
    { model_info: { "x.context_length": 131_072 } },
    { contextTokens: 100_000 },
    100_000,
  ],
  ["the default when the server reports nothing", {}, {}, 32_768],
])("the context window is always sent: %s", async (_, show, options, expected) => {
  const { model, asked } = await open({ show }, options);
  await collect(model.ask(prompt, signal));
  expect(model.contextTokens).toBe(expected);
  expect(asked[0]).toMatchObject({ options: { num_ctx: expected } });
});

test("A8: think is sent to a thinking model; after a 400 the request is repeated without it, and so are later ones", async () => {
  const thinking = { show: { capabilities: ["tools", "thinking"] } };
  const willing = await open(thinking);
  await collect(willing.model.ask(prompt, signal));
  expect(willing.asked).toMatchObject([{ think: true }]);

  const refusing = await open({ ...thinking, refusesThinking: true });
  for (let turn = 0; turn < 2; turn += 1) await collect(refusing.model.ask(prompt, signal));
  expect(refusing.asked.map((body) => body["think"])).toEqual([true, undefined, undefined]);

  const unable = await open({ show: { capabilities: ["tools"] } }, { reasoning: "high" });
  await collect(unable.model.ask(prompt, signal));
  expect(unable.asked[0]).not.toHaveProperty("think");
});

test("A8: if a request without think gets a 400 as well, later requests still send think", async () => {
  const { model, asked } = await open({ show: { capabilities: ["thinking"] }, refusesAll: true });
  for (let turn = 0; turn < 2; turn += 1)
    await expect(collect(model.ask(prompt, signal))).rejects.toThrow(ModelError);
  const tried = asked.map((body) => [body["think"], body["format"] !== undefined]);
  const turn = [
    [true, false],
    [undefined, false],
  ];
  expect(tried).toEqual([...turn, ...turn]);
});

test("a prompt that the server truncated causes a notice, and one that fits does not", async () => {
  const cut = await open({ show: { capabilities: ["tools"] }, promptTokens: 2000 }, { contextTokens: 2048 });
  const long: Prompt = {
    ...prompt,
    messages: [{ role: "user", content: [{ type: "text", text: "word ".repeat(5000) }] }],
  };
  await collect(cut.model.ask(prompt, signal));
  expect(cut.model.notice).toBeUndefined();
  await collect(cut.model.ask(long, signal));
  expect(cut.model.notice).toMatch(/read only 2000 tokens.*num_ctx 2048/);
});

test("the error for a model missing on the server gives the command that pulls it", async () => {
  const error: unknown = await open({ missing: true }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    kind: "unknown-model",
    advice: "Run: ollama pull m:1b",
  });
});

const signal = new AbortController().signal;
const prompt: Prompt = {
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  tools: [{ name: "ping", description: "Pings.", schema: { type: "object", properties: {} } }],
};

type Behaviour = {
  show?: object;
  missing?: boolean;
  refusesThinking?: boolean;
  refusesAll?: boolean;
  promptTokens?: number;
};

/** Starts a server that behaves as Ollama's documents say, and opens a model on it. */
async function open(behaviour: Behaviour, options: OpenOptions = {}) {
  const asked: Record<string, unknown>[] = [];
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing, { behaviour, asked }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const provider = catalog.find(({ describe }) => describe !== undefined);
  if (!provider) throw new Error("No provider describes its models.");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const choice: ModelChoice = {
    provider,
    server: serverOf(provider, {}, url),
    model: "m:1b",
    because: "the test",
  };
  return { asked, model: await openModel(choice, options) };
}

type FakeServer = { behaviour: Behaviour; asked: Record<string, unknown>[] };

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { behaviour, asked }: FakeServer,
): Promise<void> {
  const parsed = parseJson(await readAll(incoming, 10_000_000));
  const body = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  if (behaviour.missing) outgoing.writeHead(404).end(line({ error: "model 'm:1b' not found" }));
  else if (incoming.url === "/api/show") outgoing.end(line(behaviour.show ?? {}));
  else {
    asked.push(body);
    const thinks = behaviour.refusesThinking === true && body["think"] !== undefined;
    if (behaviour.refusesAll === true || thinks) {
      outgoing.writeHead(400).end(line({ error: '"m:1b" does not support thinking' }));
      return;
    }
    outgoing.setHeader("content-type", "application/x-ndjson");
    outgoing.write(line({ model: "m:1b", message: { role: "assistant", content: "Hi" }, done: false }));
    const counts = { prompt_eval_count: behaviour.promptTokens ?? 10, eval_count: 1 };
    const message = { role: "assistant", content: "" };
    outgoing.end(line({ model: "m:1b", message, done: true, done_reason: "stop", ...counts }));
  }
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;
