import fc from "fast-check";
import { expect, test } from "vitest";
import { ModelError } from "../../protocol/model-events.ts";
import { gemini } from "./gemini.ts";

const decode = (body: unknown) => gemini.decodeAsk(body, { model: "m", streamed: true }).ask;

test("snake_case, OpenAPI schemas and results without ids are understood", () => {
  const asked = decode({
    system_instruction: { parts: [{ text: "A" }, { text: "B" }] },
    contents: [
      { parts: [{ text: "Hi" }, { inline_data: { mime_type: "image/png", data: "aGk=" } }] },
      {
        role: "model",
        parts: [{ functionCall: { name: "f" } }, { functionCall: { name: "f", args: { a: 1 } } }],
      },
      {
        role: "function",
        parts: [
          { functionResponse: { name: "f", response: { temperature: 20 } } },
          { functionResponse: { name: "f", response: { result: "ok" } } },
        ],
      },
    ],
    tools: [
      { googleSearch: {} },
      {
        function_declarations: [
          {
            name: "f",
            parameters: {
              type: "OBJECT",
              properties: { type: { type: "STRING", nullable: true } },
              required: ["type"],
            },
          },
        ],
      },
    ],
    tool_config: { function_calling_config: { mode: "any" } },
    generation_config: { max_output_tokens: 5, thinking_config: { thinking_budget: 2000 } },
  });
  const ids = asked.messages.flatMap((message) => {
    if (message.role === "tool") return [message.callId];
    return message.role === "assistant"
      ? message.content.flatMap((part) => (part.type === "call" ? part.call.id : []))
      : [];
  });
  expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  expect(new Set(ids).size).toBe(2);
  expect({ ...asked, messages: asked.messages.filter((message) => message.role !== "assistant") }).toEqual({
    model: "m",
    system: "A\nB",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Hi" },
          { type: "image", mediaType: "image/png", data: "aGk=" },
        ],
      },
      {
        role: "tool",
        callId: ids[0],
        name: "f",
        content: [{ type: "text", text: '{"temperature":20}' }],
        isError: false,
      },
      { role: "tool", callId: ids[1], name: "f", content: [{ type: "text", text: "ok" }], isError: false },
    ],
    tools: [
      {
        name: "f",
        description: "",
        schema: { type: "object", properties: { type: { type: ["string", "null"] } }, required: ["type"] },
      },
    ],
    toolChoice: "required",
    maxTokens: 5,
    reasoning: "low",
  });
});

test.each<[unknown, string]>([
  [7, "body"],
  [{}, "contents"],
  [{ contents: 7 }, "contents"],
  [{ contents: [], cachedContent: "cachedContents/1" }, "cachedContent"],
  [{ contents: [7] }, "contents[0]"],
  [{ contents: [{ role: "system", parts: [] }] }, "contents[0].role"],
  [{ contents: [{ parts: "x" }] }, "contents[0].parts"],
  [{ contents: [{ parts: [{ inlineData: {} }] }] }, "contents[0].parts[0]"],
  [
    { contents: [{ role: "model", parts: [{ functionCall: {} }] }] },
    "contents[0].parts[0].functionCall.name",
  ],
  [{ contents: [], tools: 7 }, "tools"],
  [{ contents: [], generationConfig: 7 }, "generationConfig"],
  [{ contents: [], toolConfig: { functionCallingConfig: { mode: "HUH" } } }, "functionCallingConfig.mode"],
  [{ contents: [], tools: [{ functionDeclarations: [{}] }] }, "functionDeclarations[0].name"],
])("%j is refused with the field %s", (body, field) => {
  expect(() => decode(body)).toThrow(
    expect.objectContaining({ kind: "bad-request", message: expect.stringContaining(field) }),
  );
});

test("arbitrary JSON is read or refused and never crashes", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (contents, tools, config) => {
      try {
        decode({
          contents,
          tools,
          generationConfig: config,
          systemInstruction: config,
          toolConfig: config,
        });
      } catch (error) {
        expect(error).toBeInstanceOf(ModelError);
      }
    }),
  );
});

test("one object is accepted in place of a list, as in Google's own examples", () => {
  const body = { systemInstruction: { parts: { text: "Be brief." } }, contents: { parts: { text: "Hi." } } };
  expect(gemini.decodeAsk(body, { model: "m" }).ask).toMatchObject({
    system: "Be brief.",
    messages: [{ role: "user", content: [{ type: "text", text: "Hi." }] }],
  });
});
