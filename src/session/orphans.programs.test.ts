import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { identityOf, livenessOf, ownIdentity, type StartedProcess } from "../base/process-identity.ts";
import { endOrphans } from "./orphans.ts";
import { openMemoryStore } from "./sqlite/memory-store.ts";
import type { Store } from "./store.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) if (child.pid) spawnSync("kill", ["-KILL", "--", `-${child.pid}`]);
});

/** A program in its own process group that prints its number and those of its background processes. */
async function program(
  script: string,
  marker: string,
): Promise<{ pid: number; numbers: number[]; child: ChildProcess }> {
  const [name = "", value] = marker.split("=");
  const child = spawn("bash", ["-c", script], {
    detached: true,
    env: { ...process.env, [name]: value },
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  const [line] = await once(child.stdout, "data");
  const numbers = String(line).trim().split(" ").map(Number);
  return { pid: child.pid ?? 0, numbers, child };
}

const dead = { ...ownIdentity(), started: "1" };

const noted = (pid: number, marker: string, changes: Partial<StartedProcess> = {}): StartedProcess => ({
  process: identityOf(pid),
  by: dead,
  marker,
  reach: "group",
  what: "npm run dev",
  ...changes,
});

async function storeWith(...processes: StartedProcess[]): Promise<Store> {
  const store = openMemoryStore();
  await store.create({ id: "s", workspace: "/w", createdAt: 1 });
  for (const one of processes) await store.noteProcess("s", one);
  return store;
}

const runs = (pid: number): boolean =>
  livenessOf(identityOf(pid)) === "alive" && identityOf(pid).started !== "";

test("programs left running by a dead run are ended with their descendants and named in a warning", async () => {
  const { pid, numbers } = await program("setsid sleep 1000 & sleep 1001 & echo $$ $! ; wait", "RUN=1");
  const store = await storeWith(noted(pid, "RUN=1"));
  expect(numbers.every(runs)).toBe(true);
  expect(await endOrphans(store, "s")).toEqual([
    {
      type: "warning",
      code: "orphans-ended",
      text: `The program stopped while this was still running, and it had gone on: "npm run dev" (process ${pid}). Now it was ended.`,
    },
  ]);
  expect(numbers.some(runs)).toBe(false);
  expect(await store.processes("s")).toEqual([]);
  expect(await endOrphans(store, "s")).toEqual([]);
});

test("a process that reuses the pid of an ended one is never touched", async () => {
  const { pid } = await program("echo $$; sleep 1000; true", "RUN=other");
  const others = [
    noted(pid, "RUN=1", { process: { ...identityOf(pid), started: "17" } }),
    noted(pid, "RUN=2", { process: { ...identityOf(pid), started: "17" }, reach: "all" }),
    noted(pid, "RUN=other", { process: { ...identityOf(pid), boot: "an earlier start" } }),
    noted(pid, "RUN=3", { process: { ...identityOf(pid), started: "" } }),
  ];
  const store = await storeWith(...others);
  expect(await endOrphans(store, "s")).toEqual([]);
  expect(runs(pid)).toBe(true);
  expect(await store.processes("s")).toEqual([]);
});

test("programs started by a living process or on another system are left alone", async () => {
  const { pid } = await program("echo $$; sleep 1000; true", "RUN=1");
  const elsewhere = { ...ownIdentity(), boot: "another", host: "far-away" };
  const mine = [
    noted(pid, "RUN=1", { by: ownIdentity() }),
    noted(pid, "RUN=2", { by: elsewhere, process: { ...elsewhere, pid } }),
  ];
  const store = await storeWith(...mine);
  expect(await endOrphans(store, "s")).toEqual([]);
  expect(runs(pid)).toBe(true);
  expect(await store.processes("s")).toEqual(mine);
});

test("of an ended command only the process group is killed; of an ended terminal detached processes are killed too", async () => {
  const leave = 'setsid sleep 1001 & while [ "$(cut -d " " -f 5 /proc/$!/stat)" = $$ ]; do :; done';
  const script = `sleep 1000 & inside=$!; ${leave}; echo $inside $!; exec >&-`;
  for (const reach of ["group", "all"] as const) {
    const { pid, numbers, child } = await program(script, `RUN=${reach}`);
    const one = noted(pid, `RUN=${reach}`, { reach });
    if (child.exitCode === null) await once(child, "exit");
    const [inside = 0, outside = 0] = numbers;
    const store = await storeWith({ ...one, process: { ...one.process, started: "1" } });
    expect([runs(inside), runs(outside)]).toEqual([true, true]);
    expect(await endOrphans(store, "s")).toHaveLength(1);
    expect([runs(inside), runs(outside)]).toEqual([false, reach === "group"]);
    spawnSync("kill", ["-KILL", `${outside}`]);
  }
});
