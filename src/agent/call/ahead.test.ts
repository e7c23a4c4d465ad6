import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { findSandbox } from "../../safety/sandbox/sandbox.ts";
import { sessionForTest } from "../../testing/scripted-session.ts";
import type { TestSessionOptions } from "../../testing/session.ts";

async function run(commands: readonly string[], options: TestSessionOptions = {}) {
  const calls = commands.map((command) => ({ call: "run_command", with: { command } }));
  const script: ScriptedAnswer[] = [calls, [{ say: "Done." }]];
  const opened = await sessionForTest(scriptedModel(script), { sandbox: findSandbox, ...options });
  const began = performance.now();
  await opened.ask("go", "deny");
  const facts = opened.facts();
  return {
    ...opened,
    ms: performance.now() - began,
    ahead: facts.flatMap((fact) => (fact.type === "call-start" ? [fact.ahead] : [])),
    read: (path: string) => readFileSync(join(opened.workspace.root, path), "utf8"),
  };
}

test("six commands", async () => {
  const { ms, ahead, facts, read } = await run(Array.from({ length: 6 }, (_, at) => `sleep 1; echo ${at} > out-${at}`));
  console.log(ms, ahead, facts().map((f) => f.type + " " + f.at + JSON.stringify("content" in f ? f.content : "")).join("\n"));
  expect(read("out-5")).toBe("5\n");
});
