/** Runs one contained command, says when it has started, and is killed meanwhile: a Toolwright for tests of kills. */

import { readFileSync, writeSync } from "node:fs";
import { runProcess } from "../../src/base/process.ts";
import { openPty } from "../../src/base/terminal/pty.ts";
import { type ContainRequest, findSandbox } from "../../src/safety/sandbox/sandbox.ts";

const request: ContainRequest = JSON.parse(readFileSync(0, "utf8"));
const sandbox = await findSandbox();
if (sandbox.kind === "none") throw new Error(sandbox.because);
writeSync(1, "found\n");
const contained = await sandbox.contain(request);
if (!contained.ok) throw new Error(contained.problem);
const onStart = (pid: number): void => {
  contained.value.onStart(pid);
  writeSync(1, "started\n");
};
if (request.terminal) {
  const { command, env } = contained.value;
  const ended = Promise.withResolvers<void>();
  const size = { columns: 80, rows: 24 };
  const onEnd = (): void => ended.resolve();
  const pty = await openPty({ command, env, cwd: "/", ...size, onOutput: () => {}, onEnd });
  if (!pty.ok) throw new Error(pty.problem);
  onStart(pty.value.pid);
  await ended.promise;
} else {
  const { exit, output } = await runProcess({ ...contained.value, onStart, cwd: "/" });
  throw new Error(`it ended with code ${exit ?? "none"}: ${Buffer.from(output.bytes).toString()}`);
}
