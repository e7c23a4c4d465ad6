import { expect, test } from "vitest";
import { withEndpoint } from "./endpoint-file.ts";
import { modelNames, modelRow } from "./model-rows.ts";
import { tokensOf } from "./token-count.ts";

test("the usual model comes first, and once", () => {
  const providers = [
    { provider: "ollama", models: ["qwen3", "small"] },
    { provider: "openrouter", models: ["z-ai/glm-5"] },
  ];
  expect(modelNames({ providers, usual: "ollama/small" })).toEqual([
    "ollama/small",
    "ollama/qwen3",
    "openrouter/z-ai/glm-5",
  ]);
});

test("a window is shared between the prompt and the answer, and every model can call tools", () => {
  expect(modelRow("openrouter/z-ai/glm-5", { tokens: 200_000, sees: true })).toEqual({
    id: "openrouter/z-ai/glm-5",
    name: "z-ai/glm-5",
    family: "glm-5",
    version: "1",
    detail: "openrouter",
    maxInputTokens: 167_232,
    maxOutputTokens: 32_768,
    capabilities: { toolCalling: true, imageInput: true },
  });
  expect(modelRow("offline", undefined)).toMatchObject({ name: "offline", maxInputTokens: 49_152 });
});

test("the entry is added once, and what others wrote stays", () => {
  const models = [modelRow("ollama/qwen3", { tokens: 40_000, sees: false })];
  const theirs = '[\n\t// mine\n\t{ "name": "other", "vendor": "ollama" }\n]\n';
  const first = withEndpoint(theirs, { base: "http://127.0.0.1:1/k/one", models });
  const second = withEndpoint(first.ok ? first.value : "", { base: "http://127.0.0.1:2/k/two", models });
  const text = second.ok ? second.value : "";
  expect(text).toContain("// mine");
  expect(text.match(/"Toolwright"/gu)).toHaveLength(1);
  expect(text).toContain("http://127.0.0.1:2/k/two/v1/chat/completions");
  expect(text).not.toContain("/k/one");
  expect(withEndpoint("", { base: "http://127.0.0.1:1", models })).toMatchObject({ ok: true });
  expect(withEndpoint("{}", { base: "http://127.0.0.1:1", models })).toMatchObject({ ok: false });
});

test("tokens are estimated of words, calls, results and pictures", () => {
  const text = { type: "text", text: "total of the whole order" } as const;
  expect(tokensOf([text])).toBeGreaterThan(5);
  expect(tokensOf([{ type: "result", id: "1", content: [text] }])).toBeGreaterThan(tokensOf([text]));
  expect(tokensOf([{ type: "data", mediaType: "image/png", bytes: new Uint8Array(9) }])).toBe(1_505);
});
