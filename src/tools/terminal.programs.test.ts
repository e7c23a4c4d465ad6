import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import type { OpenPty, PtyRequest } from "../base/terminal/pty.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { terminal } from "./terminal.ts";
import { type TerminalTestOptions, prompt, sessionIn, outcomeLines } from "./terminal/testing/session.ts";

async function session({
  files = {},
  ...given
}: TerminalTestOptions & { files?: Record<string, string> } = {}) {
  const workspace = await temporaryWorkspace(files);
  return { workspace, ...sessionIn(workspace, given) };
}

test("the call declares what it would run or type for approval; read-only actions are reads", () => {
  const about = (input: JsonObject) => {
    const prepared = terminal.prepare(input);
    if (!prepared.ok) throw new Error(prepared.problem);
    const { does, command, lasting } = prepared.value;
    return { does, command, lasting };
  };
  expect(about({ action: "start" })).toEqual({ does: "execute", command: "bash", lasting: true });
  expect(about({ action: "start", command: "npm run dev" })).toMatchObject({ command: "npm run dev" });
  expect(about({ action: "write", input: "cd /\nrm -rf x" })).toMatchObject({ command: "cd /\nrm -rf x" });
  expect(about({ action: "write", key: "y" })).toMatchObject({ command: "y" });
  expect(about({ action: "write", key: "y", input: "" })).toMatchObject({ command: "y" });
  expect(about({ action: "write", input: "ls\r\n" })).toMatchObject({ command: "ls" });
  expect(about({ action: "write", key: "ctrl-d" })).toMatchObject({ does: "execute", command: undefined });
  expect(about({ action: "write", key: "ctrl-c" })).toMatchObject({ does: "read", command: undefined });
  for (const action of ["read", "wait", "list", "kill"])
    expect(about({ action })).toMatchObject({ does: "read", command: undefined });
});

test("A32: one shell per session is started once, reused, and keeps its directory", async () => {
  const { call, context, workspace } = await session({ files: { "sub/x": "" } });
  expect(outcomeLines(await call({ action: "start" }))).toEqual([
    "ok",
    "at its prompt",
    "/w#".replace("#", prompt),
  ]);
  expect(outcomeLines(await call({ action: "write", input: "cd sub" }))).toEqual([
    "ok",
    "at its prompt",
    `/w${prompt} cd sub`,
    `/w/sub${prompt}`,
  ]);
  expect(context.terminals.directoryOf("main")).toBe(join(workspace.root, "sub"));
  const again = await call({ action: "start" });
  expect(again.lines).toEqual([
    "[no new output]",
    "[Terminal main: at its prompt. It ran already and is used again. Next since: 1]",
  ]);
  expect(outcomeLines(await call({ action: "write", input: "pwd; tty -s && echo $TERM" }))).toEqual([
    "ok",
    "at its prompt",
    `/w/sub${prompt} pwd; tty -s && echo $TERM`,
    "/w/sub",
    "xterm-256color",
    `/w/sub${prompt}`,
  ]);
});

test("A30: the working directory is the workspace, one inside it, or the root for one outside", async () => {
  const { call, workspace } = await session();
  await mkdir(join(workspace.root, "sub"));
  const where = async (cwd: string, name: string) =>
    outcomeLines(await call({ action: "start", terminal: name, command: "pwd", cwd }));
  expect(await where("sub", "a")).toEqual(["ok", "ended, exit code 0", "Command: pwd", "/w/sub"]);
  expect(await where("/etc", "b")).toEqual([
    "ok",
    "ended, exit code 0",
    "Command: pwd",
    "[The directory asked for is outside the workspace; it ran in the workspace's root.]",
    "/w",
  ]);
  expect((await where("none", "c"))[0]).toBe("failed");
});

