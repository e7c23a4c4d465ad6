/** Tests the command line as a whole: options, dispatch, exit codes, on the real runtime in a throw-away home. */

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testTerminal, type TestTerminalOptions } from "../tui/testing/terminal.ts";
import { runCli } from "./main.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "toolwright-home-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Points the search for local servers at ports where none can be. */
const nowhere = Object.fromEntries(
  ["OLLAMA_HOST", "LMSTUDIO_BASE_URL", "LLAMACPP_BASE_URL", "VLLM_BASE_URL", "SGLANG_BASE_URL"].map(
    (name) => [name, "http://127.0.0.1:9"],
  ),
);

async function run(
  argv: string[],
  { input, ...options }: TestTerminalOptions & { input?: string | Buffer } = {},
) {
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", ...nowhere, ...options.env };
  const terminal = testTerminal({ ...options, env, cwd: join(home, "work") });
  if (input !== undefined) terminal.input.end(input);
  const code = await runCli(argv, terminal);
  return { code, out: terminal.printed(), err: terminal.reported() };
}

test("a wrong flag, value or combination is one line and exit 2", async () => {
  for (const argv of [
    ["--colour"],
    ["--mode", "brave"],
    ["-p"],
    ["models", "more"],
    ["-p", "one", "two"],
    ["--continue", "--resume", "x"],
    ["-p", "hi", "-p", "ho"],
    ["-C", "one", "-p", "hi", "--cwd", "two"],
    ["-p", "hi", "--model", "nope/x"],
    ["-p", "hi", "--offline-model", "--dialect", "nope"],
    ["probe", "nope/x"],
    ["lm-server", "--model", "nope/x"],
  ]) {
    const ran = await run(argv);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(/^toolwright: [^\n]+\n$/u);
  }
});

test("a branch that is asked for by name and cannot be had is a usage error; one of the configuration is not", async () => {
  const work = join(home, "work");
  await mkdir(work);
  const asked = ["--offline-model", "-p", "list"];
  const env = { TOOLWRIGHT_BRANCH: "session" };
  expect(await run(asked, { env })).toMatchObject({ code: 0 });
  const none = await run([...asked, "--branch", "session"]);
  expect(none).toMatchObject({ code: 2, out: "" });
  expect(none.err).toMatch(/no git repository has files .*`git init`.*leave --branch out\.\n$/u);
  execFileSync("git", ["init", "--quiet", work]);
  const unborn = await run([...asked, "--branch", "session"]);
  expect(unborn).toMatchObject({ code: 2, out: "" });
  expect(unborn.err).toContain("the repository has no commit yet (`git commit` makes one)");
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  execFileSync("git", ["-C", work, ...author, "commit", "--quiet", "--allow-empty", "-m", "one"]);
  expect(await run([...asked, "--branch", "session"])).toMatchObject({ code: 0 });
});

test("a HOME that is empty or relative is told, and the user's own home takes its place", async () => {
  const { homedir: own } = userInfo();
  for (const HOME of ["", "some/where", "./"]) {
    const env = { HOME, TOOLWRIGHT_HOME: join(home, "state") };
    const { code, out, err } = await run(["config", "path"], { env });
    expect({ code, out }).toEqual({ code: 0, out: `${join(own, ".config/toolwright/config.jsonc")}\n` });
    expect(err).toMatch(
      /^! HOME is (?:empty|no absolute path \(.*\)): \/.* is used as your home directory\.\n$/u,
    );
    expect((await run(["--version"], { env })).err).toBe("");
  }
});

test("a wrong variable stops a run in one line; help, doctor and config set go on, and doctor tells it", async () => {
  const env = { TOOLWRIGHT_MAX_COST: "much" };
  const problem = "The environment variable TOOLWRIGHT_MAX_COST must be a number";
  for (const argv of [["-p", "hi", "--offline-model"], ["config"], ["sessions"]]) {
    const ran = await run(argv, { env });
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(new RegExp(`^toolwright: ${problem}[^\\n]+\\n$`, "u"));
  }
  for (const argv of [["--help"], ["--version"], ["help", "serve"], ["config", "set", "mode", "plan"]])
    expect(await run(argv, { env })).toMatchObject({ code: 0, err: "" });
  expect(await run(["doctor"], { env })).toMatchObject({ code: 1, out: expect.stringContaining(problem) });
});

