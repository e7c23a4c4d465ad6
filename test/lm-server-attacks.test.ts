import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../src/base/json.ts";
import { askServer, testServer, testToken } from "../src/lm-server/testing/server.ts";
import type { ScriptedStep } from "../src/providers/scripted-model.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { scale } from "../src/testing/scale.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { wires } from "../src/wires/index.ts";
import {
  clients,
  modelOver,
  prefixes,
  providerKey,
  rawServer,
  readFile,
  readReply,
  requestOf,
  upstreams,
} from "./support/lm-server-attacked.ts";

/** The language-model server under stress: any format in front of any other, and failures at any moment. */

const runs = 6 * scale;

const words = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.constantFrom("a", "src/ä b.ts", "1\n2", '"q" \\ back', "日本語😀", '{"a":1}', "```ts\nx\n```"),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((some) => some.join(" "));

/** Thoughts, text and calls, in the order that every format can express. */
const answers = (): fc.Arbitrary<ScriptedStep[]> =>
  fc
    .record({
      // With a prefix of its own: a thought that repeats the answer's beginning is dropped.
      think: fc.option(
        words().map((thought) => `So: ${thought}`),
        { nil: undefined },
      ),
      say: words(),
      calls: fc.array(fc.record({ path: words(), line: fc.nat() }, { noNullPrototype: true }), {
        maxLength: 3,
      }),
      inputTokens: fc.nat(1000),
      outputTokens: fc.nat(1000),
    })
    .map(({ think, say, calls, ...usage }) => [
      ...(think === undefined ? [] : [{ think }]),
      { say },
      ...calls.map((input) => ({ call: readFile.name, with: input })),
      { usage },
    ]);

test.each(Object.values(wires).map(({ name }) => name))(
  "whatever a model over %s says, every client reads it in full, streamed or not",
  async (name) => {
    let current: readonly ScriptedStep[] = [];
    const upstream = await serveModel(
      scriptedModel(() => current, { name: "m", pieces: 3 }),
      { chunk: 7 },
    );
    try {
      await using server = await testServer(await modelOver(name, upstream.url));
      const any = fc.record({
        answer: answers(),
        client: fc.constantFrom(...clients),
        streamed: fc.boolean(),
      });
      const property = fc.asyncProperty(any, async ({ answer, client, streamed }) => {
        current = answer;
        const { path, body } = requestOf(client, streamed);
        const read = await readReply(client, streamed, await askServer(server, path, { body }));
        expect(read).toMatchObject(told(answer));
      });
      await fc.assert(property, { numRuns: 2 * runs });
    } finally {
      await upstream.close();
    }
  },
);

function told(answer: readonly ScriptedStep[]): object {
  const calls = answer.flatMap((step) => ("call" in step ? [[step.call, step.with]] : []));
  return {
    text: answer.flatMap((step) => ("say" in step ? [step.say] : [])).join(""),
    thoughts: answer.flatMap((step) => ("think" in step ? [step.think] : [])).join(""),
    calls,
    end: calls.length > 0 ? "tool-calls" : "stop",
    usage: answer.flatMap((step) => ("usage" in step ? [step.usage] : []))[0],
    failed: undefined,
  };
}

/** OpenAI's stream written by hand, so that the wires are not tested against themselves. */
const frame = (delta: Json, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const callFrame = (text: string): string =>
  frame({
    tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "read_file", arguments: text } }],
  });
const done = (finish: string): string => `${frame({}, finish)}data: [DONE]\n\n`;
const streaming = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" });

const failures: [string, (response: ServerResponse) => void, number][] = [
  [
    "429 with a wait",
    (response) => response.writeHead(429, { "retry-after": "7" }).end('{"error":{"message":"slow"}}'),
    429,
  ],
  ["500 with a page", (response) => response.writeHead(500).end("<html><h1>Oops</h1></html>"), 500],
  ["200 with a page", (response) => response.writeHead(200).end("<html>log in</html>"), 500],
  ["garbage in the stream", (response) => streaming(response).end("data: {broken\n\n"), 500],
  ["nothing at all", (response) => streaming(response).end(), 500],
  ["a cut connection", (response) => void response.destroy(), 500],
  [
    "an error with the key in it",
    (response) =>
      response
        .writeHead(401)
        .end(JSON.stringify({ error: { message: `Incorrect API key: ${providerKey}` } })),
    401,
  ],
];

test.each(failures)(
  "%s is reported to each client as an error in its own format, without the key",
  async (_, fail, least) => {
    await using upstream = await rawServer(fail);
    await using server = await testServer(await modelOver("openai-chat", upstream.url));
    for (const client of clients)
      for (const streamed of [false, true]) {
        const { path, body } = requestOf(client, streamed);
        const response = await askServer(server, path, { body });
        const seen = `${client.name}: ${response.status}`;
        expect(response.status, seen).toBeGreaterThanOrEqual(least);
        expect(response.headers.get("retry-after"), seen).toBe(least === 429 ? "7" : null);
        const text = await response.clone().text();
        expect(text, seen).not.toContain(providerKey);
        const read = await readReply(client, streamed, response);
        expect({ ...read, failed: read.failed !== undefined }, seen).toMatchObject({
          text: "",
          failed: true,
        });
      }
    expect(JSON.stringify(server.lines)).not.toContain(providerKey);
  },
);