test("A33: long output is shown as head and tail, and all of it is kept", async () => {
  const { call, context } = await session();
  const { lines, produced } = await call({
    action: "start",
    command: String.raw`seq 1 1000; printf '\e[31mred\e[0m\e]633;D;0\a\n'`,
  });
  expect([lines[1], lines[15], lines[16], lines[17], lines.at(-2)]).toEqual([
    "1",
    "15",
    "[901 lines truncated]",
    "917",
    "red",
  ]);
  const kept = Buffer.from(context.kept.get(produced.full?.blob ?? "") ?? []).toString();
  expect(kept.split("\n").length).toBe(1001);
});

test("A34: a terminal whose end is never reported is a timeout with its output so far, and can still be killed", async () => {
  const requests: PtyRequest[] = [];
  const open: OpenPty = async (request) => {
    requests.push(request);
    request.onOutput(Buffer.from("working\r\n"));
    const pid = 2 ** 30; // no system has that many
    return {
      ok: true,
      value: {
        pid,
        write: () => true,
        waiting: () => 0,
        device: undefined,
        descriptor: () => undefined,
        resize: () => undefined,
      },
    };
  };
  const fake = await session({ open });
  expect((await fake.call({ action: "start", command: "x", timeoutSeconds: 1 })).lines).toEqual([
    "Command: x",
    "working",
    "[Terminal main: busy. Stopped waiting after 1 s; it goes on. Next since: 1]",
  ]);
  const killed = await fake.call({ action: "kill" });
  expect(outcomeLines(killed).slice(0, 2)).toEqual(["timeout", "killed, but the system never told its end"]);
  requests[0]?.onEnd({ exit: 0 });
  expect(outcomeLines(await fake.call({ action: "read" }))[1]).toBe(
    "killed, but the system never told its end",
  );
});

test("a REPL takes input, answers, and is shown as waiting or busy", async () => {
  const { call } = await session();
  const node = JSON.stringify(process.execPath);
  const started = outcomeLines(await call({ action: "start", command: `exec ${node}` }));
  expect([started[0], started[1], started.at(-1)]).toEqual(["ok", "node waits for input", ">"]);
  expect(outcomeLines(await call({ action: "write", input: "6 * 7" }))).toEqual([
    "ok",
    "node waits for input",
    "> 6 * 7",
    "42",
    ">",
  ]);
  expect(outcomeLines(await call({ action: "write", input: "for (;;);", quietSeconds: 1 }))).toEqual([
    "ok",
    "busy (node)",
    "> for (;;);",
  ]);
  expect(outcomeLines(await call({ action: "write", key: "ctrl-c" }))[1]).toBe("node waits for input");
  expect(outcomeLines(await call({ action: "write", input: ".exit" })).slice(0, 2)).toEqual([
    "ok",
    "ended, exit code 0",
  ]);
  expect(outcomeLines(await call({ action: "write", input: "1" }))[2]).toBe(undefined);
});

test("a prompt waits for input, a password prompt for a person, and refused input is not echoed", async () => {
  const { call } = await session();
  await call({ action: "start" });
  expect(
    outcomeLines(await call({ action: "write", input: "read -p 'Name: ' n; echo Hello $n" })).slice(1),
  ).toEqual(["bash waits for input", `/w${prompt} read -p 'Name: ' n; echo Hello $n`, "Name:"]);
  expect(outcomeLines(await call({ action: "write", input: "Bob" })).slice(1)).toEqual([
    "at its prompt",
    "Name: Bob",
    "Hello Bob",
    `/w${prompt}`,
  ]);
  expect(
    outcomeLines(await call({ action: "write", input: "read -s -p 'Password: ' p; echo; echo ${#p}" }))[1],
  ).toBe("bash waits for a password; only a person may type it");
  const refused = await call({ action: "write", input: "hunter2" });
  expect(refused.outcome).toBe("failed");
  expect(refused.lines.join("\n")).toBe(
    'Nothing was typed: bash waits for a password; only a person may type it. End it with "key": "ctrl-c", and tell the user which command they have to run in a shell of their own.',
  );
  expect(outcomeLines(await call({ action: "write", key: "ctrl-c" }))[1]).toBe("at its prompt");
  expect((await call({ action: "read", since: 0 })).lines.join("\n")).not.toContain("hunter2");
});

