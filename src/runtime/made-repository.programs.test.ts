import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startContained } from "../../test/support/contained-line.ts";
import { workspaceFile } from "../base/safe-fs/state-files.ts";
import { isMadeByCommand, repositoryWatch } from "./made-repository.ts";

function place() {
  const root = mkdtempSync(join(tmpdir(), "toolwright-made-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [workspace, stateDir] = [join(root, "workspace"), join(root, "state")];
  mkdirSync(workspace);
  return { workspace, stateDir, git: (...words: string[]) => execFileSync("git", words, { cwd: workspace }) };
}

test("a repository that was made while a command ran is remembered, and another one in its place is not", async () => {
  const { git, ...at } = place();
  const isMade = repositoryWatch(at);
  await isMade();
  expect(await isMadeByCommand(at)).toBe(false);
  git("init", "-q");
  await isMade();
  expect(await isMadeByCommand(at)).toBe(true);
  renameSync(join(at.workspace, ".git"), join(at.workspace, "aside"));
  git("init", "-q");
  expect(await isMadeByCommand(at)).toBe(false);
});

test("one that was there before the command is the person's, and a damaged record is nobody's word", async () => {
  const { git, ...at } = place();
  git("init", "-q");
  await repositoryWatch(at)();
  expect(await isMadeByCommand(at)).toBe(false);
  const file = workspaceFile(at.stateDir, "made-repositories", at.workspace);
  mkdirSync(join(at.stateDir, "made-repositories"), { recursive: true });
  writeFileSync(file, "{");
  expect(await isMadeByCommand(at)).toBe(true);
});

test("a contained command that makes one is noticed, over a layer too", async () => {
  for (const isOverlaid of [false, true]) {
    const { git: _, ...at } = place();
    const run = await startContained(at, "git init -q; echo ready", { profile: "git", isOverlaid });
    await run.ended;
    expect(await isMadeByCommand(at), `${isOverlaid}`).toBe(true);
  }
});