test("--help and --version print and do nothing else", async () => {
  expect((await run(["--help", "all"])).out).toContain("Exit codes: 0 done, 1 failed, 2 usage");
  for (const line of (await run(["--help"])).out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  expect((await run(["--version", "--verbose"])).out).toMatch(/^toolwright \d+\.\d+\.\d+/u);
});

test("help for one command is short and exits 0; for an unknown command it is one line and exit 2", async () => {
  for (const argv of [
    ["serve", "--help"],
    ["help", "serve"],
  ]) {
    const { code, out } = await run(argv);
    expect(code).toBe(0);
    expect(out).toContain("--allow-host");
    expect(out).not.toContain("--jsonl");
  }
  const ran = await run(["help", "serv"]);
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toMatch(/^toolwright: There is no command "serv" \(did you mean "serve"\?\)[^\n]+\n$/u);
});

test("-p runs the request with the offline model, and sessions lists the session", async () => {
  const ran = await run(["--offline-model", "-p", "list"]);
  expect(ran.code).toBe(0);
  expect(ran.err).toContain("● List . … ok");

  const table = await run(["sessions"]);
  expect(table.code).toBe(0);
  expect(table.out.split("\n")[1]).toMatch(
    /^\d{8}-\d{6}-[0-9a-f]{6} {2}now {2}\d+ {5}free {2}idle {3}list$/u,
  );
});

test("--continue resumes the newest session, --resume the session with the given end of its id", async () => {
  const ids: unknown[] = [];
  await run(["--offline-model", "-p", "list"]);
  for (const more of [["--continue"], []]) {
    const ran = await run(["--offline-model", "-p", "list", "--output", "json", ...more]);
    ids.push(JSON.parse(ran.out).session);
  }
  const resumed = await run([
    "--offline-model",
    "-p",
    "list",
    "--output",
    "json",
    "--resume",
    String(ids[0]).slice(-6),
  ]);
  expect(JSON.parse(resumed.out).session).toBe(ids[0]);
  expect(ids[1]).not.toBe(ids[0]);
  const missing = await run(["--offline-model", "-p", "list", "--output", "json", "--resume", "nobody"]);
  expect(missing.code).toBe(1);
  expect(missing.err).toMatch(/^toolwright: There is no session nobody\. [^\n]+\n$/u);
  expect(JSON.parse(missing.out)).toMatchObject({ session: null, stopped: "failed" });
});

test("-p - reads the prompt from standard input; text piped to -p is appended to the prompt", async () => {
  const only = await run(["--offline-model", "--output", "stream-json", "-p", "-"], {
    piped: true,
    input: "list",
  });
  expect(requestOf(only.out)).toBe("list");
  const both = await run(["--offline-model", "--output", "stream-json", "-p", "What is this?"], {
    piped: true,
    input: "a\nb\n",
  });
  expect(requestOf(both.out)).toBe("What is this?\n\na\nb\n");
  const none = await run(["--offline-model", "--output", "stream-json", "-p", "list"], {
    piped: true,
    input: "",
  });
  expect(requestOf(none.out)).toBe("list");
});

function requestOf(out: string): unknown {
  const facts = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return facts.find(({ type }) => type === "user-message").content[0].text;
}

test("an empty, binary or huge standard input is a usage error", async () => {
  for (const [input, words] of [
    ["", "Standard input is empty"],
    [Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 1, 2]), "Standard input is not UTF-8 text"],
    [Buffer.alloc(9 * 1024 * 1024, 97), "Standard input is larger than 8 MB"],
  ] as const) {
    const ran = await run(["--offline-model", "-p", "-"], { piped: true, input });
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(words);
    expect(ran.err.split("\n")).toHaveLength(2);
  }
});

test("a conversation without a terminal is a usage error if a model or a request was given", async () => {
  for (const argv of [["--offline-model"], ["--offline-model", "list the files"], ["list the files"]]) {
    const ran = await run(argv);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/^toolwright: A conversation needs a terminal[^\n]+\n$/u);
  }
});

