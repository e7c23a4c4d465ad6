/** `toolwright diff`, `undo`, `redo`, `keep` and `checkpoints` over the real command line, in a throw-away home. */

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli } from "../src/cli/main.ts";
import { openStore } from "../src/runtime/runtime.ts";
import { SessionLog } from "../src/session/log.ts";
import type { Store } from "../src/session/store.ts";
import { testTerminal, type TestTerminal, type TestTerminalOptions } from "../src/tui/testing/terminal.ts";

let home = "";
let work = "";
let state = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "toolwright-home-"));
  work = join(home, "work");
  state = join(home, "state");
  await mkdir(work);
});
afterEach(() => rm(home, { recursive: true, force: true }));

const terminalWith = (options: TestTerminalOptions = {}): TestTerminal =>
  testTerminal({
    ...options,
    env: { HOME: home, PATH: process.env["PATH"] ?? "", TOOLWRIGHT_HOME: state, NO_COLOR: "1" },
    cwd: options.cwd ?? work,
  });

async function run(...argv: string[]) {
  const terminal = terminalWith();
  const code = await runCli(argv, terminal);
  return { code, out: terminal.printed(), err: terminal.reported() };
}

async function json(...argv: string[]) {
  const { code, out } = await run(...argv, "--output", "json");
  expect(out.split("\n")).toHaveLength(2);
  return { code, ...JSON.parse(out) };
}

/** Sends a request to the offline model. */
async function ask(order: string): Promise<{ session: string; checkpoint: { id: string } }> {
  const ran = await run(
    "--offline-model",
    "--mode",
    "accept-edits",
    "-p",
    order,
    "--output",
    "json",
    ...more,
  );
  expect(ran).toMatchObject({ code: 0, err: "" });
  more = ["--continue"];
  return JSON.parse(ran.out);
}
let more: string[] = [];
beforeEach(() => {
  more = [];
});

const put = (path: string, text: string): Promise<void> => writeFile(join(work, path), text);
const read = (path: string): Promise<string> => readFile(join(work, path), "utf8");

const spread = (first: string, last: string): string => `${first}\n.\n.\n.\n.\n.\n.\n.\n.\n${last}\n`;

/** Two requests: one changes a.txt at both ends, the other b.txt. */
async function changedTwice() {
  await put("a.txt", spread("one", "two"));
  await put("b.txt", "x\n");
  const first = await ask(`replace "${spread("one", "two")}" with "${spread("1", "2")}" in a.txt`);
  const second = await ask("replace x with y in b.txt");
  expect(await read("a.txt")).toBe(spread("1", "2"));
  return { first, second };
}

test("A40: diff shows the newest request with changes or a given one, as a patch when piped", async () => {
  await changedTwice();
  const newest = await run("diff");
  expect(newest).toMatchObject({ code: 0, err: "" });
  expect(newest.out).toContain("+++ b/b.txt\n@@ -1 +1 @@ hunk 1\n-x\n+y\n");
  expect(newest.out).not.toContain("\u001B");
  const earlier = await run("diff", "1", "--", "a.txt");
  expect(earlier.out.match(/hunk \d/gu)).toEqual(["hunk 1", "hunk 2"]);
  expect((await run("diff", "a.txt")).out).toBe(earlier.out);
});

test("A40: diff on a terminal is formatted for reading", async () => {
  await changedTwice();
  const terminal = terminalWith({ terminal: true });
  expect(await runCli(["diff"], terminal)).toBe(0);
  expect(terminal.printed().split("\n").slice(1)).toEqual([
    "> replace x with y in b.txt",
    "",
    "b.txt · modified · +1 −1",
    "  hunk 1  @@ -1 +1 @@",
    "  -x",
    "  +y",
    "",
  ]);
});

test("A40: undo reverts the newest request, then the one before; redo restores the last one undone", async () => {
  await changedTwice();
  expect(await run("undo")).toEqual({
    code: 0,
    out: "↶ Undone (request 2): b.txt\ntoolwright redo brings it back.\n",
    err: "",
  });
  expect(await read("b.txt")).toBe("x\n");
  expect((await run("undo")).out).toContain("↶ Undone (request 1): a.txt\n");
  expect(await read("a.txt")).toBe(spread("one", "two"));
  expect(await run("redo")).toEqual({ code: 0, out: "↷ Redone (request 1): a.txt\n", err: "" });
  expect(await run("redo", "b.txt")).toEqual({
    code: 0,
    out: "↷ Redone (request 2): b.txt\n",
    err: "",
  });
  expect([await read("a.txt"), await read("b.txt")]).toEqual([spread("1", "2"), "y\n"]);
});

test("A40: undo of one hunk keeps the other, and says what is still applied", async () => {
  await changedTwice();
  const ran = await run("undo", "1", "--hunk", "2");
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out.split("\n").slice(0, 2)).toEqual([
    "↶ Undone (request 1): a.txt (in part)",
    "Request 1 is partly undone; still applied: a.txt (in part).",
  ]);
  expect(await read("a.txt")).toBe(spread("1", "two"));
  expect((await run("checkpoints")).out).toMatch(/^1 +now +partly undone +\+10 −10|^1 +now +partly undone/mu);
});

