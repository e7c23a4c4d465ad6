/** Tests commands of the person, on a real pseudo-terminal: keys, Ctrl-C, full screens, floods. */

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runOwnCommand } from "./own-command.ts";
import { testTerminal } from "./testing/terminal.ts";

async function run(line: string, type?: { at: string; keys: string }) {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), "toolwright-own-")));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  const terminal = testTerminal({
    terminal: true,
    env: { TERM: "xterm", SHELL: "/bin/sh", PATH: process.env["PATH"] ?? "", OWN_KEY: "kept" },
  });
  const over = runOwnCommand({ line, workspace }, terminal);
  if (type) {
    await terminal.until(type.at);
    terminal.type(type.keys);
  }
  const end = await over;
  return { end: end.ok ? end.value : end, printed: terminal.printed(), workspace };
}

test("it runs in the workspace with the person's own environment, and its output is shown and kept", async () => {
  const { end, printed, workspace } = await run('pwd; echo "$OWN_KEY"; echo wrong >&2; exit 3');
  expect(end).toEqual({ exit: 3, shown: `${workspace}\nkept\nwrong` });
  expect(printed).toContain("wrong");
});

test("it has a terminal, and what is typed goes to it", async () => {
  const { end } = await run('test -t 0 && test -t 1 && echo "name?"; read -r name; echo "hello $name"', {
    at: "name?",
    keys: "Ada\r",
  });
  expect(end).toMatchObject({ exit: 0, shown: expect.stringMatching(/^name\?\nAda\nhello Ada$/u) });
});

test("Ctrl-C ends it", async () => {
  const { end } = await run("echo begun; exec sleep 1000", { at: "begun", keys: "\u0003" });
  expect(end).toMatchObject({ signal: "SIGINT" });
});

test("what a full-screen program drew is not kept", async () => {
  const { end } = await run(
    String.raw`echo before; printf '\033[?1049h\033[2Jsecret screen'; printf '\033[?1049l'; echo after`,
  );
  expect(end).toEqual({ exit: 0, shown: "before\nafter" });
});

test("of a flood only the end is kept, and an unfinished last line is ended", async () => {
  const { end, printed } = await run("seq 1 200000; printf last");
  const shown = "shown" in end ? end.shown : "";
  expect(shown.length).toBeLessThan(400 * 1024);
  expect(shown).toMatch(/\n199999\n200000\nlast$/u);
  expect(printed.endsWith("last\r\n")).toBe(true);
});

test("a shell that does not exist is told", async () => {
  const terminal = testTerminal({ terminal: true, env: { TERM: "xterm", SHELL: "/nowhere/shell" } });
  const end = await runOwnCommand({ line: "ls", workspace: tmpdir() }, terminal);
  expect(end).toMatchObject(end.ok ? { value: { exit: expect.any(Number) } } : { ok: false });
  if (end.ok) expect(end.value.exit).not.toBe(0);
});
