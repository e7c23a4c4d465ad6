/** Commands in terminals of the user's own shell, inside the extension host: run by `terminals.test.ts`. */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { ShellOutcome } from "../../../editors/vscode/src/common/tools/user-shell.ts";
import { UserTerminals } from "../../../editors/vscode/src/vscode/terminal/user-terminals.ts";
import { workspaceFolder } from "../../../editors/vscode/src/vscode/tools/workspace-paths.ts";
import { test } from "../in-host.ts";

export { run } from "../in-host.ts";

const terminals = new UserTerminals();
const never = new AbortController().signal;

async function run(command: string, seconds = 60, signal = never): Promise<ShellOutcome> {
  const ran = await terminals.run({ command, seconds, signal });
  if (!ran.ok) throw new Error(ran.problem);
  return ran.value;
}

/** Resolves when the terminal has printed the text: the user sees it there. */
function printed(text: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = vscode.window.onDidStartTerminalShellExecution(async ({ execution }) => {
    for await (const piece of execution.read())
      if (piece.includes(text)) {
        listening.dispose();
        return resolve();
      }
  });
  return promise;
}

/** Resolves when new terminals have this shell: VS Code takes up its settings some time after they are written. */
function shellIs(isWanted: (path: string) => boolean): Promise<void> {
  if (isWanted(vscode.env.shell)) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = vscode.env.onDidChangeShell((path) => {
    if (!isWanted(path)) return;
    listening.dispose();
    resolve();
  });
  return promise;
}

test("a heredoc and an open quote end, with what they print and their exit code", async () => {
  deepEqual(await run("cat <<'END'\none $HOME\n  two!!\nEND"), {
    type: "ended",
    exit: 0,
    output: "one $HOME\n  two!!",
  });
  const open = await run("echo 'never closed");
  ok(open.type === "ended" && open.exit !== 0);
});

test("the same shell is used again, in the directory where it was left, also when somebody has begun to type there", async () => {
  equal(vscode.window.terminals.length, 1);
  equal((await run("pwd")).output, workspaceFolder());
  await run("cd /tmp; export KEPT=yes");
  vscode.window.terminals[0]?.sendText("half a comm", false);
  deepEqual(await run('pwd; echo "$KEPT"; false'), { type: "ended", exit: 1, output: "/tmp\nyes" });
  equal(vscode.window.terminals.length, 1);
});

test("short commands in a row lose nothing", async () => {
  for (let at = 0; at < 10; at += 1)
    deepEqual(await run(`echo ${at}`), { type: "ended", exit: 0, output: String(at) });
});

test("of huge output the beginning and the end are kept", async () => {
  const { output } = await run("seq 200000");
  match(output, /^1\n2\n3\n[^]*characters left out[^]*\n199999\n200000$/u);
  ok(output.length < 101_000);
});

test("an endless program ends by Ctrl-C when it is interrupted, and the shell goes on", async () => {
  const stop = new AbortController();
  const seen = printed("ready");
  const running = run("trap 'echo stopped; trap - INT' INT; echo ready; sleep 600", 60, stop.signal);
  await Promise.race([seen, running]);
  stop.abort();
  const { type } = await running;
  equal(type, "interrupted");
  const after = await run("echo goes on");
  deepEqual(after, { type: "ended", exit: 0, output: "goes on" });
});

test("one that is not done in time is left running, and the next command is not typed into it", async () => {
  deepEqual(await run("echo ready; sleep 600", 3), { type: "left-running", output: "ready" });
  deepEqual(await run("echo beside"), { type: "ended", exit: 0, output: "beside" });
});

test("a command that ends its shell tells its exit code, and the next one has another terminal", async () => {
  const left = await run("echo bye; exit 3");
  deepEqual([left.type, "exit" in left && left.exit], ["closed", 3]);
  match(left.output, /^bye\n/u); // an interactive bash says "exit" itself
  equal((await run("echo again")).output, "again");
});

test("a terminal that its user closes is answered", async () => {
  const seen = printed("open");
  const running = run("echo open; sleep 600");
  await Promise.race([seen, running]);
  vscode.window.terminals.at(-1)?.dispose();
  equal((await running).type, "closed");
});

test("a shell without integration gets nothing to run, and its terminal does not stay", async () => {
  const settings = vscode.workspace.getConfiguration("terminal.integrated");
  const global = vscode.ConfigurationTarget.Global;
  await settings.update("profiles.linux", { plain: { path: "/bin/dash" } }, global);
  const changed = shellIs((path) => path.endsWith("dash"));
  await settings.update("defaultProfile.linux", "plain", global);
  await changed;
  const opened = new Promise<vscode.Terminal>((resolve) => vscode.window.onDidOpenTerminal(resolve));
  const closed = new Promise<vscode.Terminal>((resolve) => vscode.window.onDidCloseTerminal(resolve));
  try {
    const ran = await new UserTerminals().run({ command: "touch ran", seconds: 60, signal: never });
    match(ran.ok ? "" : ran.problem, /^Nothing was run: /u);
    equal(await closed, await opened);
  } finally {
    for (const name of ["profiles.linux", "defaultProfile.linux"])
      await settings.update(name, undefined, global);
    await shellIs((path) => !path.endsWith("dash"));
  }
});
