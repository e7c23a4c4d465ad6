/** The vendors' own clients with a text-only model: each client receives tool calls. */

import Anthropic from "@anthropic-ai/sdk";
import { type FunctionCall, type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { CohereClient } from "cohere-ai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collect } from "../base/async.ts";
import { hermes } from "../dialects/hermes.ts";
import { ModelError } from "../protocol/model-events.ts";
import { chooseModel } from "../providers/discover.ts";
import { openModel } from "../providers/open-model.ts";
import type { Model } from "../providers/provider.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { type ServedModel, serveModel } from "../testing/scripted-server.ts";
import { textOnly } from "../testing/text-only.ts";
import { askServer, testServer, testToken, type TestServer } from "./testing/server.ts";

/** An answer as the client parsed it. */
type Told = { text: string; calls: { name: string; input: unknown }[]; end: unknown };

/** One vendor's client; `stream` and `whole` ask for the file, `settle` returns the call's result. */
type Driver = {
  stream(): Promise<Told>;
  whole(): Promise<Told>;
  settle(): Promise<string>;
  models(): Promise<string[]>;
  /** The status of a failing request. */
  status(): Promise<unknown>;
  /** Sends a request, reads the first word, and disconnects. */
  leave(): Promise<void>;
};

const schema = {
  type: "object" as const,
  properties: { path: { type: "string" }, lines: { type: "integer" } },
  required: ["path"],
};
const question = "What does a.ts say?";
const fileText = "RESULT-42";

/** Asked for the file, calls a tool with a name and a type that need repair; given the result, reports it. */
const inner = scriptedModel(
  ({ messages }) => {
    const said = JSON.stringify(messages);
    if (said.includes(fileText)) return [{ say: `It says ${fileText}.` }];
    return [
      { say: "I look." },
      { call: "readFile", with: { path: "a.ts", lines: "3" } },
      { usage: { inputTokens: 120, outputTokens: 9 } },
    ];
  },
  { name: "tiny", contextTokens: 8192, pieces: 5 },
);

let upstream: ServedModel;
let server: TestServer;

beforeAll(async () => {
  upstream = await serveModel(textOnly(inner, { dialect: hermes }), { capabilities: ["completion"] });
  server = await testServer(await opened(upstream.url));
});
afterAll(async () => {
  await server.close();
  await upstream.close();
});

async function opened(url: string): Promise<Model> {
  const chosen = await chooseModel({ named: "ollama/tiny", env: { OLLAMA_HOST: url } });
  if (!chosen.ok) throw new Error(chosen.message);
  return openModel(chosen.choice, { retry: { forMs: 0 } });
}

const openaiClient = (url: string): OpenAI =>
  new OpenAI({ apiKey: testToken, baseURL: `${url}/v1`, maxRetries: 0 });

function chatDriver(url: string): Driver {
  const client = openaiClient(url);
  const user = { role: "user" as const, content: question };
  const tools = [{ type: "function" as const, function: { name: "read_file", parameters: schema } }];
  const asked = { model: "gpt-test", messages: [user], tools };
  const ask = () => client.chat.completions.create(asked);
  const told = ({ choices: [choice] }: Awaited<ReturnType<typeof ask>>): Told => ({
    text: choice?.message.content ?? "",
    calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === "function"
        ? [{ name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }]
        : [],
    ),
    end: choice?.finish_reason,
  });
  return {
    whole: async () => told(await ask()),
    stream: async () => told(await client.chat.completions.stream(asked).finalChatCompletion()),
    async settle() {
      const message = (await ask()).choices[0]?.message;
      if (!message) throw new Error("No answer.");
      const tool_call_id = message.tool_calls?.[0]?.id ?? "";
      const result = { role: "tool" as const, tool_call_id, content: fileText };
      const next = await client.chat.completions.create({ ...asked, messages: [user, message, result] });
      return next.choices[0]?.message.content ?? "";
    },
    models: async () => (await collect(client.models.list())).map(({ id }) => id),
    status: () => statusOf(ask()),
    async leave() {
      for await (const chunk of await client.chat.completions.create({ ...asked, stream: true }))
        if (chunk.choices[0]?.delta.content) return;
    },
  };
}

