/** Tests the checklist of what can go wrong with calls. */

import { expect, test } from "vitest";
import { yipsAgent } from "../dialects/yips.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { taughtModel } from "../providers/taught-model.ts";
import { sessionForTest } from "../testing/scripted-session.ts";
import { rules } from "../testing/turns.ts";
import { diagnose, failureModes } from "./diagnosis.ts";

const envelope = (...actions: readonly object[]): string =>
  `\`\`\`yips-agent\n${JSON.stringify({ actions })}\n\`\`\``;
const list = { type: "tool", id: "1", name: "list_dir", arguments: { path: "." } };

async function found(said: string): Promise<string[]> {
  const answers: ScriptedAnswer[] = [[{ say: said }], [{ say: "Done." }]];
  const model = taughtModel(scriptedModel(answers), yipsAgent);
  const deny = rules({ tool: "write_file", decision: "deny" });
  const { ask, facts } = await sessionForTest(model, { rules: deny });
  await ask("Go");
  return (await diagnose(facts())).flatMap(({ code, count }) => (count > 0 ? [code] : []));
}

test.each([
  ["no_envelope", JSON.stringify({ actions: [list] })],
  ["malformed_envelope", "```yips-agent\n{ not json\n```"],
  ["multiple_envelopes", `${envelope(list)}\n${envelope(list)}`],
  ["unknown_tool", envelope({ ...list, name: "no_such_tool" })],
  ["duplicate_id", envelope(list, list)],
  ["denied", envelope({ ...list, name: "write_file", arguments: { path: "a", content: "" } })],
  ["invalid_arguments", envelope({ ...list, name: "read_file", arguments: { path: 12, from: "x" } })],
])("B14: %s has a code of its own, counted from the facts", async (code, said) => {
  expect(await found(said)).toEqual([code]);
});

test("B14: each failure mode has one code, a symptom and advice", () => {
  const codes = failureModes.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const { symptom, advice } of failureModes) expect([symptom, advice]).not.toContain("");
});

test("a session in which nothing went wrong has nothing to show", async () => {
  expect((await diagnose([])).every(({ count }) => count === 0)).toBe(true);
});
