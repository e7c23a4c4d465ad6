import { expect, test } from "vitest";
import { priceTable } from "../../providers/price-table.ts";
import { type Pricing, pricingFor } from "./pricing.ts";

const usage = { inputTokens: 1_000_000, outputTokens: 0 };
const at = Date.parse("2026-11-22");
const settings = { providers: {}, prices: {}, model: undefined };
const costOf = (pricing: Pricing, model: string) => pricing(model, { by: "", usage, at });

test("models on this machine or the local network cost nothing, whether or not their tokens were counted", () => {
  const pricing = pricingFor(settings, {});
  expect(
    ["ollama/qwen3:8b", "llamacpp/x", "lmstudio/x", "offline/orders"].map((name) => costOf(pricing, name)),
  ).toEqual([0, 0, 0, 0]);
  expect(pricing("ollama/x", { by: "", usage: undefined, at })).toBe(0);
  const near = pricingFor(settings, { OLLAMA_HOST: "http://192.168.1.7:11434" });
  expect(costOf(near, "ollama/x")).toBe(0);
});

test("a local program's hosted models and a remote server of its kind have no known price", () => {
  expect(costOf(pricingFor(settings, {}), "ollama/gpt-oss:120b-cloud")).toBeUndefined();
  const far = pricingFor(settings, { OLLAMA_HOST: "https://models.example.com" });
  expect(costOf(far, "ollama/x")).toBeUndefined();
});

test("a user's own server is free in the local network, and elsewhere has no known price until one is set", () => {
  const providers = {
    box: { baseUrl: "http://box:8000/v1" },
    work: { baseUrl: "https://models.example.com/v1" },
  };
  const pricing = pricingFor({ ...settings, providers }, {});
  expect([costOf(pricing, "box/x"), costOf(pricing, "work/x")]).toEqual([0, undefined]);
  const prices = { "work/*": { input: 3, output: 4 }, "box/x": { input: 1, output: 1 } };
  const priced = pricingFor({ ...settings, providers, prices }, {});
  expect([costOf(priced, "box/x"), costOf(priced, "box/y"), costOf(priced, "work/x")]).toEqual([1, 0, 3]);
});

test("a model named by its URL is free if that URL is local", () => {
  const named = (model: string) => costOf(pricingFor({ ...settings, model }, {}), "openai-compatible/x");
  expect([named("http://127.0.0.1:9000/v1#x"), named("https://models.example.com/v1#x")]).toEqual([
    0,
    undefined,
  ]);
});

test("a hosted model costs what the price table says, and has no cost without a token count", () => {
  const [row] = priceTable;
  const pricing = pricingFor(settings, {});
  expect(costOf(pricing, row?.model ?? "")).toBe(row?.input);
  expect(pricing(row?.model ?? "", { by: "", usage: undefined, at })).toBeUndefined();
});