function responsesDriver(url: string): Driver {
  const client = openaiClient(url);
  const tools = [
    { type: "function" as const, name: "read_file", parameters: schema, strict: false },
    { type: "web_search" as const },
  ];
  const user = { role: "user" as const, content: question };
  const asked = { model: "gpt-test", input: [user], tools };
  const ask = () => client.responses.create(asked);
  const told = (response: Awaited<ReturnType<typeof ask>>): Told => ({
    text: response.output_text,
    calls: response.output.flatMap((item) =>
      item.type === "function_call"
        ? [{ name: item.name, input: JSON.parse(item.arguments) as unknown }]
        : [],
    ),
    end: response.status,
  });
  return {
    whole: async () => told(await ask()),
    stream: async () => told(await client.responses.stream(asked).finalResponse()),
    async settle() {
      const { output } = await ask();
      const said = output.flatMap((item) =>
        item.type === "function_call" || item.type === "message" ? [item] : [],
      );
      const results = said.flatMap((item) =>
        item.type === "function_call"
          ? [{ type: "function_call_output" as const, call_id: item.call_id, output: fileText }]
          : [],
      );
      const input = [user, ...said, ...results];
      return (await client.responses.create({ ...asked, input })).output_text;
    },
    models: async () => (await collect(client.models.list())).map(({ id }) => id),
    status: () => statusOf(ask()),
    async leave() {
      for await (const event of await client.responses.create({ ...asked, stream: true }))
        if (event.type === "response.output_text.delta") return;
    },
  };
}

function anthropicDriver(url: string): Driver {
  const client = new Anthropic({ apiKey: testToken, baseURL: url, maxRetries: 0 });
  const user = { role: "user" as const, content: question };
  const tools = [{ name: "read_file", input_schema: schema }];
  const asked = { model: "claude-test", max_tokens: 500, messages: [user], tools };
  const ask = () => client.messages.create(asked);
  const told = ({ content, stop_reason }: Awaited<ReturnType<typeof ask>>): Told => ({
    text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: content.flatMap((block) =>
      block.type === "tool_use" ? [{ name: block.name, input: block.input }] : [],
    ),
    end: stop_reason,
  });
  return {
    whole: async () => told(await ask()),
    stream: async () => told(await client.messages.stream(asked).finalMessage()),
    async settle() {
      const { content } = await ask();
      const tool_use_id = content.find((block) => block.type === "tool_use")?.id ?? "";
      const result = { type: "tool_result" as const, tool_use_id, content: fileText };
      const next = await client.messages.create({
        ...asked,
        messages: [user, { role: "assistant", content }, { role: "user", content: [result] }],
      });
      return told(next).text;
    },
    models: async () => (await collect(client.models.list())).map(({ id }) => id),
    status: () => statusOf(ask()),
    async leave() {
      for await (const event of await client.messages.create({ ...asked, stream: true }))
        if (event.type === "content_block_delta") return;
    },
  };
}

function ollamaDriver(url: string): Driver {
  const client = new Ollama({ host: url, headers: { authorization: `Bearer ${testToken}` } });
  const user = { role: "user", content: question };
  const tools = [{ type: "function", function: { name: "read_file", description: "", parameters: schema } }];
  const asked = { model: "tiny:latest", messages: [user], tools };
  const told = (
    parts: {
      message: { content: string; tool_calls?: { function: { name: string; arguments: object } }[] };
      done_reason: string;
    }[],
  ): Told => ({
    text: parts.map(({ message }) => message.content).join(""),
    calls: parts.flatMap(({ message }) =>
      (message.tool_calls ?? []).map(({ function: { name, arguments: input } }) => ({ name, input })),
    ),
    end: parts.at(-1)?.done_reason,
  });
  return {
    whole: async () => told([await client.chat(asked)]),
    stream: async () => told(await collect(await client.chat({ ...asked, stream: true }))),
    async settle() {
      const { message } = await client.chat(asked);
      const result = { role: "tool", tool_name: "read_file", content: fileText };
      return (await client.chat({ ...asked, messages: [user, message, result] })).message.content;
    },
    models: async () => (await client.list()).models.map(({ name }) => name),
    status: () => statusOf(client.chat(asked)),
    async leave() {
      for await (const part of await client.chat({ ...asked, stream: true }))
        if (part.message.content) return client.abort();
    },
  };
}

