/**
 * The built `toolwright lm-server` for several clients: third-party clients with keys of their own, a model that is
 * down, 200 streams at once, and what is known after the server was killed.
 */

import { readdir, readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { newHome, put, startCommand, type Home } from "./support/command.ts";

const hello = [{ role: "user" as const, content: "Hi." }];

/** A provider in Chat Completions' format that answers once its gate is open. */
async function startProvider(gate: Promise<unknown> = Promise.resolve()) {
  const seen = { asked: 0 };
  const arrived = Promise.withResolvers<undefined>();
  const answer = async (reply: ServerResponse): Promise<void> => {
    seen.asked += 1;
    if (seen.asked === 200) arrived.resolve(undefined);
    reply.writeHead(200, { "content-type": "text/event-stream" });
    const send = (chunk: object): void =>
      void reply.write(`data: ${JSON.stringify({ id: "c", created: 1, model: "m", ...chunk })}\n\n`);
    send({ choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: null }] });
    await gate;
    send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    send({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } });
    reply.end("data: [DONE]\n\n");
  };
  const server = createServer((request, reply) => {
    request.resume();
    if (request.url?.endsWith("/chat/completions") === true) request.on("end", () => void answer(reply));
    else reply.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}/v1`, seen, arrived: arrived.promise };
}

async function startServer(home: Home, url: string) {
  const config = {
    providers: {
      here: { baseUrl: url, models: ["m"] },
      down: { baseUrl: "http://127.0.0.1:9/v1", models: ["m"] },
    },
    prices: { "here/m": { input: 1_000, output: 5_000 } },
    lmServer: { models: { good: { model: "down/m", fallback: ["here/m"] } } },
  };
  await put(home.root, { "config/toolwright/config.json": JSON.stringify(config) });
  const running = startCommand(home, [
    "lm-server",
    "--model",
    "here/m",
    "--port",
    "0",
    "--dialect",
    "native",
  ]);
  let said = "";
  running.child.stdout?.on("data", (text: string) => (said += text));
  await running.until("Ctrl-C");
  return {
    running,
    url: /http:\/\/127\.0\.0\.1:\d+/u.exec(said)?.[0] ?? "",
    token: /[0-9a-f]{64}/u.exec(said)?.[0] ?? "",
  };
}

async function run(home: Home, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await startCommand(home, ["lm-server", ...argv]).ended;
  expect([argv, code, stderr]).toEqual([argv, 0, ""]);
  return stdout;
}

async function keyFor(home: Home, name: string, ...limits: string[]): Promise<string> {
  const { key }: { key: string } = JSON.parse(
    await run(home, "keys", "add", name, ...limits, "--output", "json"),
  );
  return key;
}

test("clients of three vendors use keys of their own, hear of their limits, and are billed apart, also after kill -9", async () => {
  const provider = await startProvider();
  const home = await newHome();
  const server = await startServer(home, provider.url);
  const { url } = server;
  const alice = await keyFor(home, "alice", "--models", "good", "--max-dollars-day", "0.35");
  const bob = await keyFor(home, "bob");
  const carol = await keyFor(home, "carol", "--max-requests", "1");

  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: alice });
  const told = await openai.chat.completions.create({ model: "good", messages: hello }).withResponse();
  expect(told.data.choices[0]?.message.content).toBe("Hello.");
  expect(told.response.headers.get("x-toolwright-model")).toBe("here/m");
  await expect(openai.chat.completions.create({ model: "m", messages: hello })).rejects.toThrow(
    OpenAI.NotFoundError,
  );
  await openai.responses.create({ model: "good", input: "Hi." });
  const refused = await openai.chat.completions
    .create({ model: "good", messages: hello })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
  expect(String(refused)).toContain("$0.35 a day");

  const anthropic = new Anthropic({ baseURL: url, authToken: bob, apiKey: null });
  const message = await anthropic.messages
    .stream({ model: "claude-x", max_tokens: 99, messages: hello })
    .finalMessage();
  expect(message.content).toMatchObject([{ type: "text", text: "Hello." }]);

  const ollama = new Ollama({ host: `${url}/k/${carol}` });
  expect((await ollama.chat({ model: "m", messages: hello })).message.content).toBe("Hello.");
  await expect(ollama.chat({ model: "m", messages: hello })).rejects.toThrow(/1 requests a minute/u);

  const metrics = await (
    await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${server.token}` } })
  ).text();
  expect(metrics).toContain('toolwright_lm_tokens_total{client="bob",kind="output"} 20');
  expect(metrics).toContain('toolwright_lm_dollars_total{client="alice"} 0.4');

  server.running.child.kill("SIGKILL");
  const { stderr } = await server.running.ended;
  const { days }: { days: object[] } = JSON.parse(await run(home, "usage", "--output", "json"));
  const each = { inputTokens: 100, outputTokens: 20, dollars: 0.2, unpriced: 0, requests: 1 };
  expect(days).toMatchObject([
    { client: "alice", requests: 2, inputTokens: 200, outputTokens: 40, dollars: 0.4 },
    { client: "bob", ...each },
    { client: "carol", ...each },
  ]);
  const again = await startServer(home, provider.url);
  const still = new OpenAI({ baseURL: `${again.url}/v1`, apiKey: alice, maxRetries: 0 });
  await expect(still.chat.completions.create({ model: "good", messages: hello })).rejects.toThrow(
    OpenAI.RateLimitError,
  );

  const entries = await readdir(home.stateDir, { withFileTypes: true });
  const files = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const kept = await Promise.all(files.map((name) => readFile(join(home.stateDir, name), "latin1")));
  for (const key of [alice, bob, carol])
    for (const text of [stderr, ...kept, metrics]) expect(text).not.toContain(key.slice(3));
});

test("600 streams are open at once and all end whole; the next request is told to come back", async () => {
  const gate = Promise.withResolvers<undefined>();
  const provider = await startProvider(gate.promise);
  const server = await startServer(await newHome(), provider.url);
  const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.token, maxRetries: 0 });
  const ask = () => openai.chat.completions.create({ model: "m", messages: hello, stream: true });
  const streams = await Promise.all(Array.from({ length: 600 }, ask));
  await provider.arrived;
  await expect(ask()).rejects.toThrow(OpenAI.InternalServerError);
  gate.resolve(undefined);
  const ends = await Promise.all(
    streams.map(async (stream) => {
      const said: string[] = [];
      for await (const { choices } of stream)
        said.push(choices[0]?.delta.content ?? "", choices[0]?.finish_reason ?? "");
      return said.join("");
    }),
  );
  expect(new Set(ends)).toEqual(new Set(["Hello.stop"]));
  expect(ends).toHaveLength(600);
});
