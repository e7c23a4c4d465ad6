/** A pull that brings what is protected, by a real git from a real repository. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { testSession } from "../src/testing/session.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";
import { wholeTree } from "./support/whole-tree.ts";

/** A workspace behind its origin by a commit that brings these files. */
async function behind(
  command: string,
  brought: Readonly<Record<string, string>>,
  given: readonly string[] = [],
) {
  const workspace = await temporaryWorkspace({});
  const outside = given.map((path) => join(realpathSync(workspace.root), path));
  const input = { command, ...(outside.length > 0 ? { outside } : {}) };
  const model = scriptedModel([[{ call: "run_command", with: input }], [{ say: "Done." }]]);
  const made = await testSession(model, { sandbox: findSandbox, mode: "auto", workspace });
  const elsewhere = mkdtempSync(join(tmpdir(), "toolwright-origin-"));
  onTestFinished(async () => {
    rmSync(elsewhere, { recursive: true });
    await made.workspace.remove();
  });
  const { root } = made.workspace;
  const gitIn = (cwd: string, ...words: string[]): string =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...words], {
      cwd,
      stdio: ["ignore", "pipe", "ignore"],
    }).toString();
  const put = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(elsewhere, path)), { recursive: true });
      writeFileSync(join(elsewhere, path), text);
    }
  };
  gitIn(elsewhere, "init", "-q", "-b", "main");
  put({ "a.txt": "one\n", ".vscode/settings.json": "{}\n" });
  gitIn(elsewhere, "add", "-A");
  gitIn(elsewhere, "commit", "-qm", "first");
  gitIn(root, "init", "-q", "-b", "main");
  gitIn(root, "remote", "add", "origin", elsewhere);
  gitIn(root, "pull", "-q", "origin", "main");
  gitIn(root, "branch", "--set-upstream-to=origin/main");
  put(brought);
  gitIn(elsewhere, "add", "-A");
  gitIn(elsewhere, "commit", "-qm", "second");
  const git = (...words: string[]): string => gitIn(root, ...words);
  return { ...made, root, git };
}

const brought = {
  "a.txt": "two\n",
  ".vscode/settings.json": '{ "x": 1 }\n',
  ".vscode/tasks.json": "{}\n",
  "b.txt": "b\n",
};

test("an approved pull that brings protected places brings all of it", async () => {
  const { ask, git, root } = await behind("git pull -q", brought);
  await ask("Pull.");
  expect(git("status", "--porcelain=v2", "--branch")).toContain("# branch.ab +0 -0");
  expect(wholeTree(root)[".vscode/tasks.json"]).toContain("{}");
});

test.each([
  "git merge -q origin/main",
  "git rebase -q origin/main",
  "git checkout -q -B main origin/main",
  "git reset -q --hard origin/main",
])("what git cannot do whole where places are protected, it does not do: %s", async (line) => {
  const { ask, session, git, facts, root } = await behind(line, brought);
  git("fetch", "-q");
  const standing = () => [wholeTree(root), git("status", "--porcelain=v2", "--branch"), git("for-each-ref")];
  const before = standing();
  await ask("Do it.");
  expect(standing()).toEqual(before);
  expect(JSON.stringify(facts().filter(({ type }) => type === "result"))).toContain(
    "So nothing of this command was kept: files, branches and what is staged are as they were before it.",
  );
  expect(await session.command({ type: "undo" })).toMatchObject({ ok: false });
});

test("given the protected place, git does it after a question", async () => {
  const { ask, git, facts } = await behind("git merge -q origin/main", brought, [".vscode"]);
  git("fetch", "-q");
  await ask("Do it.");
  expect(facts().find(({ type }) => type === "approval-asked")).toMatchObject({
    because: expect.stringContaining("it is given"),
    sandbox: { profile: "open" },
  });
  expect(git("status", "--porcelain")).toBe("");
  expect(git("rev-parse", "HEAD")).toBe(git("rev-parse", "origin/main"));
});
