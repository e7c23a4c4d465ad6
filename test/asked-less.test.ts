/** What was asked about and needs no question: the evidence comes from where it runs, or from what it made. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { JsonObject } from "../src/base/json.ts";
import { runCli } from "../src/cli/main.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { findSandbox } from "../src/runtime/containing.ts";
import { testSession, type TestSessionOptions } from "../src/testing/session.ts";
import { testTerminal } from "../src/tui/testing/terminal.ts";
import { gitHost, openGitServer } from "./support/git-server.ts";

async function opened(calls: readonly JsonObject[], options: TestSessionOptions = {}) {
  const model = scriptedModel([
    ...calls.map((input) => [{ call: "run_command", with: input }]),
    [{ say: "Done." }],
  ]);
  const made = await testSession(model, { sandbox: findSandbox, mode: "auto", ...options });
  onTestFinished(() => made.workspace.remove());
  const { root } = made.workspace;
  const git = (...words: string[]): void => void execFileSync("git", words, { cwd: root, stdio: "ignore" });
  const questions = () => made.facts().flatMap((fact) => (fact.type === "approval-asked" ? [fact] : []));
  const results = () => made.facts().filter(({ type }) => type === "result");
  return { ...made, root, git, questions, results };
}

/** A program outside, known by its words, that runs until it is ended. */
async function programOutside(mark: string) {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume(); console.log(1)", mark]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

test("what ends processes by name ends none outside without a question, and after one it does", async () => {
  const mark = `asked-less-${process.pid}`;
  const child = await programOutside(mark);
  const command = `pkill -f '[a]${mark.slice(1)}'`; // not its own shell
  const outside = ["other processes"];
  const { ask, questions, results } = await opened([{ command }, { command, outside }]);
  const ended = once(child, "exit");
  await ask("Stop it.", "allow");
  expect(questions().map(({ because }) => because)).toEqual(["it may reach other processes"]);
  const [first, second] = results();
  expect(JSON.stringify(first)).toContain(
    'ended none outside. If one outside is meant, run the same command once more with outside: [\\"other processes\\"]',
  );
  expect(second).toMatchObject({ outcome: "ok" });
  expect(await ended).toEqual([null, "SIGTERM"]);
});

test("a command whose program the call before it puts in its place is judged by what is there when its turn comes", async () => {
  const links = mkdtempSync(join(tmpdir(), "toolwright-path-"));
  const files = { "tools/ps": `#!/bin/sh\necho mine >${links}/ran-outside\n`, "bin/.keep": "" };
  const model = scriptedModel([
    [
      { call: "run_command", with: { command: "cp tools/ps bin/ps && chmod +x bin/ps" } },
      { call: "run_command", with: { command: "ps aux" } },
    ],
    [{ say: "Done." }],
  ]);
  vi.stubEnv("PATH", `${join(links, "bin")}:${process.env["PATH"] ?? ""}`);
  const made = await testSession(model, { sandbox: findSandbox, mode: "auto", files });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    rmSync(links, { recursive: true });
    await made.workspace.remove();
  });
  symlinkSync(join(made.workspace.root, "bin"), join(links, "bin"));
  await made.ask("Look.", "deny");
  expect(existsSync(join(links, "ran-outside"))).toBe(false);
  expect(made.facts().filter(({ type }) => type === "result")).toHaveLength(2);
});

test("a template is copied to where no secret is without a question, and nothing else is", async () => {
  const files = { ".env.example": "PORT=3000\n", ".gitignore": ".env.local\n" };
  const command = "[ -f .env.local ] || cp .env.example .env.local";
  const first = await opened([{ command }], { files });
  await first.ask("Set it up.");
  expect(first.questions()).toEqual([]);
  expect(readFileSync(join(first.root, ".env.local"), "utf8")).toBe("PORT=3000\n");

  const there = await opened([{ command }], { files: { ...files, ".env.local": "KEY=1\n" } });
  await there.ask("Set it up.", "deny");
  expect(there.questions()).toHaveLength(1);
  expect(readFileSync(join(there.root, ".env.local"), "utf8")).toBe("KEY=1\n");

  // What the session has written itself is shown, by whatever name.
  const written = await opened(
    [{ command: "echo NODE_OPTIONS=--require=./x.js > .env.example" }, { command }],
    { files },
  );
  await written.ask("Set it up.", "deny");
  expect(written.questions()).toHaveLength(1);
  expect(existsSync(join(written.root, ".env.local"))).toBe(false);

  const linked = await opened([{ command: `ln -f .env.example x && cp .env.example .env.local` }], { files });
  await linked.ask("Set it up.", "deny");
  expect(linked.questions()).toHaveLength(1);
});

