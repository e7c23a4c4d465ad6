/** A process with a launcher that waits for a command: prints the number of that one, and goes on until it is ended. */

import { readFileSync } from "node:fs";
import { findSandbox } from "../../src/safety/sandbox/sandbox.ts";

const [workspace = "", stateDir = ""] = process.argv.slice(2);
const sandbox = await findSandbox();
if (sandbox.kind === "none") throw new Error(sandbox.because);
const command = ["/bin/true"];
const request = {
  profile: "read",
  command,
  directory: workspace,
  workspace,
  stateDir,
  home: stateDir,
} as const;
const contained = await sandbox.contain({ ...request, env: {}, rehearsed: true });
if (!contained.ok) throw new Error(contained.problem);
await contained.value.finished();
sandbox.startNext?.();
process.stdout.write(`${readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim()}\n`);
setInterval(() => undefined, 1_000);
