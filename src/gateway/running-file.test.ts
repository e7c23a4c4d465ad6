/** The running gateway can be found, and a dead one is ignored. */

import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ownIdentity } from "../base/process-identity.ts";
import { claimRunning, releaseRunning, runningGateway } from "./running-file.ts";

async function stage() {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-running-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "gateway.json");
  const put = (value: unknown) => writeFile(path, typeof value === "string" ? value : JSON.stringify(value));
  return { folder, path, put };
}

const url = "http://127.0.0.1:4747";

test("the running gateway is found through a file readable by its owner only, until released", async () => {
  const { folder, path } = await stage();
  expect(await runningGateway(folder)).toBeUndefined();
  expect(await claimRunning(folder, url)).toBeUndefined();
  expect(await runningGateway(folder)).toMatchObject({ url, pid: process.pid });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await releaseRunning(folder);
  expect(await runningGateway(folder)).toBeUndefined();
});

test("the file of a killed gateway or an unreadable file is replaced", async () => {
  const { folder, path, put } = await stage();
  const dead = { ...ownIdentity(), started: "1" };
  for (const left of [{ url, pid: 1, process: dead }, "", "{", "[]", { url: 5 }, "x".repeat(100_000)]) {
    await put(left);
    expect(await runningGateway(folder)).toBeUndefined();
    expect(await claimRunning(folder, url)).toBeUndefined();
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ pid: process.pid });
  }
});

test("the entry of a live gateway is returned and not removed by another", async () => {
  const { folder, put } = await stage();
  const parent = {
    pid: process.ppid,
    started: "",
    boot: ownIdentity().boot,
    space: ownIdentity().space,
    host: "",
  };
  await put({ url: "http://127.0.0.1:1", pid: process.ppid, process: parent });
  expect(await claimRunning(folder, url)).toMatchObject({ url: "http://127.0.0.1:1" });
  await releaseRunning(folder);
  expect(await runningGateway(folder)).toMatchObject({ url: "http://127.0.0.1:1" });
});
