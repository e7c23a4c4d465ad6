/**
 * A session that is killed at its n-th operation on workspace files: `node undo-child.ts <database> <root> <what> <n>`.
 */

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import type { ScriptedAnswer } from "../../src/providers/scripted-model.ts";
import { workspaceAt } from "./workspace-at.ts";

const [database = "", root = "", what = "", killAt = "0"] = process.argv.slice(2);
let isArmed = false;
let steps = 0;

/** Counts only operations on workspace files, which pass a descriptor or a path below /proc/self/fd. */
function step(first: unknown): void {
  const isOurs = typeof first === "number" || String(first).startsWith("/proc/self/fd/");
  if (!isArmed || !isOurs) return;
  steps += 1;
  if (steps === Number(killAt)) process.kill(process.pid, "SIGKILL");
}

const { renameSync, unlinkSync, linkSync, mkdirSync, rmdirSync, chmodSync, symlinkSync, writeFileSync } = fs;
const counted =
  <Rest extends unknown[], Result>(work: (...all: Rest) => Result) =>
  (...all: Rest): Result => {
    step(all[0]);
    return work(...all);
  };
Object.assign(fs, {
  renameSync: counted(renameSync),
  unlinkSync: counted(unlinkSync),
  linkSync: counted(linkSync),
  mkdirSync: counted(mkdirSync),
  rmdirSync: counted(rmdirSync),
  chmodSync: counted(chmodSync),
  symlinkSync: counted(symlinkSync),
  writeFileSync: counted(writeFileSync),
});
syncBuiltinESMExports();

const { scriptedModel } = await import("../../src/providers/scripted-model.ts");
const { findSandbox } = await import("../../src/safety/sandbox/sandbox.ts");
const { storeAt } = await import("../../src/session/testing/store-at.ts");
const { testSession } = await import("../../src/testing/session.ts");

const command = [
  "sed -i s/line/changed/ f/*; rm -rf g; mkdir -p h/i; echo 1 >h/i/1; mv f/3 moved; chmod 700 e; ln -s x lnk",
  "rm lk; echo was >lk; mkdir d; mv a d/a; mkdir a; echo q >a/q; chmod u+w ro; echo n >ro/n; chmod u-w ro",
].join("; ");
const script: ScriptedAnswer[] = [[{ call: "run_command", with: { command } }], [{ say: "Done." }]];
const workspace = workspaceAt(root);
const store = await storeAt(database);
const { session, ask } = await testSession(scriptedModel(script), {
  store,
  workspace,
  mode: "auto",
  sandbox: findSandbox,
});
isArmed = what === "command";
await ask("go");
if (what === "redo") await session.command({ type: "undo" });
isArmed = true;
if (what === "undo" || what === "redo") await session.command({ type: what });
process.stdout.write(`${steps}\n`);
await session.close();
await store.close();