const server = `
  const server = require("node:http").createServer((request, response) => response.end("hello " + request.url));
  setTimeout(() => server.listen(0, "127.0.0.1", () => console.log("listening on", server.address().port)), 50);`;

test("a background server outlives its call and can be reached, listed and killed", async () => {
  const { call } = await session({ files: { "server.cjs": server } });
  const command = `${JSON.stringify(process.execPath)} server.cjs`;
  const started = await call({
    action: "start",
    terminal: "web",
    command,
    pattern: String.raw`listening on \d+`,
  });
  expect(outcomeLines(started).slice(0, 2)).toEqual(["ok", "busy (node)"]);
  const port = /listening on (\d+)/.exec(started.lines.join("\n"))?.[1];
  const answer = await fetch(`http://127.0.0.1:${port}/there`);
  expect(await answer.text()).toBe("hello /there");
  const again = await call({ action: "start", terminal: "web", command });
  expect([again.outcome, again.lines[0]]).toEqual([
    "failed",
    `Terminal web runs already: ${command}, busy (node). Write to it, kill it first, or start another by giving "terminal" a new name.`,
  ]);
  expect((await call({ action: "list" })).lines).toEqual([
    expect.stringMatching(
      /^web: .* server\.cjs; busy \(node\); started \d s ago; last line: listening on \d+$/,
    ),
  ]);
  expect(outcomeLines(await call({ action: "kill", terminal: "web" }))[1]).toBe("ended by SIGHUP");
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
});

test("a pattern is matched against new output, not against typed input or earlier output", async () => {
  const { call } = await session();
  await call({ action: "start" });
  const written = await call({ action: "write", input: "sleep 0.3; echo finished", pattern: "finished" });
  expect(outcomeLines(written).slice(2)).toEqual([
    `/w${prompt} sleep 0.3; echo finished`,
    "finished",
    ...written.lines.slice(2, -1),
  ]);
  const missed = await call({ action: "wait", pattern: "finished" });
  expect([missed.outcome, missed.lines.at(-1)]).toEqual([
    "ok",
    expect.stringContaining(
      "Nothing runs in it any more. The pattern did not appear again; it stands in earlier output.",
    ),
  ]);
  const later = await call({ action: "write", input: "(sleep 0.3; echo la''ter) &", pattern: "^later" });
  expect(later.lines.at(-1)).not.toContain("found");
  expect((await call({ action: "wait", pattern: "finished", since: 0 })).lines.at(-1)).toContain(
    "The pattern was found.",
  );
});

test("a full-screen program shows its current screen, which is gone after it exits", async () => {
  const { call } = await session({
    files: {
      "pager.cjs": `
        let first = 1;
        const draw = () => process.stdout.write("\\x1b[2J\\x1b[H" + Array.from({ length: 5 }, (_, at) => "line " + (first + at)).join("\\r\\n") + "\\x1b[30;1H:");
        process.stdin.setRawMode(true);
        process.stdout.write("\\x1b[?1049h\\x1b[?1h");
        process.stdin.on("data", (key) => {
          if (String(key) === "q") return process.stdout.write("\\x1b[?1049l", () => process.exit());
          first += String(key) === " " ? 5 : String(key) === "\\x1bOB" ? 1 : 0;
          draw();
        });
        draw();`,
    },
  });
  await call({ action: "start" });
  const opened = outcomeLines(
    await call({ action: "write", input: `${JSON.stringify(process.execPath)} pager.cjs` }),
  );
  expect([opened[1], opened[2], opened[3], opened.at(-1)]).toEqual([
    "node waits for input",
    "[A full-screen program, its cursor in row 30, column 2; the screen now:]",
    "line 1",
    ":",
  ]);
  expect(outcomeLines(await call({ action: "write", key: "space" }))[3]).toBe("line 6");
  expect(outcomeLines(await call({ action: "write", key: "down" }))[3]).toBe("line 7");
  expect(outcomeLines(await call({ action: "write", key: "q" })).slice(0, 3)).toEqual([
    "ok",
    "at its prompt",
    `/w${prompt}`,
  ]);
});

