import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { findSandbox } from "../../src/safety/sandbox/sandbox.ts";
import { storeAt } from "../../src/session/testing/store-at.ts";
import { scale } from "../../src/testing/scale.ts";
import { testSession } from "../../src/testing/session.ts";
import { temporaryWorkspace } from "../../src/testing/workspace.ts";
import { wholeTree } from "../support/whole-tree.ts";

const run = promisify(execFile);
/** Kills per kind of work, each of which has some fifty steps; multiplied by TOOLWRIGHT_RUNS. */
const kills = 3 * scale;
const files = {
  "f/1": "line one\nline two\n",
  "f/2": "line one\n",
  "f/3": "line\n",
  "g/1": "1",
  "g/2": "2",
  "ro/r": "r",
  a: "a",
};

async function place() {
  const directory = await mkdtemp(join(tmpdir(), "toolwright-undo-"));
  const workspace = await temporaryWorkspace(files);
  const { root } = workspace;
  mkdirSync(join(root, "e"));
  symlinkSync("nowhere", join(root, "lk"));
  chmodSync(join(root, "ro"), 0o555);
  onTestFinished(async () => {
    chmodSync(join(root, "ro"), 0o755);
    await workspace.remove();
    await rm(directory, { recursive: true });
  });
  return { workspace, database: join(directory, "session.db"), before: wholeTree(root) };
}

/** The number of steps if the process was not killed. */
async function childOf(
  database: string,
  root: string,
  how: { what: string; killAt: number },
): Promise<number> {
  const child = join(import.meta.dirname, "../support/undo-child.ts");
  const { stdout } = await run(process.execPath, [child, database, root, how.what, `${how.killAt}`]).catch(
    (error: { signal: string }) => {
      expect(error.signal).toBe("SIGKILL");
      return { stdout: "" };
    },
  );
  return Number(stdout);
}

const doing = {
  command: "putting in place what a command changed",
  undo: "an undo",
  redo: "bringing it back again",
};

for (const [what, words] of Object.entries(doing))
  test(`A41: after a kill at any step of ${words}, undo restores the tree to the byte`, async () => {
    const whole = await place();
    const steps = await childOf(whole.database, whole.workspace.root, { what, killAt: 0 });
    expect(steps).toBeGreaterThan(30);
    for (let kill = 0; kill < kills; kill += 1) {
      const { workspace, database, before } = await place();
      const killAt = 1 + Math.floor(Math.random() * steps);
      await childOf(database, workspace.root, { what, killAt });
      const store = await storeAt(database);
      const resume = (await store.list())[0]?.id ?? "";
      const opened = await testSession(scriptedModel([]), { store, resume, workspace, sandbox: findSandbox });
      if (opened.session.state.status === "running") await opened.session.command({ type: "interrupt" });
      if (what === "redo") await opened.session.command({ type: "redo" });
      await opened.session.command({ type: "undo" });
      expect(wholeTree(workspace.root), `killed at step ${killAt}`).toEqual(before);
      await opened.close();
      await store.close();
    }
  });
