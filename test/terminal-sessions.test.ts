import { spawnSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import type { Entry } from "../src/protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer, type ScriptedStep } from "../src/providers/scripted-model.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { sessionForTest } from "../src/testing/scripted-session.ts";
import { testSession, type TestSessionOptions } from "../src/testing/session.ts";

type Given = Record<string, string | number | boolean>;

const terminal = (action: string, more: Given = {}): ScriptedStep => ({
  call: "terminal",
  with: { action, ...more },
});
const start = (more: Given = {}): ScriptedStep => terminal("start", more);
const write = (input: string, more: Given = {}): ScriptedStep => terminal("write", { input, ...more });
const key = (name: string): ScriptedStep => terminal("write", { key: name });
const run = (command: string): ScriptedStep => ({ call: "run_command", with: { command } });

/** A session in the sandbox whose model makes these calls. */
async function session(answers: readonly ScriptedAnswer[], options: TestSessionOptions = {}) {
  const opened = await sessionForTest(scriptedModel([...answers, [{ say: "Done." }]]), {
    sandbox: findSandbox,
    ...options,
  });
  return opened;
}

async function resultsOf(answers: readonly ScriptedAnswer[], options: TestSessionOptions = {}) {
  const opened = await session(answers, options);
  await opened.ask("go", "deny");
  return told(opened.facts());
}

const told = (facts: readonly Entry[]) => ({
  results: facts.flatMap((fact) => (fact.type === "result" ? [textOf(fact)] : [])),
  questions: facts.flatMap((fact) => (fact.type === "approval-asked" ? [fact.title] : [])),
});

const textOf = (fact: Extract<Entry, { type: "result" }>): string =>
  fact.content.map((part) => (part.type === "text" ? part.text : "")).join("");

/** The sandbox has its own network, so that any port is free in it. */
const server = `require("node:http").createServer((request, response) => response.end("hello " + request.url + "\\n"))
  .listen(34567, "127.0.0.1", () => console.log("listening"));`;

test("a server in a terminal is reported with its port, is unreachable from other commands, and answers in its own shell", async () => {
  const { results, questions } = await resultsOf(
    [
      [start({ terminal: "web", command: "node server.cjs", pattern: "listening" })],
      [run("curl -s localhost:34567"), run("curl localhost:34567")],
      [start(), write("node server.cjs &", { pattern: "^(.*# )?listening" })],
      [write("curl -s localhost:34567/there")],
    ],
    { files: { "server.cjs": server } },
  );
  expect(questions).toEqual([]);
  expect(results[0]).toContain("[Port 34567 is open in this terminal's sandbox only: run_command,");
  for (const failed of results.slice(1, 3))
    expect(failed).toMatch(/If a terminal runs that server, .* type the request into that same shell/);
  expect(results[4]).toContain("To try it, type requests (curl) into this shell.");
  expect(results[5]).toContain("hello /there");
});

test("a command that needs the network is refused in a contained terminal, with what to do instead", async () => {
  const { results, questions } = await resultsOf([
    [start()],
    [write("npm install left-pad"), write("git push"), write("curl -sS https://example.com")],
  ]);
  expect(questions).toEqual([]);
  for (const refused of results.slice(1, 3))
    expect(refused).toMatch(
      /^Denied: the terminal's sandbox has no network\. Run this as a command by itself/,
    );
  expect(results[3]).toContain("[In the sandbox this command has no network.]");
});

test("input that could not be typed is refused without asking anyone", async () => {
  const { results, questions } = await resultsOf([
    [start()],
    [write("read -s -p 'Password: ' p")],
    [write("hunter2-is-no-program")],
    [key("ctrl-c")],
    [write("no-such-program \\")],
  ]);
  expect(questions).toEqual([]);
  expect(results[2]).toMatch(/^Nothing was typed: bash waits for a password/);
  expect(results[4]).toContain("ends in a backslash");
});

test("A34: an interruption ends the turn immediately, and the terminal's output goes to the next call", async () => {
  const cat = `cat - none-${process.pid}`;
  const opened = await session([
    [start({ command: `echo begun; exec ${cat}`, pattern: "never", timeoutSeconds: 60 })],
    [terminal("read")],
    [terminal("list")],
  ]);
  const interrupted = opened.session.log
    .until((entry) => entry.type === "call-start", AbortSignal.timeout(60_000))
    .then(async () => {
      await expect.poll(() => running(cat)).toHaveLength(1);
      const begun = performance.now();
      await opened.session.command({ type: "interrupt" });
      await opened.session.idle();
      return performance.now() - begun;
    });
  await opened.ask("go");
  expect(await interrupted, "without it the call would take a minute").toBeLessThan(30_000);
  await opened.ask("go on");
  const { results } = told(opened.facts());
  expect(results[1]).toMatch(/^begun\n\[Terminal main: cat waits for input/);
  expect(results[2]).toContain(`main: echo begun; exec ${cat}; cat waits for input`);
});

/** The processes with exactly these words: others of the same name may run on this machine. */
function running(words: string): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "args="], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line === words);
}

test("A32: closing a session stops its terminals, and a resumed one says that the terminal is gone", async () => {
  const seconds = 300_000 + process.pid;
  const opened = await testSession(
    scriptedModel([[start(), start({ terminal: "other", command: `sleep ${seconds}` })], [{ say: "Done." }]]),
    { sandbox: findSandbox },
  );
  onTestFinished(() => opened.workspace.remove());
  const sleeping = (): string[] => running(`sleep ${seconds}`);
  await opened.ask("go");
  expect(sleeping()).toHaveLength(1);
  await opened.session.close();
  await expect.poll(sleeping).toEqual([]);
  const { store, workspace } = opened;
  const resumed = await session([[write("ls")], [start()]], {
    store,
    workspace,
    resume: opened.session.state.session,
  });
  await resumed.ask("go on");
  const { results } = told(resumed.facts());
  expect(results.at(-2)).toBe('There is no terminal main. Begin with {"action": "start"}.');
  expect(results.at(-1)).toContain("at its prompt");
});