function geminiDriver(url: string): Driver {
  const client = new GoogleGenAI({ apiKey: testToken, httpOptions: { baseUrl: url } });
  const user = { role: "user", parts: [{ text: question }] };
  const config = { tools: [{ functionDeclarations: [{ name: "read_file", parametersJsonSchema: schema }] }] };
  const asked = { model: "gemini-test", contents: [user], config };
  const ask = () => client.models.generateContent(asked);
  // The library's own getter warns about every part that is not text.
  const textIn = ({ candidates }: GenerateContentResponse): string =>
    (candidates?.[0]?.content?.parts ?? []).map(({ text = "" }) => text).join("");
  const called = (calls: FunctionCall[] = []) => calls.map(({ name = "", args }) => ({ name, input: args }));
  return {
    async whole() {
      const reply = await ask();
      const { functionCalls, candidates } = reply;
      return { text: textIn(reply), calls: called(functionCalls), end: candidates?.[0]?.finishReason };
    },
    async stream() {
      const chunks = await collect(await client.models.generateContentStream(asked));
      return {
        text: chunks.map(textIn).join(""),
        calls: chunks.flatMap(({ functionCalls }) => called(functionCalls)),
        end: chunks.at(-1)?.candidates?.[0]?.finishReason,
      };
    },
    async settle() {
      const { candidates } = await ask();
      const said = candidates?.[0]?.content ?? { role: "model", parts: [] };
      const id = said.parts?.find(({ functionCall }) => functionCall)?.functionCall?.id ?? "";
      const functionResponse = { id, name: "read_file", response: { output: fileText } };
      const contents = [user, said, { role: "user", parts: [{ functionResponse }] }];
      return (await client.models.generateContent({ ...asked, contents })).text ?? "";
    },
    models: async () =>
      (await collect(await client.models.list())).map(({ name = "" }) => name.replace("models/", "")),
    status: () => statusOf(ask()),
    async leave() {
      const stop = new AbortController();
      const stoppable = { ...asked, config: { ...config, abortSignal: stop.signal } };
      for await (const { text } of await client.models.generateContentStream(stoppable))
        if (text) stop.abort();
    },
  };
}

/** Each library names it differently. */
const statusOf = (asking: Promise<unknown>): Promise<unknown> =>
  asking.then(
    () => 200,
    (error: unknown) => {
      const { status, status_code: code } = error as { status?: number; status_code?: number };
      return status ?? code;
    },
  );

const drivers: [string, (url: string) => Driver, Record<"calls" | "stops", string>][] = [
  ["OpenAI's client, chat completions", chatDriver, { calls: "tool_calls", stops: "stop" }],
  ["OpenAI's client, responses", responsesDriver, { calls: "completed", stops: "completed" }],
  ["Anthropic's client", anthropicDriver, { calls: "tool_use", stops: "end_turn" }],
  ["Ollama's client", ollamaDriver, { calls: "stop", stops: "stop" }],
  ["Google's client", geminiDriver, { calls: "STOP", stops: "STOP" }],
];

