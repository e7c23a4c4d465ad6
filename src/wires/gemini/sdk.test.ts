import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { ApiError, GoogleGenAI, type GenerateContentResponse } from "@google/genai";
import { afterEach, describe, expect, test } from "vitest";
import { collect } from "../../base/async.ts";
import type { Ask } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../../protocol/model-events.ts";
import { gemini } from "./gemini.ts";
import { stateOf } from "./state.ts";

/** Runs the vendor's own client against our server. */

let server: Server | undefined;

afterEach(async () => {
  const running = server;
  server = undefined;
  if (!running) return;
  running.closeAllConnections();
  running.close();
  await once(running, "close");
});

type Heard = { ask: Ask; streamed: boolean; key: unknown };

/** Serves one script over our server; a ModelError at its start becomes an HTTP error. */
async function serve(
  script: readonly (ModelEvent | ModelError)[],
): Promise<{ client: GoogleGenAI; heard: Heard[] }> {
  const heard: Heard[] = [];
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await collect(request)).toString();
    const matched = gemini.match(request.url ?? "");
    const { ask, streamed } = gemini.decodeAsk(JSON.parse(body), matched);
    heard.push({ ask, streamed, key: request.headers["x-goog-api-key"] });
    const [first] = script;
    if (first instanceof ModelError) {
      const error = gemini.encodeError(first);
      response.writeHead(error.status, { "content-type": "application/json", ...error.headers });
      response.end(JSON.stringify(error.body));
    } else if (streamed) {
      response.writeHead(200, { "content-type": gemini.streamType });
      for await (const text of gemini.encodeEvents(play(script))) response.write(text);
      response.end();
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(gemini.encodeWhole(await collect(play(script)))));
    }
  };
  server = createServer((request, response) => void reply(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    client: new GoogleGenAI({ apiKey: "key-1", httpOptions: { baseUrl: `http://127.0.0.1:${port}` } }),
    heard,
  };
}

async function* play(script: readonly (ModelEvent | ModelError)[]): AsyncGenerator<ModelEvent> {
  for (const step of script) {
    if (step instanceof ModelError) throw step;
    yield step;
  }
}

const answer: ModelEvent[] = [
  { type: "answer-start", model: "gemini-3-pro-preview" },
  { type: "reasoning-delta", text: "I " },
  { type: "reasoning-delta", text: "think." },
  { type: "reasoning-end" },
  { type: "text-delta", text: "Wait — 日本" },
  { type: "text-delta", text: "語." },
  { type: "call-start", id: "c1", name: "read_file" },
  { type: "call-delta", id: "c1", json: '{"path":"a.txt"}' },
  {
    type: "call-end",
    call: { id: "c1", name: "read_file", input: { path: "a.txt" }, source: "native", state: stateOf("U2ln") },
  },
  { type: "call-start", id: "c2", name: "now" },
  { type: "call-end", call: { id: "c2", name: "now", input: {}, source: "native" } },
  { type: "usage", usage: { inputTokens: 100, outputTokens: 30, reasoningTokens: 10, cacheReadTokens: 40 } },
  { type: "answer-end", reason: "tool-calls" },
];

/** Reduces an answer, streamed or whole, to what the client reports. */
function reported(responses: GenerateContentResponse[]) {
  const parts = responses.flatMap((response) => response.candidates?.[0]?.content?.parts ?? []);
  const last = responses.at(-1);
  return {
    text: parts.flatMap((part) => (part.text && !part.thought ? [part.text] : [])).join(""),
    thoughts: parts.flatMap((part) => (part.thought ? [part.text] : [])).join(""),
    calls: responses.flatMap((response) => response.functionCalls ?? []),
    signatures: parts.flatMap((part) => part.thoughtSignature ?? []),
    finishReason: last?.candidates?.[0]?.finishReason,
    usage: last?.usageMetadata,
    model: last?.modelVersion,
  };
}

const wanted = {
  text: "Wait — 日本語.",
  thoughts: "I think.",
  calls: [
    { id: "c1", name: "read_file", args: { path: "a.txt" } },
    { id: "c2", name: "now", args: {} },
  ],
  signatures: ["U2ln"],
  finishReason: "STOP",
  usage: {
    promptTokenCount: 100,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 10,
    cachedContentTokenCount: 40,
    totalTokenCount: 130,
  },
  model: "gemini-3-pro-preview",
};

const model = "gemini-3-pro-preview";

describe("Google's own client", () => {
  test("reads text, thoughts, calls, signatures and usage of a stream", async () => {
    const { client } = await serve(answer);
    const stream = await client.models.generateContentStream({ model, contents: "Hi" });
    expect(reported(await collect(stream))).toEqual(wanted);
  });

  test("reads the same from a whole reply", async () => {
    const { client } = await serve(answer);
    const response = await client.models.generateContent({ model, contents: "Hi" });
    expect(reported([response])).toEqual(wanted);
  });

  test("sends requests we read: system, tools, choice, limits, history with calls and results", async () => {
    const { client, heard } = await serve(answer);
    const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    await client.models.generateContent({
      model,
      contents: [
        {
          role: "user",
          parts: [{ text: "Read it" }, { inlineData: { mimeType: "image/png", data: "aGk=" } }],
        },
        {
          role: "model",
          parts: [
            { functionCall: { id: "c1", name: "read_file", args: { path: "a" } }, thoughtSignature: "U2ln" },
          ],
        },
        {
          role: "user",
          parts: [{ functionResponse: { id: "c1", name: "read_file", response: { output: "text" } } }],
        },
      ],
      config: {
        systemInstruction: "Be brief.",
        maxOutputTokens: 7,
        temperature: 0.1,
        stopSequences: ["END"],
        thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 },
        tools: [
          {
            functionDeclarations: [{ name: "read_file", description: "Reads", parametersJsonSchema: schema }],
          },
        ],
      },
    });
    const call = {
      id: "c1",
      name: "read_file",
      input: { path: "a" },
      source: "native",
      state: stateOf("U2ln"),
    };
    expect(heard).toEqual([
      {
        streamed: false,
        key: "key-1",
        ask: {
          model,
          system: "Be brief.",
          messages: [
            {
              role: "user",
              content: [
                { type: "text", text: "Read it" },
                { type: "image", mediaType: "image/png", data: "aGk=" },
              ],
            },
            { role: "assistant", content: [{ type: "call", call }] },
            {
              role: "tool",
              callId: "c1",
              name: "read_file",
              content: [{ type: "text", text: "text" }],
              isError: false,
            },
          ],
          tools: [{ name: "read_file", description: "Reads", schema }],
          maxTokens: 7,
          temperature: 0.1,
          stop: ["END"],
          reasoning: "medium",
        },
      },
    ]);
  });

  test("reports an error before the answer with its status", async () => {
    const { client } = await serve([
      new ModelError("rate-limit", "Too many requests.", { retryAfter: 2000 }),
    ]);
    const failed = await client.models
      .generateContent({ model, contents: "Hi" })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ApiError);
    expect((failed as ApiError).status).toBe(429);
    expect((failed as ApiError).message).toContain("Too many requests.");
  });

  test("reports an error mid-stream", async () => {
    const { client } = await serve([...answer.slice(0, 5), new ModelError("overloaded", "Overloaded.")]);
    const texts: (string | undefined)[] = [];
    const failed = await (async () => {
      const stream = await client.models.generateContentStream({ model, contents: "Hi" });
      for await (const response of stream) texts.push(response.candidates?.[0]?.content?.parts?.[0]?.text);
      return undefined;
    })().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ApiError);
    expect((failed as ApiError).status).toBe(503);
  });
});
