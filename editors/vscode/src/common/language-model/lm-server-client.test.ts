/** VS Code's agent in miniature: a text-only model behind the real server, asked as our provider asks. */

import { expect, onTestFinished, test } from "vitest";
import { collect } from "../../../../../src/base/async.ts";
import { hermes } from "../../../../../src/dialects/hermes.ts";
import { testServer, testToken } from "../../../../../src/lm-server/testing/server.ts";
import { ModelError } from "../../../../../src/protocol/model-events.ts";
import type { Model } from "../../../../../src/providers/provider.ts";
import { type ModelScript, scriptedModel } from "../../../../../src/providers/scripted-model.ts";
import { taughtModel } from "../../../../../src/providers/taught-model.ts";
import { textOnly } from "../../../../../src/testing/text-only.ts";
import type { AnswerPiece } from "./chat-answer.ts";
import type { ChatAsk, ChatTurn } from "./chat-parts.ts";
import { askModel, modelLimits, servedModels } from "./lm-server-client.ts";

async function serve(model: Model) {
  const server = await testServer(model);
  onTestFinished(() => server.close());
  return { url: server.url, token: testToken };
}

/** It refuses tools and writes its calls as text. */
function textOnlyModel(script: ModelScript) {
  const inner = scriptedModel(script, { pieces: 3 });
  return { inner, model: taughtModel(textOnly(inner, { dialect: hermes }), hermes) };
}

const readFile = {
  name: "copilot_readFile",
  description: "Reads a file.",
  schema: { type: "object", properties: { filePath: { type: "string" } }, required: ["filePath"] },
};
const user = (text: string): ChatTurn => ({ role: "user", parts: [{ type: "text", text }] });
const ask = (turns: readonly ChatTurn[], more: Partial<ChatAsk> = {}): ChatAsk => ({
  model: "scripted/model",
  turns,
  tools: [readFile],
  mustCall: false,
  options: {},
  ...more,
});

async function answerTo(place: { url: string; token: string }, asked: ChatAsk): Promise<AnswerPiece[]> {
  const pieces = await collect(askModel(place, asked, new AbortController().signal));
  return pieces.filter(({ type }) => type !== "usage");
}

const textIn = (pieces: readonly AnswerPiece[]): string =>
  pieces.map((piece) => (piece.type === "text" ? piece.text : "")).join("");

test("a model that only writes text calls VS Code's tool, and reads its result", async () => {
  const { inner, model } = textOnlyModel([
    [{ say: "I will look. " }, { call: "copilot_readFile", with: { filePath: "/shop/total.js" } }],
    [{ say: "It sums." }],
  ]);
  const place = await serve(model);
  const question = user("What does total.js do?");
  const first = await answerTo(place, ask([question]));
  const [call] = first.filter((piece) => piece.type === "call");
  expect(call).toMatchObject({ name: "copilot_readFile", input: { filePath: "/shop/total.js" } });
  expect(textIn(first).trim()).toBe("I will look.");
  const id = call?.id ?? "";
  const second = await answerTo(
    place,
    ask([
      question,
      {
        role: "assistant",
        parts: [
          { type: "text", text: "I will look." },
          { type: "call", id, name: "copilot_readFile", input: { filePath: "/shop/total.js" } },
        ],
      },
      { role: "user", parts: [{ type: "result", id, content: [{ type: "text", text: "return sum;" }] }] },
    ]),
  );
  expect(textIn(second)).toBe("It sums.");
  expect(JSON.stringify(inner.prompts[1]?.messages)).toContain("return sum;");
});

test("two calls at once are two calls with different ids", async () => {
  const { model } = textOnlyModel([
    [
      { call: "copilot_readFile", with: { filePath: "a" } },
      { call: "copilot_readFile", with: { filePath: "b" } },
    ],
  ]);
  const calls = (await answerTo(await serve(model), ask([user("Read both.")]))).flatMap((piece) =>
    piece.type === "call" ? [piece] : [],
  );
  expect(calls.map(({ input }) => input)).toEqual([{ filePath: "a" }, { filePath: "b" }]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
});

test("a system turn, a picture and a JSON result reach the model", async () => {
  const model = scriptedModel([[{ say: "Seen." }]]);
  const png = Uint8Array.from([137, 80, 78, 71]);
  const json = new TextEncoder().encode('{"lines":3}');
  const turns: ChatTurn[] = [
    { role: "system", parts: [{ type: "text", text: "Be brief." }] },
    {
      role: "user",
      parts: [
        { type: "text", text: "What is this?" },
        { type: "data", mediaType: "image/png", bytes: png },
        { type: "data", mediaType: "cache_control", bytes: new Uint8Array() },
      ],
    },
    { role: "assistant", parts: [{ type: "call", id: "1", name: "count", input: {} }] },
    {
      role: "user",
      parts: [
        {
          type: "result",
          id: "1",
          content: [{ type: "data", mediaType: "application/json", bytes: json }],
        },
      ],
    },
  ];
  expect(textIn(await answerTo(await serve(model), ask(turns, { tools: [] })))).toBe("Seen.");
  const [prompt] = model.prompts;
  expect(prompt?.system).toBe("Be brief.");
  expect(prompt?.messages).toMatchObject([
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image", mediaType: "image/png" },
      ],
    },
    { role: "assistant" },
    { role: "tool", callId: "1", content: [{ type: "text", text: '{"lines":3}' }] },
  ]);
});

test("thoughts come apart from words, and the usage at the end", async () => {
  const place = await serve(
    scriptedModel([[{ think: "Hm." }, { say: "Yes." }, { usage: { inputTokens: 7, outputTokens: 2 } }]]),
  );
  const pieces = await collect(askModel(place, ask([user("?")]), new AbortController().signal));
  expect(pieces.map(({ type }) => type)).toEqual(["thought", "text", "usage"]);
});

test("a model that fails, before it begins or in its middle, is a problem in its own words", async () => {
  const failing = { fail: new ModelError("bad-request", "The prompt is too strange.") };
  const place = await serve(scriptedModel([[failing], [{ say: "Well, " }, failing]]));
  await expect(answerTo(place, ask([user("?")]))).rejects.toThrow("The prompt is too strange.");
  await expect(answerTo(place, ask([user("?")]))).rejects.toThrow("The prompt is too strange.");
  await expect(answerTo({ ...place, token: "wrong" }, ask([user("?")]))).rejects.toThrow(/key|token/iu);
});

test("an answer that is given up is stopped at the model", async () => {
  const never = Promise.withResolvers<void>();
  const place = await serve(scriptedModel([[{ say: "One " }, { wait: never.promise }]]));
  const giving = new AbortController();
  const reading = async (): Promise<void> => {
    for await (const piece of askModel(place, ask([user("?")]), giving.signal))
      if (piece.type === "text") giving.abort(new Error("enough"));
  };
  await expect(reading()).rejects.toThrow("enough");
  never.resolve();
});

test("what the server knows of a model is its window and whether it sees", async () => {
  const place = await serve({ ...scriptedModel([], { contextTokens: 40_960 }), sees: false });
  const { signal } = new AbortController();
  expect(await servedModels(place)).toEqual(["scripted/model"]);
  expect(await modelLimits(place, "scripted/model", signal)).toEqual({ tokens: 40_960, sees: false });
});