test("A7, A13: a program undoes by the checkpoint id from -p, and gets the outcome as JSON", async () => {
  const { first } = await changedTwice();
  expect(await json("checkpoints")).toMatchObject({
    code: 0,
    session: first.session,
    checkpoints: [{ turn: 2 }, { turn: 1, id: first.checkpoint.id, status: "pending" }],
  });
  expect(await json("diff", first.checkpoint.id)).toMatchObject({
    code: 0,
    checkpoint: { turn: 1, files: [{ path: "a.txt", hunks: [{ number: 1 }, { number: 2 }] }] },
  });
  expect(await json("undo", first.checkpoint.id)).toMatchObject({
    code: 0,
    session: first.session,
    done: true,
    problem: null,
    conflicts: [],
    checkpoint: { id: first.checkpoint.id, turn: 1, status: "undone" },
    changes: [{ path: "a.txt" }],
  });
  expect(await json("keep", "2")).toMatchObject({
    code: 0,
    done: true,
    checkpoint: { turn: 2, status: "kept" },
  });
  expect(await json("undo", "2")).toMatchObject({ code: 1, done: false, checkpoint: null, changes: [] });
});

test("A40: undo of a file with later edits changes nothing, and shows what happened and the options", async () => {
  await changedTwice();
  await put("b.txt", "somebody else's\n");
  const refused = await run("undo", "--cwd", work);
  expect(refused).toMatchObject({ code: 1, out: "" });
  const told = refused.err.split("\n");
  expect(told.slice(0, 3)).toEqual([
    "! Nothing was changed: a file has later work.",
    "  b.txt",
    "    request 2: modified it (+1 −1)",
  ]);
  expect(told[3]).toMatch(/^ {4}since then: it was changed outside this session/u);
  expect(refused.err).toContain(`toolwright undo 2 --cwd ${work} --conflict restore`);
  expect(await read("b.txt")).toBe("somebody else's\n");
  expect(await json("undo")).toMatchObject({
    code: 1,
    done: false,
    conflicts: [{ path: "b.txt", outside: true }],
  });

  expect((await run("undo", "--conflict", "restore")).code).toBe(0);
  expect(await read("b.txt")).toBe("x\n");
  expect((await run("redo")).code).toBe(0);
  expect(await read("b.txt")).toBe("somebody else's\n");
});

test("A40: on a terminal undo asks what to do with later edits, and Ctrl-C changes nothing", async () => {
  await changedTwice();
  await put("b.txt", "somebody else's\n");
  for (const [typed, code, left] of [
    ["n\r", 1, "somebody else's\n"],
    ["\u0003", 130, "somebody else's\n"],
    ["r\r", 0, "x\n"],
  ] as const) {
    const terminal = terminalWith({ terminal: true });
    const over = runCli(["undo"], terminal);
    await terminal.until("[n]othing: ");
    terminal.type(typed);
    expect(await over).toBe(code);
    expect(await read("b.txt")).toBe(left);
  }
});

test("invalid arguments give one line and the right exit code, and change nothing", async () => {
  await changedTwice();
  const before = [await read("a.txt"), await read("b.txt")];
  for (const [code, ...words] of [
    ["2", "undo", "--hunk", "0"],
    ["2", "undo", "--hunk", "99999999999"],
    ["2", "undo", "a.txt", "b.txt", "--hunk", "1"],
    ["2", "undo", "1", "2"],
    ["2", "undo", "0"],
    ["2", "undo", ""],
    ["2", "undo", "--conflict", "burn"],
    ["2", "diff", "--hunk", "1"],
    ["2", "keep", "--conflict", "skip"],
    ["2", "checkpoints", "1"],
    ["2", "undo", "-p", "x"],
    ["2", "undo", "--output", "stream-json"],
    ["1", "undo", "99999999999"],
    ["1", "undo", "9".repeat(400)],
    ["1", "undo", "3"],
    ["1", "undo", "1", "b.txt"],
    ["1", "undo", "1", "--hunk", "3"],
    ["1", "undo", "../outside"],
    ["1", "undo", "the last change please"],
    ["1", "keep", "going"],
    ["1", "redo"],
    ["1", "redo", "1"],
    ["1", "diff", "ckpt_1_12345678"],
    ["1", "diff", "2", "a.txt"],
    ["1", "diff", "--resume", "nosuch"],
  ]) {
    const ran = await run(...words);
    expect({ words, ...ran }).toMatchObject({ words, code: Number(code), out: "" });
    expect(ran.err).toMatch(/^toolwright: [^\n]+\n$/u);
  }
  expect([await read("a.txt"), await read("b.txt")]).toEqual(before);
  expect((await run("checkpoints")).out.match(/ applied /gu)).toHaveLength(2);
});

