import { expect, test } from "vitest";
import { dialectOf } from "./choose.ts";
import type { Dialect, Family } from "./dialect.ts";
import { hermes } from "./hermes.ts";

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
