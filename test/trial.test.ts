/** A program that nobody knows runs contained before anybody agrees, and what it changed is decided on afterwards. */

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { awaitsPerson } from "../src/protocol/session-state.ts";
import { scripted } from "../src/providers/scripted.ts";
import { findSandbox } from "../src/runtime/containing.ts";
import { testSession, type TestSessionOptions } from "../src/testing/session.ts";

let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "toolwright-frob-"));
  mkdirSync(join(home, "bin"));
  const program = join(home, "bin", "frobnicate");
  writeFileSync(
    program,
    '#!/bin/sh\nfor file; do echo "formatted $file" >"$file"; done\necho "frobbed $# files"\n',
  );
  chmodSync(program, 0o755);
  process.env.FROB_HOME = home;
  process.env.PATH = `${join(home, "bin")}:${process.env.PATH}`;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const files = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", ".gitignore": "cache/\n" };

async function opened(command: string, options: Partial<TestSessionOptions> = {}) {
  const model = scripted([[{ call: "run_command", with: { command } }], [{ say: "Done." }]]);
  const made = await testSession(model, { files, sandbox: findSandbox, ...options });
  onTestFinished(() => made.workspace.remove());
  const { root } = made.workspace;
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const questions = () => made.facts().flatMap((fact) => (fact.type === "approval-asked" ? [fact] : []));
  const result = () => made.facts().find(({ type }) => type === "result");
  return { ...made, root, read, questions, result };
}

const all = "frobnicate a.txt b.txt c.txt";

test("an unknown program that formats three files asks nothing before, shows one card after, and undo is exact", async () => {
  const { ask, session, read, questions, result } = await opened(all);
  await ask("Format.", "allow");
  expect(questions()).toHaveLength(1);
  expect(questions()[0]).toMatchObject({
    title: `Keep the changes of: Run ${all}`,
    preview: expect.stringContaining("+formatted b.txt"),
  });
  expect(questions()[0]?.changes?.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "c.txt"]);
  expect(result()).toMatchObject({ outcome: "ok" });
  expect(JSON.stringify(result())).toContain("frobbed 3 files");
  expect(["a.txt", "b.txt", "c.txt"].map(read).join("")).toBe(
    "formatted a.txt\nformatted b.txt\nformatted c.txt\n",
  );
  expect(session.log.state.turns.at(-1)?.changes.map(({ path }) => path)).toEqual([
    "a.txt",
    "b.txt",
    "c.txt",
  ]);
});

test("refused changes never reach the workspace, and the model is told", async () => {
  const { ask, read, result } = await opened(all);
  await ask("Format.", "deny");
  expect(result()).toMatchObject({ outcome: "denied" });
  expect(JSON.stringify(result())).toMatch(/frobbed 3 files.*The user did not keep what it changed/u);
  expect(["a.txt", "b.txt", "c.txt"].map(read).join("")).toBe("a\nb\nc\n");
});

test("nothing is asked about a command that changes nothing, or only what git ignores, which is kept", async () => {
  const { ask, questions, read } = await opened("mkdir -p cache && frobnicate && frobnicate cache/x");
  await ask("Format.");
  expect(questions()).toEqual([]);
  expect(read("cache/x")).toBe("formatted cache/x\n");
});

test.each(["accept-edits", "auto"] as const)("the mode %s keeps the changes at once", async (mode) => {
  const { ask, questions, read } = await opened(all, { mode });
  await ask("Format.");
  expect(questions()).toEqual([]);
  expect(read("a.txt")).toBe("formatted a.txt\n");
});

test.each(["plan", "deny"] as const)("the mode %s drops the changes and tells the model", async (mode) => {
  const { ask, questions, read, result } = await opened(all, { mode });
  await ask("Format.");
  expect(questions()).toEqual([]);
  expect(read("a.txt")).toBe("a\n");
  expect(JSON.stringify(result())).toMatch(
    /frobbed 3 files.*What it changed was not kept \(a.txt, b.txt, c.txt\)/u,
  );
});

test("without anybody to ask, the changes are dropped and the model is told", async () => {
  const { ask, read, result } = await opened(all, { interactive: false });
  await ask("Format.");
  expect(read("a.txt")).toBe("a\n");
  expect(JSON.stringify(result())).toContain("there is nobody to ask");
});

test("a turn that waits for the answer goes on in another process, and takes no change of a file that differs by then", async () => {
  const first = await opened(all);
  const { session, workspace, store, root } = first;
  await session.command({ type: "send", content: [{ type: "text", text: "Format." }] });
  await session.log.until(({ type }) => type === "approval-asked", AbortSignal.timeout(60_000));
  expect(awaitsPerson(session.log.state)).toBe(true);
  await expect.poll(() => session.isWorking).toBe(false);
  await session.close();
  writeFileSync(join(root, "b.txt"), "mine\n");
  const again = await testSession(scripted([[{ say: "Done." }]]), {
    workspace,
    store,
    resume: session.log.state.session,
    sandbox: findSandbox,
  });
  const { callId = "" } = first.questions()[0] ?? {};
  await again.session.command({
    type: "answer-approval",
    callId,
    answer: "allow",
    scope: "once",
    by: "test",
  });
  await again.session.idle();
  const result = again.facts().find(({ type }) => type === "result");
  expect(result).toMatchObject({ outcome: "failed" });
  expect(JSON.stringify(result)).toContain("b.txt has changed since this was shown");
  expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("mine\n");
  expect(existsSync(join(root, "a.txt"))).toBe(true);
});
