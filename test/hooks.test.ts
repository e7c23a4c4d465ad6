/** Hooks with the real sandbox, real process trees and the built command (C7, B15). */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { HookSettings } from "../src/addons/hooks/settings.ts";
import type { Entry } from "../src/protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { hookedSession, type HookedOptions } from "../src/testing/hooked-session.ts";
import { newHome, put, runCommand } from "./support/command.ts";

async function start(
  hooks: readonly HookSettings[],
  script: readonly ScriptedAnswer[],
  options: HookedOptions = {},
) {
  const opened = await hookedSession(scriptedModel(script), hooks, { sandbox: findSandbox, ...options });
  onTestFinished(() => opened.close().catch(() => undefined));
  return opened;
}

const run = (command: string): ScriptedAnswer => [{ call: "run_command", with: { command } }];
const done: ScriptedAnswer = [{ say: "Done." }];
const results = (facts: readonly Entry[]): string[] =>
  facts.flatMap((fact) =>
    fact.type === "result"
      ? [`${fact.outcome}: ${fact.content.map((part) => (part.type === "text" ? part.text : "")).join("\n")}`]
      : [],
  );

test("C7: when a before-change hook refuses a sandboxed command, none of its changes is made, and the model learns why", async () => {
  const hook: HookSettings = {
    on: "before-change",
    name: "frozen",
    command: "cat > told.json; echo 'these files are frozen' >&2; exit 2",
  };
  const { ask, facts, workspace } = await start([hook], [run("echo new > a.txt; echo b > b.txt"), done], {
    files: { "a.txt": "old\n" },
  });
  await ask("Go");
  expect(await workspace.read("a.txt")).toBe("old\n");
  expect(await workspace.files()).toEqual(["a.txt", "told.json"]);
  expect(results(facts())).toEqual([
    "denied: Refused by the hook frozen: these files are frozen. The command has run, but none of its changes of files was made; do not try the same again.",
  ]);
  const told = JSON.parse(await workspace.read("told.json"));
  expect(told.files.map(({ path, change }: { path: string; change: string }) => `${path} ${change}`)).toEqual(
    ["a.txt changed", "b.txt created"],
  );
});

test("B15: undo of a command also reverts what an after-change hook formatted", async () => {
  const hook: HookSettings = {
    on: "after-change",
    name: "format",
    command: `tr a-z A-Z < "$TOOLWRIGHT_HOOK_PATH" > t && cat t > "$TOOLWRIGHT_HOOK_PATH"; rm t`,
  };
  const { ask, facts, session, workspace } = await start([hook], [run("echo new > a.txt"), done], {
    files: { "a.txt": "old\n" },
  });
  await ask("Go");
  expect(await workspace.read("a.txt")).toBe("NEW\n");
  expect(results(facts())[0]).toContain(
    "[A hook has changed a.txt after that: read it again before you edit it.]",
  );
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await workspace.read("a.txt")).toBe("old\n");
});

/** Zombies do not count. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) [ZX] /u.test(stat);
}

/** The process id that a hook has written, as soon as it is there. */
async function pidIn(path: string): Promise<number> {
  for (;;) {
    const text = await readFile(path, "utf8").catch(() => "");
    if (/^\d+\n$/u.test(text)) return Number(text);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("C7: a hook that times out is killed with its whole process tree, detached processes included", async () => {
  const hook: HookSettings = {
    on: "before-call",
    name: "tree",
    command: "(setsid sleep 300 & echo $! > pid); sleep 300",
    timeout: 0.5,
  };
  const { ask, workspace } = await start([hook], [[{ call: "list_files", with: { path: "." } }], done]);
  await ask("Go");
  expect(await isAlive(await pidIn(join(workspace.root, "pid")))).toBe(false);
});

test("C7: closing a session ends its hooks, and waits no longer than their timeout", async () => {
  const hooks: HookSettings[] = [
    { on: "approval-asked", name: "bell", command: "echo $$ > pid; sleep 300", timeout: 100 },
    { on: "session-end", name: "slow", command: "echo $$ > end; sleep 300", timeout: 0.5 },
  ];
  const { ask, session, workspace } = await start(hooks, [run("curl https://example.org"), done]);
  await ask("Go", "deny");
  const pid = await pidIn(join(workspace.root, "pid"));
  expect(await isAlive(pid)).toBe(true);
  await session.close();
  const end = await pidIn(join(workspace.root, "end"));
  expect([await isAlive(pid), await isAlive(end)]).toEqual([false, false]);
}, 90_000); // the first hook has 100 s

test("B15: the built command runs the user's hooks, shows a refusal's reason, and exits although a session-end hook hangs", async () => {
  const home = await newHome({ "a.txt": "one\n" });
  await put(home.root, {
    "config/toolwright/config.jsonc": JSON.stringify({
      hooks: [
        { on: "session-start", name: "hello", command: 'echo "key:$OLLAMA_API_KEY" > started' },
        { on: "before-change", name: "frozen", command: "echo 'hands off' >&2; exit 2" },
        { on: "session-end", name: "hang", command: "sleep 300", timeout: 0.5 },
      ],
    }),
  });
  const ended = await runCommand(
    home,
    ["-p", "replace one with two in a.txt", "--offline-model", "--mode", "accept-edits"],
    { env: { OLLAMA_API_KEY: "secret" } },
  );
  expect(ended.code).toBe(3);
  expect(`${ended.stdout}${ended.stderr}`).toContain("hands off");
  expect(await readFile(join(home.workspace, "a.txt"), "utf8")).toBe("one\n");
  expect(await readFile(join(home.workspace, "started"), "utf8")).toBe("key:\n");
});
