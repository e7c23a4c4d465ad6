import { expect, test } from "vitest";
import { ownIdentity } from "../base/process-identity.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import type { Contain } from "../tools/tool.ts";
import { noteProcesses } from "./noted-processes.ts";

const session = "s";
const finished = async () => ({ warnings: [], changes: [] });
const request = { command: ["bash", "-c", "npm run dev"], directory: "/w", env: {} };

/** `ends`: how the program ends. */
async function start(more: { lasting?: true } = {}, ends: () => ReturnType<typeof finished> = finished) {
  const store = openMemoryStore();
  await store.create({ id: session, workspace: "/w", createdAt: 1000 });
  const contain: Contain = async ({ command, env }) => ({
    ok: true,
    value: { command, env, finished: ends },
  });
  const contained = await noteProcesses(contain, { store, session })({ ...request, ...more });
  if (!contained.ok) throw new Error(contained.problem);
  contained.value.onStart?.(process.pid, "RUN=1");
  return { store, value: contained.value };
}

test("a program is noted from its start to its end, with its starter and what ends with it", async () => {
  const { store, value } = await start();
  expect(await store.processes(session)).toEqual([
    { process: ownIdentity(), by: ownIdentity(), marker: "RUN=1", reach: "group", what: "npm run dev" },
  ]);
  await value.finished();
  expect(await store.processes(session)).toEqual([]);
  const lasting = await start({ lasting: true });
  expect(await lasting.store.processes(session)).toMatchObject([{ reach: "all" }]);
});

test("a program that ended badly is forgotten, and one that never started is not noted", async () => {
  const { store, value } = await start({}, () => Promise.reject(new Error("The layer is gone.")));
  await expect(value.finished()).rejects.toThrow("The layer is gone.");
  expect(await store.processes(session)).toEqual([]);
  const refuse: Contain = async () => ({ ok: false, problem: "There is no sandbox." });
  expect(await noteProcesses(refuse, { store, session })(request)).toEqual({
    ok: false,
    problem: "There is no sandbox.",
  });
  expect(await store.processes(session)).toEqual([]);
});

test("a program runs even if the store cannot note it", async () => {
  const { store, value } = await start();
  store.noteProcess = () => Promise.reject(new Error("The disk is full."));
  store.forgetProcess = () => Promise.reject(new Error("The disk is full."));
  value.onStart?.(process.pid, "RUN=2");
  expect(await value.finished()).toEqual({ warnings: [], changes: [] });
});
