/** The extension for VS Code begins a core: the built command as a child, or one that runs already. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { beginCore, type CoreChoice } from "../editors/vscode/src/node/begin-core.ts";
import type { CoreEndpoint } from "../editors/vscode/src/node/core-process.ts";
import { connect } from "../src/client.ts";

const root = join(import.meta.dirname, "..");

async function place(): Promise<CoreChoice & { logged: string[] }> {
  const home = await mkdtemp(join(tmpdir(), "toolwright-core-"));
  const folder = join(home, "work");
  await mkdir(folder);
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const logged: string[] = [];
  return {
    program: join(root, "dist/bin.cjs"),
    options: ["--offline-model"],
    folder,
    env: { PATH: process.env["PATH"], HOME: home },
    log: (line) => void logged.push(line),
    attach: true,
    namedNode: undefined,
    ownNode: { path: process.execPath, version: process.versions.node },
    logged,
  };
}

async function begun(choice: CoreChoice): Promise<CoreEndpoint> {
  const core = await beginCore(choice);
  if (!core.ok) throw new Error(core.problem);
  onTestFinished(() => core.value.stop());
  return core.value;
}

test("a core begins as a child for the folder, with the options given, and ends when it is told to", async () => {
  const choice = await place();
  const core = await begun(choice);
  const client = connect(core.address);
  expect(await client.health()).toMatchObject({ workspace: choice.folder });
  expect(await client.models()).toMatchObject({ usual: "offline/orders" });
  core.stop();
  expect(await core.ended).toBe("it ended with exit code 0");
});

test("a gateway that runs already is attached to, and looked after", async () => {
  const choice = await place();
  const words = [choice.program, "serve", "--port", "0", "--output", "json", "--cwd", choice.folder];
  const gateway = spawn(process.execPath, words, { env: choice.env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void gateway.kill("SIGKILL"));
  const [line] = await once(gateway.stdout, "data");
  const { url }: { url: string } = JSON.parse(String(line));
  const core = await begun(choice);
  expect(core.address.url).toBe(url);
  gateway.kill("SIGKILL");
  expect(await core.ended).toBe("the gateway it was attached to has ended");
});

test("a core that cannot start says why, in its own words", async () => {
  const choice = await place();
  const told = await beginCore({ ...choice, options: ["--mode", "wild"] });
  expect(told).toMatchObject({ ok: false, problem: expect.stringContaining("--mode") });
});

test("without a Node that is new enough, it is said which one is needed and where to name it", async () => {
  const choice = await place();
  const old = { path: "/nowhere/code", version: "20.19.0" };
  expect(await beginCore({ ...choice, namedNode: "/nowhere/node", ownNode: old })).toEqual({
    ok: false,
    problem: "/nowhere/node (toolwright.node) cannot be run.",
  });
});
