/** Tests the published schemas against what is really printed, with a validator that is not ours. */

import { type Schema, Validator } from "@cfworker/json-schema";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { headlessSchema } from "./json-schemas.ts";
import { testHome, type TestHome } from "./testing/run.ts";

let home: TestHome;
beforeEach(async () => {
  home = await testHome();
});
afterEach(() => home.remove());

const validatorOf = (name: string): Validator => {
  const schema: Schema = JSON.parse(JSON.stringify({ ...headlessSchema(), $ref: `#/$defs/${name}` }));
  return new Validator(schema, "2020-12");
};

const script: ScriptedAnswer[] = [
  [
    { think: "hm" },
    { say: "I look." },
    { call: "list_files", with: { path: "." } },
    { call: "write_file", with: { path: "a.txt", content: "x" } },
    { call: "run_command", with: { command: "rm -rf /" } },
  ],
  [{ usage: { inputTokens: 10, outputTokens: 2 } }, { say: "Done." }],
];
const model = () => scriptedModel(script, { pieces: 3 });

test("each line and each object fits its schema, also when nothing could be done", async () => {
  const line = validatorOf("outputLine");
  const result = validatorOf("runResult");
  const lines = ["--output", "stream-json", "--partial"];
  for (const mode of ["accept-edits", "staged", "ask"]) {
    const { out } = await home.run(["-p", "x", "--mode", mode, ...lines], model());
    const printed = out
      .trimEnd()
      .split("\n")
      .map((text): JsonObject => JSON.parse(text));
    for (const one of printed) expect([one, line.validate(one).errors]).toEqual([one, []]);
    expect(printed.map(({ type }) => type)).toContain("text-delta");
    const { out: json } = await home.run(["-p", "x", "--mode", mode, "--output", "json"], model());
    expect(result.validate(JSON.parse(json)).errors).toEqual([]);
  }
  const failed = await home.run(["-p", "x", "-o", "../none/x", "--output", "json"], model());
  expect([failed.code, result.validate(JSON.parse(failed.out)).errors]).toEqual([2, []]);
});

test("what is not printed like that does not fit", async () => {
  const { out } = await home.run(["-p", "x", "--output", "stream-json"], model());
  const line = validatorOf("outputLine");
  for (const text of out.trimEnd().split("\n")) {
    const one: JsonObject = JSON.parse(text);
    for (const missing of ["type", "v" in one ? "seq" : "version"]) {
      const { [missing]: _, ...broken } = one;
      expect([broken, line.validate(broken).valid]).toEqual([broken, false]);
    }
    expect(line.validate({ ...one, more: "in a later version" }).valid).toBe(true);
  }
});

test("lines of the input fit, and a field that does not belong there does not", () => {
  const line = validatorOf("inputLine");
  const good: JsonObject[] = [
    { type: "send", content: "x", version: 1 },
    { type: "send", content: [{ type: "text", text: "x" }], when: "next", id: "1" },
    { type: "answer-approval", callId: "c", answer: "allow" },
    { type: "answer-question", callId: "c", answer: "given", chosen: [0] },
    { type: "answer-limit", answer: "stop" },
    { type: "interrupt" },
  ];
  for (const one of good) {
    expect([one, line.validate(one).valid]).toEqual([one, true]);
    expect(line.validate({ ...one, more: 1 }).valid).toBe(false);
    expect(line.validate({ ...one, version: 2 }).valid).toBe(false);
  }
});