test("without any model, terminal or request the demo runs to its end", async () => {
  const ran = await run([], { input: "" });
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out).toContain("The model is SCRIPTED");
  expect(ran.out).not.toContain("Exits when"); // no Ctrl-D was pressed
});

test("--output json prints its object even if no session can be opened", async () => {
  const stateDir = join(home, "a-file", "state");
  await writeFile(join(home, "a-file"), "");
  const argv = ["-p", "list", "--offline-model", "--state-dir", stateDir, "--output", "json"];
  const { code, out, err } = await run(argv);
  expect([code, err]).toEqual([1, expect.stringContaining(stateDir)]);
  expect(JSON.parse(out)).toMatchObject({ session: null, stopped: "failed", text: "" });
});

test("an unknown model is one line that says what to do", async () => {
  const ran = await run(["--model", "nobody/nothing", "-p", "hello"]);
  expect(ran.code).toBe(2);
  expect(ran.err).toMatch(/^toolwright: [^\n]+\n$/u);
});

test.each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
])("leaving the menu of the first run with %s ends its line", async (_, key) => {
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", ...nowhere };
  const terminal = testTerminal({ terminal: true, env, cwd: join(home, "work") });
  const over = runCli([], terminal);
  await terminal.until("Enter for 1; q leaves: ");
  terminal.type(key);
  expect(await over).toBe(1);
  expect(stripVTControlCharacters(terminal.printed())).toMatch(/Enter for 1; q leaves: \r?\n$/u);
});

test("a state directory that cannot be created is reported in one line, without a stack trace", async () => {
  const ran = await run(["--offline-model", "-p", "list", "--state-dir", "/dev/null/state"]);
  expect(ran.code).toBe(1);
  expect(ran.err).toMatch(/^toolwright: [^\n]+\n$/u);
});

test("a write error on standard output is reported unless the reader has merely gone away", async () => {
  const full = testTerminal({ env: { HOME: home } });
  full.breakOutput(Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" }));
  expect(await runCli(["--help"], full)).toBe(1);
  expect(full.reported()).toMatch(
    /^toolwright: Standard output could not be written[^\n]+: free some space[^\n]+\n$/u,
  );
  const answering = testTerminal({ env: { HOME: home }, cwd: join(home, "work") });
  answering.breakOutput(Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" }));
  expect(await runCli(["-p", "list", "--offline-model"], answering)).toBe(1);
  expect(answering.reported()).toContain("(write ENOSPC): the session is kept");
  const gone = testTerminal({ env: { HOME: home } });
  gone.breakOutput(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  expect(await runCli(["--help"], gone)).toBe(0);
  expect(gone.reported()).toBe("");
});

test("doctor prints each check on its own line", async () => {
  const ran = await run(["doctor", "--verbose"]);
  const checks = ran.out
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(0, 24).trimEnd());
  expect(checks.slice(0, 5)).toEqual(
    ["ok    Node", "ok    git", "ok    bash", "ok    ripgrep", "ok    terminals"].map((line) =>
      expect.stringContaining(line),
    ),
  );
  expect(ran.out).toContain("sandbox");
  expect(ran.code).toBe(0);
});

test("doctor fails where the state directory lies inside the workspace, and makes none there", async () => {
  const ran = await run(["doctor", "--state-dir", "state"]);
  expect(ran.code).toBe(1);
  expect(ran.out).toMatch(/^fail +state directory +The state directory .* lies inside the workspace/mu);
  await expect(stat(join(home, "work", "state", "sessions.db"))).rejects.toThrow("ENOENT");
});

test("doctor fails when sessions cannot be stored", async () => {
  const ran = await run(["doctor", "--state-dir", "/dev/null/state"]);
  expect(ran.code).toBe(1);
  expect(ran.out).toMatch(/^fail {2}database /mu);
});

test("models lists what is unreachable and why, and exits 1 when no model can be reached", async () => {
  const ran = await run(["models"]);
  expect(ran.code).toBe(1);
  expect(ran.out).toContain("Out of reach:\n");
  expect(ran.err).toContain("No model found");
});
