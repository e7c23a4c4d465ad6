import { expect, test } from "vitest";
import { dialectOf } from "./choose.ts";
import type { Dialect, Family } from "./dialect.ts";
import { hermes } from "./hermes.ts";
import { namesOf, since } from "./names.ts";

/** A dialect that differs from the others only in its family. */
const family = (name: string, template: readonly string[], models?: RegExp): Dialect => {
  const { family: _, ...rest } = hermes;
  const told: Family = { template, ...(models ? { models } : {}) };
  return { ...rest, name, family: told };
};
const { family: _none, ...rest } = hermes;
const strangers: Dialect = { ...rest, name: "nobody's" };

const among = [
  strangers,
  family("short", ["<call>"], /^short/),
  family("long", ["<call>", "<parameter="], /^long/),
  family("by-name", [], /coder/i),
];
const chosen = (model: string, template?: string) => dialectOf({ model, template }, among)?.dialect.name;

test("the chat template decides the dialect, whatever the model's name", () => {
  expect(chosen("long-7b", "… <call> …")).toBe("short");
  expect(dialectOf({ model: "x", template: "<call>" }, among)?.because).toContain("chat template");
});

test("of several dialects whose marks all occur in a template, the one with the most marks wins", () => {
  expect(chosen("x", "<call><parameter=")).toBe("long");
  expect(chosen("x", "<parameter=")).toBeUndefined();
});

test("without a template, or with one that matches no dialect, the model's name decides", () => {
  expect(chosen("long-7b")).toBe("long");
  expect(chosen("vendor/My-Coder:30b", "{{ .Prompt }}")).toBe("by-name");
  expect(dialectOf({ model: "short:1b" }, among)?.because).toContain("name");
});

test("of several matching name patterns, the most specific one wins", () => {
  const few = [family("all", [], /qwen/), family("some", [], /qwen-?3-?coder/)];
  expect(dialectOf({ model: "qwen3-coder:30b" }, few)?.dialect.name).toBe("some");
  expect(dialectOf({ model: "qwen3:8b" }, few)?.dialect.name).toBe("all");
});

test("a model with an unknown name and template gets no dialect", () => {
  expect(chosen("tiny")).toBeUndefined();
  expect(chosen("tiny", "")).toBeUndefined();
  expect(chosen("", "{{ .Prompt }}")).toBeUndefined();
});

test("the real hermes and qwen-xml families are told apart by template and by name", () => {
  const real = (model: string, template?: string) => dialectOf({ model, template })?.dialect.name;
  expect(real("m", 'within <tool_call></tool_call> XML tags:\n{"name": <function-name>')).toBe("hermes");
  expect(
    real("m", "<tool_call>\n<function=f>\n<parameter=p>\nv\n</parameter>\n</function>\n</tool_call>"),
  ).toBe("qwen-xml");
  expect(real("qwen3-coder:30b")).toBe("qwen-xml");
  expect(real("qwen3:8b")).toBe("hermes");
});

test("a mark inside another dialect's mark is no evidence where the other is shown, too", () => {
  const real = (template: string) => dialectOf({ model: "m", template })?.dialect.name;
  const token = "{% set token = ']<]minimax[>[' %}";
  expect(real(`${token}{{ token ~ '<tool_call>' }}…<response>…</response>`)).toBe("minimax-m3");
  expect(real("<tool_call>…</tool_call><response>…</response>")).toBe("ernie");
});

test("a version from one on follows the newest that is known; a size is no version", () => {
  const names = namesOf(since("model", "3.5"));
  for (const name of ["model3.5", "Model-3.12:8b", "model_v3p6-7b", "model-4", "model-4.1-mini", "MODEL-v12"])
    expect(names.test(name), name).toBe(true);
  for (const name of [
    "model3",
    "model-3.4",
    "model-7b",
    "model-72b-chat",
    "model-3-8b",
    "model-1.5B",
    "model",
  ])
    expect(names.test(name), name).toBe(false);
});

test.each([
  ["qwen-xml", "qwen3.6:35b qwen/qwen3.8-flash-next Qwen3-Coder-30B-A3B qwen3p8-235b Qwen-4-80B"],
  [
    "qwen-xml",
    "XiaomiMiMo/MiMo-V2-Flash mimo-v2.5-pro IQuestLab/IQuest-Coder-V1-40B K-EXAONE-2-300B step-3.7-flash",
  ],
  ["hermes", "qwen3:8b qwen2.5-coder:7b Qwen/Qwen-7B-Chat qwen3-next-80b MiMo-7B-RL granite4:tiny"],
  [
    "mistral",
    "mistral-small-4 Mistral-Small-4-119B-2603 mistral-small3.2:24b ministral-3:8b mistral-large-2512 devstral-2:123b",
  ],
  [
    "mistral-list",
    "mistral-small:24b Mistral-Small-3.1-24B-Instruct-2503 mistral-large-2411 ministral-3b-2410 mistral-nemo",
  ],
  ["glm", "poolside/laguna-s-2.1 zai-org/GLM-5.3-Flash glm4:9b glm-6 ling-3.0-flash"],
  ["hunyuan-3", "hy4 hunyuan-4 tencent/Hy3-preview:free Hy-V4"],
  ["hunyuan", "Hunyuan-A13B-Instruct"],
  ["step-3", "stepfun-ai/Step3"],
  ["deepseek-dsml", "deepseek-v3.2:671b"],
  ["deepseek-v4", "deepseek-v4-flash deepseek-ai/DeepSeek-V4-Flash-0731 deepseek/deepseek-v4-pro"],
  ["deepseek-v4.1", "deepseek/deepseek-v4.1 DeepSeek-V4.1-Flash deepseek-v5"],
  ["deepseek-v3", "deepseek-r1:7b deepseek-chat-v3-0324"],
  ["inkling", "thinkingmachines/Inkling-Small"],
  ["k2-horizon", "LLM360/K2-Horizon-0.9B"],
  ["dots", "dots-studio/dots-3-note-preview:free"],
  ["minimax-m3", "MiniMax-M3"],
  ["cohere-2", "command-a-plus-05-2026"],
  ["cohere-command", "command-a-03-2025 command-r7b"],
  ["bielik", "speakleash/Bielik-11B-v3.0-Instruct"],
  [undefined, "Hunyuan-7B-Instruct K-EXAONE-236B-A23B gemma:7b deepseek-llm:7b dots.llm1"],
])("models are known by the usual spellings of their names: %s", (dialect, names) => {
  for (const model of names.split(" ")) expect(dialectOf({ model })?.dialect.name, model).toBe(dialect);
});