test("in the mode auto git fetches from the project's own remote without a question, and in others it asks", async () => {
  const server = await openGitServer();
  onTestFinished(() => server.close());
  const address = `https://${gitHost}:${server.port}/shop.git`;
  const command = "git fetch origin 2>&1";
  const calls = [{ command }];
  const registries = [`${gitHost}:${server.port}`];
  const prepared = async (options: TestSessionOptions) => {
    const made = await opened(calls, { files: { "a.txt": "a\n" }, ...options });
    const { git, root } = made;
    const served = join(server.directory, "shop.git");
    rmSync(served, { recursive: true, force: true });
    const me = ["-c", "user.name=A", "-c", "user.email=a@b.example"];
    git("init", "--quiet", "--initial-branch=main");
    git("add", ".");
    git(...me, "commit", "--quiet", "--message=first");
    git("clone", "--quiet", "--bare", ".", served);
    git("remote", "add", "origin", address);
    writeFileSync(join(root, "server.pem"), server.certificate);
    // Relative: the name of a directory for tests may look like a secret, and such a setting is not shown.
    git("config", "--global", "http.sslCAInfo", "server.pem");
    return made;
  };
  const free = await prepared({ registries });
  await free.ask("Fetch.");
  expect(free.questions()).toEqual([]);
  expect(free.results()).toMatchObject([{ outcome: "ok" }]);
  expect(existsSync(join(free.root, ".git/refs/remotes/origin/main"))).toBe(true);
  expect(free.facts().find(({ type }) => type === "decision")).toMatchObject({
    trace: expect.arrayContaining([
      {
        layer: "sandbox",
        verdict: "allow",
        because: `it runs in the sandbox (git), and reaches ${gitHost}:${server.port} only`,
      },
    ]),
    sandbox: { profile: "git", isOn: true, outside: [`${gitHost}:${server.port}`] },
  });

  for (const options of [{ registries, mode: "ask" as const }, { registries: [] }]) {
    const asking = await prepared(options);
    await asking.ask("Fetch.", "deny");
    expect(asking.questions().map(({ because }) => because)).toEqual(["it must run with the network"]);
  }
});

test("a repository that the session's commands have made themselves is no word of the project's", async () => {
  const make = `mkdir -p made && git init -q made && git -C made config remote.origin.url https://github.com/a/b && mv made/.git .git || python3 -c "import shutil; shutil.move('made/.git', '.git')"`;
  const { ask, questions } = await opened([{ command: make }, { command: "git fetch origin" }]);
  await ask("Go.", "deny");
  expect(questions().at(-1)?.title).toContain("git fetch");
});

test("explain knows what the project's own remote may be asked without a question", async () => {
  const { root, git } = await opened([], { files: {} });
  git("init", "--quiet");
  git("remote", "add", "origin", "https://github.com/acme/shop.git");
  const explained = async (mode: string): Promise<unknown> => {
    const terminal = testTerminal({ env: { HOME: root, PATH: process.env["PATH"] ?? "" }, cwd: root });
    await runCli(["explain", "--output", "json", "--mode", mode, "git fetch origin"], terminal);
    const { verdict }: { verdict: unknown } = JSON.parse(terminal.printed());
    return verdict;
  };
  expect([await explained("auto"), await explained("ask")]).toEqual(["allow", "ask"]);
});

test("once a host may be read for the session, curl and wget read there without a question, and nothing else is reached", async () => {
  const calls = [
    "curl -sS -m 9 https://docs.invalid/a",
    "wget -T 9 -t 1 https://docs.invalid/b.csv -O b.csv",
    "curl -sS -m 9 https://other.invalid/what-i-know",
  ];
  const { session, questions, results, facts } = await opened(calls.map((command) => ({ command })));
  const leave = session.log.listen((event) => {
    if (event.type !== "approval-asked") return;
    const about = { type: "answer-approval", callId: event.callId, by: "test" } as const;
    const isFirst = questions().length === 1;
    const reply = isFirst
      ? ({ ...about, answer: "allow", scope: "session" } as const)
      : ({ ...about, answer: "deny", scope: "once" } as const);
    queueMicrotask(() => void session.command(reply));
  });
  await session.command({ type: "send", content: [{ type: "text", text: "Load them." }] });
  await session.log.until((entry) => entry.type === "turn-end", new AbortController().signal);
  leave();
  expect(questions().map(({ title, grant }) => ({ title, grant }))).toEqual([
    { title: `Run ${calls[0]}`, grant: "every fetch from docs.invalid, by curl and wget too" },
    { title: `Run ${calls[2]}`, grant: "every fetch from other.invalid, by curl and wget too" },
  ]);
  expect(results().map((result) => ("outcome" in result ? result.outcome : ""))).toEqual([
    "failed",
    "failed",
    "denied",
  ]);
  const decisions = facts().flatMap((fact) => (fact.type === "decision" ? [fact.sandbox] : []));
  expect(decisions[1]).toMatchObject({ profile: "install", isOn: true, outside: ["docs.invalid:443"] });
  expect(JSON.stringify(results()[1])).toContain("[docs.invalid was not found.]");
});