test("without a session or without changes, each command says so", async () => {
  for (const command of ["diff", "undo", "redo", "keep", "checkpoints"]) {
    const ran = await run(command, "--cwd", join(home, "nowhere"));
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toMatch(/^toolwright: There is no session of [^\n]+\n$/u);
  }
  expect(existsSync(join(home, "nowhere"))).toBe(false);
  await ask("list");
  for (const command of ["diff", "undo", "redo", "keep"])
    expect(await run(command)).toMatchObject({ code: 1, out: "" });
  expect((await run("checkpoints")).out).toMatch(/^No request of session \S+ changed files\.\n$/u);
});

test("when the newest session has no changes, an earlier one with changes is named", async () => {
  await put("a.txt", "x");
  const { session } = await ask("replace x with y in a.txt");
  more = [];
  await ask("list");
  const last = session.slice(-6);
  for (const command of ["diff", "undo", "keep"])
    expect(await run(command)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(
        new RegExp(
          `^toolwright: [^\n]+\\. An earlier session has changes \\(now\\): toolwright ${command} --resume ${last}\\n$`,
          "u",
        ),
      ),
    });
  expect((await run("redo")).err).not.toContain("earlier session");
  expect((await run("undo", "--resume", last)).code).toBe(0);
  expect(await read("a.txt")).toBe("x");
});

test("undo, redo and keep do not take over a session without changes", async () => {
  const { session } = await ask("list");
  await withStore(async (store) => {
    const log = await SessionLog.open({ store, session, epoch: await store.claim(session) });
    for (const command of ["undo", "redo", "keep"])
      expect((await run(command)).err).toMatch(/^toolwright: No request of session \S+ changed files\.\n$/u);
    await log.append({ type: "user-message", content: [] });
    expect(log.broken).toBeUndefined();
  });
});

test("a damaged database is reported", async () => {
  await mkdir(state);
  await writeFile(
    join(state, "sessions.db"),
    "this is no database, and it is long enough to be read as one".repeat(20),
  );
  for (const command of ["diff", "undo", "keep"]) {
    const ran = await run(command);
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toMatch(/^toolwright: [^\n]*sessions\.db[^\n]*\n$/u);
  }
});

test("undo does not recreate a workspace that was deleted", async () => {
  await changedTwice();
  const { session } = JSON.parse((await run("checkpoints", "--output", "json")).out);
  await rm(work, { recursive: true });
  const terminal = terminalWith({ cwd: home });
  expect(await runCli(["undo", "--resume", session], terminal)).toBe(1);
  expect(terminal.reported()).toMatch(/is not there any more/u);
  expect(existsSync(work)).toBe(false);
});

test("undo --resume works in that session's workspace, whatever the current directory", async () => {
  const { first } = await changedTwice();
  const terminal = terminalWith({ cwd: home });
  expect(await runCli(["undo", "--resume", first.session.slice(-6)], terminal)).toBe(0);
  expect(await read("b.txt")).toBe("x\n");
});

async function withStore<T>(use: (store: Store) => Promise<T>): Promise<T> {
  const opened = await openStore({ stateDir: state });
  if (!opened.ok) throw new Error(opened.problem);
  try {
    return await use(opened.value);
  } finally {
    await opened.value.close();
  }
}

/** An unfinished request, as another process would write it. */
async function openRequest(store: Store, session: string): Promise<SessionLog> {
  const log = await SessionLog.open({ store, session, epoch: await store.claim(session) });
  await log.append({ type: "user-message", content: [] }, { type: "turn-start", model: "m", mode: "ask" });
  return log;
}

test("diff and checkpoints do not disturb a process that works on the session", async () => {
  const { first } = await changedTwice();
  await withStore(async (store) => {
    const log = await openRequest(store, first.session);
    expect((await run("diff")).code).toBe(0);
    expect((await run("checkpoints")).code).toBe(0);
    await log.append({ type: "turn-end", stopped: "done", changed: [], verified: [], text: "" });
    expect(log.broken).toBeUndefined();
  });
});

test("undo does not stop a request in progress without asking, and closes one left open by a crash", async () => {
  const { first } = await changedTwice();
  await withStore(async (store) => {
    const log = await openRequest(store, first.session);
    expect(await run("undo")).toEqual({
      code: 1,
      out: "",
      err: "toolwright: Request 3 is not over: another Toolwright may be working on it. Wait until it is done.\n",
    });
    const terminal = terminalWith({ terminal: true });
    const over = runCli(["undo"], terminal);
    await terminal.until("take the session over? [y/n] ");
    terminal.type("n\r");
    expect(await over).toBe(1);
    await log.append({ type: "warning", code: "c", text: "It goes on undisturbed." });
  });
  expect(await read("b.txt")).toBe("y\n");
  expect(await run("undo")).toMatchObject({ code: 0, err: "" });
  expect(await read("b.txt")).toBe("x\n");
});

test("undo does not warn about another open Toolwright, and --take-over reports the takeover", async () => {
  const { first } = await changedTwice();
  await withStore(async () => {
    expect(await run("undo")).toMatchObject({ code: 0, err: "" });
    expect(await run("redo", "--take-over")).toMatchObject({
      code: 0,
      err: `! The session was taken over. Who has it open elsewhere must resume it to go on: toolwright --resume ${first.session.slice(-6)}\n`,
    });
  });
});
