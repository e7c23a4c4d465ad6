import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import type { Ask, Message } from "../../protocol/messages.ts";
import { gemini } from "./gemini.ts";
import { stateOf } from "./state.ts";

const schema = { type: "object", properties: { path: { type: ["string", "null"], pattern: "^a" } } };
const picture = { type: "image" as const, mediaType: "image/png", data: "aGk=" };
const conversation: Message[] = [
  { role: "user", content: [{ type: "text", text: "Look" }, picture] },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "hm", state: stateOf("c2ln") },
      { type: "text", text: "One." },
      {
        type: "call",
        call: { id: "c1", name: "f", input: { a: 1 }, source: "native", state: stateOf("Y2FsbA==") },
      },
      { type: "call", call: { id: "c2", name: "g", input: {}, source: "native" } },
    ],
    state: stateOf("YW5zd2Vy"),
  },
  {
    role: "tool",
    callId: "c1",
    name: "f",
    content: [{ type: "text", text: "done" }, picture],
    isError: false,
  },
  { role: "tool", callId: "c2", name: "g", content: [{ type: "text", text: "no" }], isError: true },
  { role: "user", content: [{ type: "text", text: "Go on" }] },
];
const ask: Ask = {
  model: "gemini-3-pro-preview",
  system: "Be brief.",
  messages: conversation,
  tools: [{ name: "f", description: "Does f", schema }],
  toolChoice: { name: "f" },
  maxTokens: 100,
  temperature: 0.5,
  stop: ["END"],
  reasoning: "high",
};

test("a conversation becomes contents of alternating roles, with each signature on its part", () => {
  expect(gemini.encodeAsk(ask, { streamed: true })).toEqual({
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [
      { role: "user", parts: [{ text: "Look" }, { inlineData: { mimeType: "image/png", data: "aGk=" } }] },
      {
        role: "model",
        parts: [
          { text: "hm", thought: true, thoughtSignature: "c2ln" },
          { text: "One.", thoughtSignature: "YW5zd2Vy" },
          { functionCall: { id: "c1", name: "f", args: { a: 1 } }, thoughtSignature: "Y2FsbA==" },
          { functionCall: { id: "c2", name: "g", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              id: "c1",
              name: "f",
              response: { output: "done" },
              parts: [{ inlineData: { mimeType: "image/png", data: "aGk=" } }],
            },
          },
          { functionResponse: { id: "c2", name: "g", response: { error: "no" } } },
          { text: "Go on" },
        ],
      },
    ],
    tools: [{ functionDeclarations: [{ name: "f", description: "Does f", parametersJsonSchema: schema }] }],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
    generationConfig: {
      maxOutputTokens: 100,
      temperature: 0.5,
      stopSequences: ["END"],
      thinkingConfig: { includeThoughts: true, thinkingLevel: "HIGH" },
    },
  });
});

test("models before Gemini 3 get images beside the result", () => {
  const { contents } = gemini.encodeAsk({ ...ask, model: "gemini-2.5-flash" }, { streamed: true });
  expect((contents as { parts: Json[] }[])[2]?.parts).toEqual([
    { functionResponse: { id: "c1", name: "f", response: { output: "done" } } },
    { inlineData: { mimeType: "image/png", data: "aGk=" } },
    { functionResponse: { id: "c2", name: "g", response: { error: "no" } } },
    { text: "Go on" },
  ]);
});

test("another model's calls get the stand-in signature on Gemini 3 only, and its state is not sent", () => {
  const state = { from: "anthropic", value: "secret" };
  const call = { id: "c1", name: "f", input: {}, source: "native", state };
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: "Hi" }] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", state },
        { type: "call", call },
      ],
      state,
    },
    { role: "tool", callId: "c1", name: "f", content: [{ type: "text", text: "ok" }], isError: false },
  ];
  const sent = (model: string) =>
    JSON.stringify(gemini.encodeAsk({ model, system: "", messages, tools: [] }, { streamed: true }));
  expect(sent("gemini-3-flash-preview")).toContain('"thoughtSignature":"skip_thought_signature_validator"');
  expect(sent("gemini-2.5-pro")).not.toContain("thoughtSignature");
  expect(sent("gemini-3-flash-preview") + sent("gemini-2.5-pro")).not.toContain("secret");
  const { ask: heard } = gemini.decodeAsk(JSON.parse(sent("gemini-3-flash-preview")), { model: "m" });
  expect(JSON.stringify(heard)).not.toContain("skip_thought");
});

test("D10: calls without results and results without calls are omitted", () => {
  const lonely: Message[] = [
    { role: "user", content: [{ type: "text", text: "Hi" }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Yes" },
        { type: "call", call: { id: "c1", name: "f", input: {}, source: "native" } },
      ],
    },
    { role: "tool", callId: "other", name: "g", content: [{ type: "text", text: "ok" }], isError: false },
  ];
  expect(
    gemini.encodeAsk({ model: "m", system: "", messages: lonely, tools: [] }, { streamed: false }),
  ).toEqual({
    contents: [
      { role: "user", parts: [{ text: "Hi" }] },
      { role: "model", parts: [{ text: "Yes" }] },
    ],
  });
});

test.each<[string, Ask["reasoning"], JsonObject | undefined]>([
  ["gemini-3-pro-preview", "off", { includeThoughts: false, thinkingLevel: "LOW" }],
  ["gemini-3-flash-preview", "off", { includeThoughts: false, thinkingLevel: "MINIMAL" }],
  ["gemini-flash-latest", "medium", { includeThoughts: true, thinkingLevel: "MEDIUM" }],
  ["gemini-2.5-flash", "off", { includeThoughts: false, thinkingBudget: 0 }],
  ["gemini-2.5-pro", "off", { includeThoughts: false, thinkingBudget: 128 }],
  ["gemini-2.5-flash", "high", { includeThoughts: true, thinkingBudget: 24_576 }],
  ["gemini-2.0-flash", "high", undefined],
  ["gemini-3-pro-preview", undefined, undefined],
])("%s with effort %s thinks as %j", (model, reasoning, thinkingConfig) => {
  const asked: Ask = { model, system: "", messages: [], tools: [], ...(reasoning ? { reasoning } : {}) };
  const body = gemini.encodeAsk(asked, { streamed: true });
  expect(body["generationConfig"]).toEqual(thinkingConfig && { thinkingConfig });
});
