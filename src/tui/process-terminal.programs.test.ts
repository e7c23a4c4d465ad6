/** Tests `Terminal` on a real process: pipes, signals, and a reader that goes away. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const module = join(import.meta.dirname, "process-terminal.ts");

/** Runs a script with `terminal` in scope; it reports on standard error. */
function start(script: string) {
  const code = `import { processTerminal } from ${JSON.stringify(module)}; const terminal = processTerminal(); ${script}`;
  return spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["pipe", "pipe", "pipe"] });
}

test("everything printed is written before the process exits", async () => {
  const child = start('terminal.print("x".repeat(3_000_000)); await terminal.flushed(); terminal.exit(7);');
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect([out.length, code]).toEqual([3_000_000, 7]);
});

test("a reader that goes away is signalled by outputGone, and nothing is thrown", async () => {
  const child = start(`
    terminal.outputGone.addEventListener("abort", () => { clearInterval(timer); terminal.report(terminal.outputGone.reason.code); });
    const timer = setInterval(() => terminal.print("x".repeat(100_000)), 1);
  `);
  child.stdout.once("data", () => child.stdout.destroy());
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect([err, code]).toEqual(["EPIPE", 0]);
});

test("a signal reaches the listener, and after the listener is removed it ends the process as usual", async () => {
  const child = start(`
    const leave = terminal.onSignal((signal) => { leave(); terminal.report(signal); });
    terminal.print("ready");
    setInterval(() => {}, 1000);
  `);
  const heard = text(child.stderr);
  await once(child.stdout, "data");
  child.stderr.once("data", () => child.kill("SIGTERM"));
  child.kill("SIGTERM");
  const [, signal] = await once(child, "exit");
  expect([await heard, signal]).toEqual(["SIGTERM", "SIGTERM"]);
});

test("pipes are distinguished from terminals", async () => {
  const child = start(
    "terminal.print(JSON.stringify([terminal.inputIsTerminal, terminal.inputIsPiped, terminal.outputIsTerminal, terminal.columns()]));",
  );
  expect(JSON.parse(await text(child.stdout))).toEqual([false, true, false, 80]);
});
