/**
 * Runs a command with much output and reopens one session many times; prints this process's resources before and after.
 */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedAnswer, scriptedModel } from "../../src/providers/scripted-model.ts";
import { findSandbox } from "../../src/safety/sandbox/sandbox.ts";
import { openSqliteStore } from "../../src/session/sqlite/sqlite.ts";
import { testSession } from "../../src/testing/session.ts";
import { workspaceAt } from "./workspace-at.ts";

type Held = { descriptors: string[]; children: string[]; files: string[]; bytes: number };
export type Leaks = { before: Held; afterOutput: Held; after: Held; signalled: number; result: string };

const [database = "", root = "", megabytes = "0", sessions = "0"] = process.argv.slice(2);
const workspace = workspaceAt(root);

const sandbox = findSandbox();

for (const kind of [0, 1, 2, 3]) await visit(stepsOf(kind)); // warm-up: loads and opens everything once
const before = await held();
const lines = `yes ${"x".repeat(99)} | head -c ${megabytes}000000`;
const { signalled, result } = await visit([{ call: "run_command", with: { command: lines } }]);
const afterOutput = await held();
for (let visits = 0; visits < Number(sessions); visits += 1) await visit(stepsOf(visits));
const leaks: Leaks = { before, afterOutput, after: await held(), signalled, result };
process.stdout.write(JSON.stringify(leaks));

/** Mostly small calls; now and then one that leaves programs running. */
function stepsOf(visits: number): ScriptedAnswer {
  const read = { call: "read_file", with: { path: "a.txt" } };
  if (visits % 20 === 0)
    return [
      read,
      { call: "terminal", with: { action: "start", command: "echo ready; cat", pattern: "^ready" } },
    ];
  if (visits % 20 === 1) return [{ call: "run_command", with: { command: "sleep 600 & echo left" } }];
  if (visits % 20 === 2) return [{ call: "write_file", with: { path: "b.txt", content: `${visits}\n` } }];
  return [read];
}

/** Opens or resumes the session, lets the model make these calls, and closes it. */
async function visit(steps: ScriptedAnswer): Promise<{ signalled: number; result: string }> {
  const store = openSqliteStore(database);
  const [known] = await store.list();
  const opened = await testSession(scriptedModel([steps, [{ say: "Done." }]]), {
    store,
    workspace,
    sandbox: () => sandbox,
    mode: "accept-edits",
    ...(known ? { resume: known.id } : {}),
  });
  const stop = new AbortController();
  let signalled = 0;
  const reading = (async () => {
    for await (const event of opened.session.follow(opened.session.state.seq, stop.signal))
      if (event.type === "output-delta") signalled += event.text.length;
  })();
  await opened.ask("Do it.");
  const result = JSON.stringify(opened.facts().findLast(({ type }) => type === "result"));
  stop.abort();
  await reading;
  await opened.close();
  await store.close();
  return { signalled, result };
}

async function held(): Promise<Held> {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { descriptors: descriptors(), children: children(), files: files(), bytes: heapUsed + arrayBuffers };
}

/** The targets of the open descriptors, with the varying numbers of pipes and sockets masked. */
function descriptors(): string[] {
  return readdirSync("/proc/self/fd")
    .flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`).replaceAll(/\d+/gu, "N")];
      } catch {
        return []; // the descriptor that reads this directory
      }
    })
    .toSorted();
}

/** But for the launcher that waits for the next command, of which there is one at most. */
function children(): string[] {
  const all = readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter(Boolean),
  );
  return [...all.filter((pid) => !isLauncher(pid)), ...all.filter(isLauncher).slice(1)];
}

function isLauncher(pid: string): boolean {
  return /^[^\0]*perl\0-f\0/u.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
}

/** Ignores lock files: a fixed number, permanent, and shared by all processes of a user. */
function files(): string[] {
  return readdirSync(tmpdir(), { recursive: true, encoding: "utf8" })
    .map((path) => join("/", path))
    .filter((path) => !/toolwright-locks-/u.test(path))
    .toSorted();
}
