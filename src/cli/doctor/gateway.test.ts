/** Tests what doctor reports about the gateway, and what it must not reveal. */

import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isObject } from "../../base/json.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import { claimRunning } from "../../gateway/running-file.ts";
import { gatewayFindings, pageFinding } from "./gateway.ts";

async function stateDirectory(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-doctor-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const gatewayIn = async (folder: string) =>
  (await gatewayFindings({ stateDir: folder, host: "127.0.0.1", port: 0 }))[0];

test("a running gateway is reported with its address and process, and without its token", async () => {
  const folder = await stateDirectory();
  await writeFile(join(folder, "gateway-token"), "cafe".repeat(16));
  expect(await gatewayIn(folder)).toMatchObject({ state: "ok", words: expect.stringContaining("none runs") });
  await claimRunning(folder, "http://127.0.0.1:4747");
  const found = await gatewayFindings({ stateDir: folder, host: "127.0.0.1", port: 0 });
  expect(found[0]).toMatchObject({ check: "gateway", state: "ok" });
  expect(found[0]?.words).toContain(`runs at http://127.0.0.1:4747, process ${process.pid}:`);
  expect(JSON.stringify(found)).not.toContain("cafe");
});

test("a port taken by another program is a warning with a fix, and a free port is not", async () => {
  const stateDir = await stateDirectory();
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address: unknown = other.address();
  const port = isObject(address) ? Number(address["port"]) : 0;
  const told = async () => (await gatewayFindings({ stateDir, host: "127.0.0.1", port }))[0];
  expect(await told()).toMatchObject({
    state: "warn",
    words: expect.stringContaining(`port ${port} of 127.0.0.1 is taken by another program`),
    fix: expect.stringContaining("--port 0"),
  });
  const closed = once(other, "close");
  other.close();
  await closed;
  expect(await told()).toMatchObject({ state: "ok" });
});

test("a killed gateway, an invalid running file or a missing directory counts as no gateway", async () => {
  const folder = await stateDirectory();
  const dead = { url: "http://127.0.0.1:4747", pid: 1, process: { ...ownIdentity(), started: "1" } };
  for (const left of [JSON.stringify(dead), "", "{", "[]", "x".repeat(100_000)]) {
    await writeFile(join(folder, "gateway.json"), left);
    expect((await gatewayIn(folder))?.words).toContain("none runs");
  }
  expect((await gatewayIn(join(folder, "nowhere")))?.words).toContain("none runs");
});

test("a page that is not built is a warning with the command to build it", () => {
  expect(pageFinding("/somewhere/page")).toEqual({ check: "page", state: "ok", words: "built" });
  expect(pageFinding(undefined)).toMatchObject({
    state: "warn",
    words: expect.stringContaining("npm run build"),
  });
});