test("an answer cut off in a call is an error for every client, and the call is not sent", async () => {
  await using upstream = await rawServer((response) => {
    streaming(response).write(frame({ content: "Half" }));
    response.write(callFrame('{"path":"a'), () => setImmediate(() => response.destroy()));
  });
  await using server = await testServer(await modelOver("openai-chat", upstream.url));
  for (const client of clients)
    for (const streamed of [false, true]) {
      const { path, body } = requestOf(client, streamed);
      const read = await readReply(client, streamed, await askServer(server, path, { body }));
      const { end, calls, failed } = read;
      expect({ end, calls, failed: failed !== undefined }, `${client.name}, ${streamed}`).toEqual({
        end: undefined,
        calls: [],
        failed: true,
      });
    }
});

const stages: [string, number, (response: ServerResponse, round: number) => void][] = [
  ["before its first byte", 1, () => undefined],
  ["after its first words", 1, (response) => void streaming(response).write(frame({ content: "Hi" }))],
  ["in a call", 1, (response) => void streaming(response).write(callFrame('{"pa'))],
  [
    "while the model is asked again",
    2,
    (response, round) => {
      if (round === 1) streaming(response).end(callFrame("{}") + done("tool_calls"));
      else streaming(response).flushHeaders();
    },
  ],
];

test.each(stages)(
  "a client that disconnects %s stops the model, streamed or not",
  async (_, round, answer) => {
    for (const streamed of [false, true]) {
      const reached = Promise.withResolvers<void>();
      await using upstream = await rawServer((response, at) => {
        answer(response, at);
        if (at === round) reached.resolve();
      });
      await using server = await testServer(await modelOver("openai-chat", upstream.url));
      const { path, body } = requestOf(wires["openai-chat"], streamed);
      const leaving = new AbortController();
      const asked = askServer(server, path, { body, signal: leaving.signal })
        .then((response) => response.text())
        .catch(() => "gone");
      await reached.promise;
      leaving.abort();
      expect(await asked).toBe("gone");
      await upstream.left(round);
      expect(upstream.came).toHaveLength(round);
    }
  },
);

test("no header is forwarded in either direction, and no key reaches the other side or the log", async () => {
  await using upstream = await rawServer((response) => {
    const headers = {
      "content-type": "text/event-stream",
      "set-cookie": "upstream-canary",
      "x-request-id": "upstream-canary",
    };
    response.writeHead(200, headers).end(frame({ content: "Hi" }) + done("stop"));
  });
  await using server = await testServer(await modelOver("openai-chat", upstream.url));
  const names = [
    "cookie",
    "user-agent",
    "x-custom",
    "openai-organization",
    "idempotency-key",
    "anthropic-beta",
  ];
  const headers = Object.fromEntries(names.map((name) => [name, "client-canary"]));
  for (const client of clients) {
    const { path, body } = requestOf(client, true);
    const response = await askServer(server, path, { body, headers });
    const seen = JSON.stringify([...response.headers]) + (await response.text());
    expect(seen).not.toMatch(/canary|sk-the-key/);
  }
  const came = upstream.came.join("\n");
  expect(came).not.toMatch(/client-canary/);
  expect(came).not.toContain(testToken);
  expect(came).toContain(providerKey);
  expect(JSON.stringify(server.lines)).not.toMatch(/canary|sk-the-key/);
});

test("a chat stream includes usage only when the client asks for it; the log always has it", async () => {
  const usage = { inputTokens: 3, outputTokens: 2 };
  await using server = await testServer(scriptedModel(() => [{ say: "Hi" }, { usage }]));
  const { path } = requestOf(wires["openai-chat"], true);
  const body = { model: "c", stream: true, messages: [{ role: "user", content: "Hi." }] };
  const streamOf = async (more: object): Promise<string> =>
    (await askServer(server, path, { body: { ...body, ...more } })).text();
  expect(await streamOf({})).not.toMatch(/"choices":\[\]|"usage"/);
  expect(await streamOf({ stream_options: { include_usage: true } })).toMatch(
    /"choices":\[\],"usage":\{"prompt_tokens":3,[^]*\[DONE\]/,
  );
  expect(server.lines.map((line) => line.usage)).toEqual([usage, usage]);
});

test("every wire format is covered by these tests", () => {
  expect(Object.keys(upstreams).toSorted()).toEqual(clients.map(({ name }) => name).toSorted());
  expect(Object.keys(prefixes)).toEqual(Object.keys(upstreams));
});
