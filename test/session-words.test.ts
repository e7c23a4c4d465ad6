/** `toolwright init`, `resume` and `fork` as whole processes. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { newHome, runCommand } from "./support/command.ts";

async function place(script: readonly ScriptedAnswer[], files: Record<string, string> = {}) {
  const home = await newHome(files);
  const model = scriptedModel(script, { name: "tiny" });
  const served = await serveModel(model);
  onTestFinished(() => served.close());
  const env = { OLLAMA_HOST: served.url };
  const run = (args: string[], input?: string) =>
    runCommand(home, args, { env, ...(input === undefined ? {} : { input }) });
  return { run, home, model };
}

test("init without a terminal is one request, denied unless its mode allows it", async () => {
  const write = { call: "write_file", with: { path: "AGENTS.md", content: "# Shop\n" } } as const;
  const { run, model } = await place([[write], [{ say: "No." }], [write], [{ say: "Written." }]]);
  expect((await run(["init"])).code).toBe(3);
  const allowed = await run(["init", "--mode", "accept-edits"]);
  expect([allowed.code, allowed.stdout]).toEqual([0, "Written.\n"]);
  expect(JSON.stringify(model.prompts[0]?.messages)).toContain("Write AGENTS.md in the workspace's root");
  expect((await run(["diff"])).stdout).toContain("+# Shop");
});

test("resume and fork take the newest session here, or the one that is named", async () => {
  const { run } = await place([[{ say: "One." }], [{ say: "Two." }], [{ say: "Three." }]]);
  expect((await run(["fork"])).stderr).toContain("There is no session of this workspace yet");
  await run(["-p", "first"]);
  const again = await run(["resume"], "and then");
  expect([again.code, again.stdout]).toEqual([0, "Two.\n"]);
  const forked = await run(["fork", "--at", "2", "--output", "json"]);
  const { session, before }: { session: string; before: number } = JSON.parse(forked.stdout);
  expect(before).toBe(2);
  const there = await run(["resume", session], "go on");
  expect([there.code, there.stdout]).toEqual([0, "Three.\n"]);
  expect(await run(["resume", "a", "b"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("toolwright resume takes one session"),
  });
});