describe.each(drivers)("%s", (_, driverFor, ends) => {
  const call = { name: "read_file", input: { path: "a.ts", lines: 3 } };

  test("receives a repaired call, streamed and whole", async () => {
    const driver = driverFor(server.url);
    const expected = { text: "I look.", calls: [call], end: ends.calls };
    expect(await driver.whole()).toEqual(expected);
    expect(await driver.stream()).toEqual(expected);
    expect(server.lines.slice(-2)).toMatchObject([
      { streamed: false, calls: 1, mended: 1 },
      { streamed: true, calls: 1, mended: 1 },
    ]);
  });

  test("sends the tool's result and receives the final answer", async () => {
    expect(await driverFor(server.url).settle()).toBe(`It says ${fileText}.`);
  });

  test("lists the served models", async () => {
    expect(await driverFor(server.url).models()).toContain("ollama/tiny");
  });

  test("reports the status of a rate limit and of an unknown model", async () => {
    const failing = (error: ModelError) => scriptedModel(() => [{ fail: error }]);
    const busy = new ModelError("rate-limit", "Too many.", { status: 429, retryAfter: 2000 });
    await using limited = await testServer(failing(busy));
    expect(await driverFor(limited.url).status()).toBe(429);
    await using unknown = await testServer(failing(new ModelError("unknown-model", "No such model.")));
    expect(await driverFor(unknown.url).status()).toBe(404);
  });

  test("D6: stops the model when it disconnects in the middle of an answer", async () => {
    const stopped = Promise.withResolvers<void>();
    await using endless = await testServer(endlessModel(stopped.resolve));
    await driverFor(endless.url)
      .leave()
      .catch(() => undefined);
    await stopped.promise;
    await untilLogged(endless);
    expect(endless.lines).toMatchObject([{ status: 200, broken: true }]);
  });
});

/** Says one thing, then runs until it is stopped. */
function endlessModel(stopped: () => void): Model {
  return {
    name: "scripted/endless",
    async *ask(_, signal) {
      yield { type: "answer-start", model: "endless" };
      yield { type: "text-delta", text: "One. " };
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          stopped();
          reject(signal.reason);
        });
      });
    },
  };
}

async function untilLogged({ lines }: TestServer): Promise<void> {
  while (lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
}

test("Anthropic's client counts tokens, and a rate limit sets the retry-after header", async () => {
  const client = new Anthropic({ apiKey: testToken, baseURL: server.url, maxRetries: 0 });
  const messages = [{ role: "user" as const, content: question }];
  const counted = await client.messages.countTokens({ model: "claude-test", messages });
  expect(counted.input_tokens).toBe(1);
  const busy = new ModelError("rate-limit", "Too many.", { retryAfter: 2000 });
  await using limited = await testServer(scriptedModel(() => [{ fail: busy }]));
  const reply = await askServer(limited, "/v1/messages", { body: { model: "m", max_tokens: 9, messages } });
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, "2"]);
});

test("Cohere's client receives a repaired call and lists the models", async () => {
  const client = new CohereClient({ environment: server.url, token: testToken, maxRetries: 0 });
  const reply = await client.v2.chat({
    model: "command-test",
    messages: [{ role: "user", content: question }],
    tools: [{ type: "function", function: { name: "read_file", parameters: schema } }],
  });
  expect(reply.finishReason).toBe("TOOL_CALL");
  expect(reply.message.toolCalls).toMatchObject([
    { function: { name: "read_file", arguments: '{"path":"a.ts","lines":3}' } },
  ]);
  const { models } = await client.models.list();
  expect(models).toMatchObject([{ name: "ollama/tiny", endpoints: ["chat"], contextLength: 8192 }]);
});

test("Ollama's client sees a model's tool capability and context window", async () => {
  const client = new Ollama({ host: server.url, headers: { authorization: `Bearer ${testToken}` } });
  const shown = await client.show({ model: "ollama/tiny" });
  expect(shown.capabilities).toEqual(["completion", "tools"]);
  expect(shown.model_info).toMatchObject({ "toolwright.context_length": 8192 });
});

test("Google's client counts tokens; without alt=sse the stream is a JSON array", async () => {
  const client = new GoogleGenAI({ apiKey: testToken, httpOptions: { baseUrl: server.url } });
  expect((await client.models.countTokens({ model: "m", contents: question })).totalTokens).toBe(1);
  const body = { contents: [{ role: "user", parts: [{ text: question }] }] };
  const reply = await askServer(server, "/v1beta/models/m:streamGenerateContent", { body });
  expect(reply.headers.get("content-type")).toBe("application/json");
  const chunks: unknown = await reply.json();
  expect(chunks).toMatchObject([{ candidates: [{}] }, {}]);
});