test("a character split between two reads is shown whole, and invalid bytes as replacement characters", async () => {
  const { call } = await session();
  const halves = String.raw`printf '\xe6\x97'; sleep 0.2; printf '\xa5 caf\xe9 \x00\x07\x80\n'; head -c 100000 /dev/urandom >/dev/null`;
  expect(outcomeLines(await call({ action: "start", command: halves })).at(-1)).toBe("日 caf\uFFFD \uFFFD");
});

/** An ended process stays in the process list as a zombie until it is reaped. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

test("kill ends a program that ignores signals, and a child that left its session", async () => {
  const { call, workspace } = await session({
    files: { "deaf.sh": "trap '' HUP TERM INT\nsetsid sleep 600 &\necho $!\nwhile :; do sleep 600; done" },
  });
  const started = await call({ action: "start", command: "bash deaf.sh", pattern: String.raw`^\d+` });
  const left = Number(started.lines.find((line) => /^\d+$/.test(line)));
  expect(isRunning(left)).toBe(true);
  expect(outcomeLines(await call({ action: "kill" })).slice(0, 2)).toEqual(["ok", "ended by SIGKILL"]);
  await expect.poll(() => isRunning(left)).toBe(false);
  expect(await workspace.files()).toEqual(["deaf.sh"]);
});

test("a process left behind by a shell survives the shell and ends with the session", async () => {
  const { call, context } = await session();
  await call({ action: "start" });
  const { lines } = await call({ action: "write", input: "sleep 600 & echo pid=$!; exit 3" });
  expect(lines.at(-1)).toMatch(/ended, exit code 3/);
  const left = Number(/^pid=(\d+)$/m.exec(lines.join("\n"))?.[1]);
  await call({ action: "start" });
  expect(isRunning(left)).toBe(true);
  await context.terminals.close();
  await expect.poll(() => isRunning(left)).toBe(false);
});

test("at most eight terminals run at a time", async () => {
  const { call } = await session();
  const start = (name: string) => call({ action: "start", terminal: name, command: "exec cat" });
  for (const name of "abcdefgh") expect((await start(name)).outcome).toBe("ok");
  expect((await start("i")).lines[0]).toMatch(/^8 terminals run already \(a, b, .*\); kill one first\.$/);
  await call({ action: "write", terminal: "a", key: "ctrl-d" });
  expect((await start("i")).outcome).toBe("ok");
});

test("mistakes are answered with advice", async () => {
  const { call } = await session();
  expect((await call({ action: "list" })).lines).toEqual(["There are no terminals."]);
  expect((await call({ action: "write", input: "ls" })).lines).toEqual([
    'There is no terminal main. Begin with {"action": "start"}.',
  ]);
  expect((await call({ action: "start", command: "no-such-program" })).outcome).toBe("failed");
  expect((await call({ action: "start", terminal: "a b" })).outcome).toBe("failed");
  expect((await call({ action: "start", input: "ls" })).outcome).toBe("failed");
  await call({ action: "start" });
  const refused: JsonObject[] = [
    { action: "write" },
    { action: "write", key: "hello" },
    { action: "write", input: "x", key: "enter" },
    { action: "write", input: "x".repeat(100_000) },
    { action: "wait", pattern: "(" },
  ];
  for (const input of refused) expect((await call(input)).outcome).toBe("failed");
  const slow = await call({ action: "write", input: `echo ${"a".repeat(40)}`, pattern: "^(a+)+$" });
  expect(slow.outcome).not.toBe("timeout");
});

test("an interruption ends the waiting, not the terminal", async () => {
  const controller = new AbortController();
  const { call, context } = await session({ signal: controller.signal });
  context.output = () => controller.abort();
  const stopped = await call({ action: "start", command: "echo begun; exec cat", pattern: "never" });
  expect([stopped.outcome, stopped.lines.at(-1)]).toEqual([
    "failed",
    expect.stringContaining("Waiting was cancelled; it goes on."),
  ]);
  expect(context.terminals.get("main")?.end).toBeUndefined();
});
