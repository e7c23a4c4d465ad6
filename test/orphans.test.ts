import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { guardName } from "../src/base/process-guard.ts";
import { identityOf, livenessOf } from "../src/base/process-identity.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { storeAt } from "../src/session/testing/store-at.ts";
import { testSession } from "../src/testing/session.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";

const child = join(import.meta.dirname, "support/orphan-child.ts");
const command = "sleep 1001 & echo $$ $! >command.part; mv command.part command; sleep 1002; true";

const runs = (pid: number): boolean => {
  const now = identityOf(pid);
  return now.started !== "" && livenessOf(now) === "alive";
};

/** Polls, because other processes make the change. */
async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** What would end the programs soon after their Toolwright was killed. */
const guardsOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1")
    .split(" ")
    .filter((child) => child !== "" && readFileSync(`/proc/${child}/cmdline`, "latin1").includes(guardName))
    .map(Number);

test("opening a session that was killed with its guard ends its orphaned commands and terminals, and reports them", async () => {
  const directory = await mkdtemp(join(tmpdir(), "toolwright-orphans-"));
  const workspace = await temporaryWorkspace({});
  const database = join(directory, "s.db");
  const killed = spawn(process.execPath, [child, database, workspace.root, command], { stdio: "inherit" });
  const innocent = spawn("sleep", ["1004"], { detached: true });
  // What a failed test leaves running would keep the whole run from ending.
  onTestFinished(() => void [killed, innocent].map((process) => process.kill("SIGKILL")));
  const numbersIn = (name: string) =>
    until(async () => (await readFile(join(workspace.root, name), "utf8")).match(/\d+(?=\s)/g)?.map(Number));
  const started = [...(await numbersIn("terminal")), ...(await numbersIn("command"))];
  expect(started).toHaveLength(3);
  const store = await storeAt(database);
  const [summary] = await store.list();
  const id = summary?.id ?? "";
  // A command runs a moment before it is noted.
  const noted = await until(async () => {
    const found = await store.processes(id);
    return found.length === 2 ? found : undefined;
  });
  expect(noted.map(({ what, reach }) => [what.slice(0, 10), reach])).toEqual([
    ["echo $$ >t", "all"],
    ["sleep 1001", "group"],
  ]);
  for (const guard of guardsOf(killed.pid ?? 0)) process.kill(guard, "SIGKILL");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(started.slice(1).every(runs)).toBe(true);

  const { session, close, facts } = await testSession(scriptedModel([]), { store, workspace, resume: id });
  expect(started.filter(runs)).toEqual([]);
  expect(runs(innocent.pid ?? 0)).toBe(true);
  expect(await store.processes(id)).toEqual([]);
  const warnings = facts().flatMap((fact) => (fact.type === "warning" ? [fact] : []));
  expect(warnings.map(({ code }) => code)).toContain("orphans-ended");
  expect(JSON.stringify(warnings)).toContain(`(process ${started[1]})`);
  const results = [...session.state.calls.values()].map(({ result }) => result?.outcome);
  expect(results.at(-1)).toBe("interrupted");

  await close();
  await store.close();
  await workspace.remove();
  await rm(directory, { recursive: true });
});
