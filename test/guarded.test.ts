/** What runs without a sandbox ends with Toolwright too, although no kernel ties the two together. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { containInBubblewrap, readyState } from "../src/safety/sandbox/bubblewrap.ts";
import { lifelines } from "../src/safety/sandbox/lifeline.ts";
import { defaultLimits } from "../src/safety/sandbox/process-limits.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";
import { processesCarrying } from "./support/processes.ts";

const child = join(import.meta.dirname, "support/guarded-child.ts");
const tsc = join(import.meta.dirname, "../node_modules/.bin/tsc");

/** It stays although its input closes and it is asked to end, and leaves its process group. */
const deaf = "trap '' HUP TERM PIPE; setsid sleep 1005 & while :; do echo >alive; sleep 1006; done";

/** The processes below a directory that is theirs alone. */
const runningIn = (root: string): number[] => processesCarrying(`PLACE=${root}`);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10);
}

test.each([
  { name: "a command", kind: "command", command: deaf },
  { name: "a deaf language server", kind: "language server", command: deaf },
  {
    name: "a real language server behind a deaf script",
    kind: "language server",
    // A shell gives what it starts in the background no input of its own, and the server would end at once.
    command: `trap '' HUP TERM PIPE; exec 3<&0; '${tsc}' --lsp --stdio <&3 & echo >alive; while :; do sleep 1007; done`,
  },
])("$name without a sandbox ends with a killed Toolwright, and nobody else does", async (tried) => {
  const workspace = await temporaryWorkspace({});
  const killed = spawn(process.execPath, [child, tried.kind, workspace.root, tried.command], {
    stdio: "inherit",
    env: { ...process.env, PLACE: workspace.root },
  });
  const innocent = spawn("sleep", ["1008"], { env: { ...process.env, TOOLWRIGHT_RUN: "another" } });
  onTestFinished(() => void [killed, innocent].map((process) => process.kill("SIGKILL")));
  await until(() => existsSync(join(workspace.root, "alive")));
  await until(() => runningIn(workspace.root).length >= 4); // ours, and three of the program
  killed.kill("SIGKILL");
  await once(killed, "exit");
  await until(() => runningIn(workspace.root).length === 0);
  expect(innocent.exitCode ?? innocent.signalCode).toBe(null);
  await workspace.remove();
});

test("a contained command is guarded where no process namespace ties it to Toolwright", async () => {
  const [workspace, state] = [await temporaryWorkspace({}), await temporaryWorkspace({})];
  const request = {
    profile: "read" as const,
    command: ["true"],
    directory: workspace.root,
    workspace: workspace.root,
    stateDir: state.root,
    home: "/nonexistent",
    env: {},
  };
  const [lifeline] = lifelines();
  if (!lifeline) throw new Error("there is no lifeline");
  const without = { program: "/usr/bin/bwrap", limits: defaultLimits() };
  const guarded: unknown[] = [];
  for (const facts of [without, { ...without, lifeline }]) {
    const contained = await containInBubblewrap(request, facts, readyState(facts));
    if (!contained.ok) throw new Error(contained.problem);
    guarded.push(contained.value.guarded);
    await contained.value.finished();
  }
  expect(guarded).toEqual([true, false]);
  for (const each of [workspace, state]) await each.remove();
});
