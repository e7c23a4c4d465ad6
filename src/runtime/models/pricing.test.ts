import { expect, test } from "vitest";
import { priceTable } from "../../providers/price-table.ts";
import { type Pricing, pricingFor } from "./pricing.ts";

const usage = { inputTokens: 1_000_000, outputTokens: 0 };
const at = Date.parse("2026-11-22");
const settings = { providers: {}, prices: {}, model: undefined };
const costOf = (pricing: Pricing, model: string) => pricing(model, { by: "", usage, at });

test("models that run on this machine or its own network cost nothing, whether or not their tokens were counted", () => {
  const pricing = pricingFor(settings, {});
  expect(
    ["ollama/qwen3:8b", "llamacpp/x", "lmstudio/x", "offline/orders"].map((name) => costOf(pricing, name)),
  ).toEqual([0, 0, 0, 0]);
  expect(pricing("ollama/x", { by: "", usage: undefined, at })).toBe(0);
  const near = pricingFor(settings, { OLLAMA_HOST: "http://192.168.1.7:11434" });
  expect(costOf(near, "ollama/x")).toBe(0);
});

test("what a local program passes on to somebody else is not free: a hosted model of its, or a server elsewhere", () => {
  expect(costOf(pricingFor(settings, {}), "ollama/gpt-oss:120b-cloud")).toBeUndefined();
  const far = pricingFor(settings, { OLLAMA_HOST: "https://models.example.com" });
  expect(costOf(far, "ollama/x")).toBeUndefined();
});

test("a server of the user's own is free in the own network, and elsewhere unknown until it has a price", () => {
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

test("a model that is named by its URL is free where that is near", () => {
  const named = (model: string) => costOf(pricingFor({ ...settings, model }, {}), "openai-compatible/x");
  expect([named("http://127.0.0.1:9000/v1#x"), named("https://models.example.com/v1#x")]).toEqual([
    0,
    undefined,
  ]);
});

test("a hosted model costs what the table says, and nothing is made up where its tokens were not counted", () => {
  const [row] = priceTable;
  const pricing = pricingFor(settings, {});
  expect(costOf(pricing, row?.model ?? "")).toBe(row?.input);
  expect(pricing(row?.model ?? "", { by: "", usage: undefined, at })).toBeUndefined();
});
