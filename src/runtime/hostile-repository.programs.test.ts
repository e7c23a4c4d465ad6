import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyState } from "../protocol/session-state.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { startBranch } from "../session/git-branch.ts";
import { gitReader } from "../session/workspace-record/git-reader.ts";
import { testSession } from "../testing/session.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { knowRepository, recordRepositories } from "./moved-references.ts";

const programs = [
  "filter.x.clean",
  "filter.x.smudge",
  "filter.x.process",
  "diff.x.textconv",
  "diff.external",
  "merge.x.driver",
  "core.fsmonitor",
  "core.pager",
  "gpg.program",
  "credential.helper",
];

const git = (at: string, ...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...words], { cwd: at }).toString();

/** As one program: starting each by itself takes a large process of tests far longer than they run. */
const gitEach = (at: string, lines: readonly string[]): void =>
  void execFileSync(
    "sh",
    ["-c", lines.map((line) => `git -c user.name=A -c user.email=a@b ${line}`).join(" && ")],
    {
      cwd: at,
    },
  );

/** What its programs do leaves a note in `notes`, by the key that names them. */
function hostileRepository(root: string, notes: string): void {
  mkdirSync(root, { recursive: true });
  for (const name of ["a.txt", "b"]) writeFileSync(join(root, name), "one\n");
  gitEach(root, ["init -q --template=", "add .", "-c maintenance.auto=false commit -q -m first"]);
  writeFileSync(join(root, "evil.sh"), `#!/bin/sh\ntouch ${notes}/$1\ncat\n`);
  chmodSync(join(root, "evil.sh"), 0o755);
  writeFileSync(join(root, ".gitattributes"), "*.txt filter=x diff=x merge=x\n");
  gitEach(root, [
    ...programs.map((key) => `config ${key} '${join(root, "evil.sh")} ${key}'`),
    "config log.showSignature true",
    "config pager.status true",
  ]);
  writeFileSync(join(root, "a.txt"), "two\n");
}

function made(): { root: string; notes: string } {
  const notes = mkdtempSync(join(tmpdir(), "toolwright-notes-"));
  const root = join(notes, "..", `${notes}-work`);
  onTestFinished(() => [notes, root].forEach((path) => rmSync(path, { recursive: true, force: true })));
  return { root, notes };
}

/** In a session without a sandbox, and without a question. */
async function run(root: string, command: string): Promise<string> {
  const workspace = { ...(await temporaryWorkspace({})), root };
  const model = scriptedModel([[{ call: "run_command", with: { command } }], [{ say: "Done." }]]);
  const { session, ask, facts, close } = await testSession(model, { mode: "ask", workspace });
  onTestFinished(close);
  const verdicts: string[] = [];
  session.log.listen((event) => event.type === "decision" && verdicts.push(event.verdict));
  await ask("Go.");
  expect(verdicts).toEqual(["allow"]);
  const results = facts().flatMap((fact) => (fact.type === "result" ? fact.content : []));
  return results.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

test.each([
  "git status",
  "git diff",
  "git diff --stat HEAD",
  "git log -p --show-signature",
  "git show HEAD",
  "git grep -n one",
  "git blame a.txt",
  "git stash list",
  "env git -C . diff",
  "bash -c 'git diff'",
  'g""it diff',
])("without a sandbox, %s runs no program that the repository names", async (line) => {
  const { root, notes } = made();
  hostileRepository(root, notes);
  await run(root, line);
  expect(readdirSync(notes)).toEqual([]);
});

test.each<[string, (root: string, notes: string) => string, string]>([
  ["in a directory of the workspace", (root) => join(root, "lib", "sub"), "cd lib/sub && git diff"],
  ["among packages", (root) => join(root, "node_modules", "sub"), "git -C node_modules/sub diff"],
  ["around the workspace", (root) => dirname(root), "git diff"],
])("nor if the repository is %s", async (_, place, line) => {
  const { root: above, notes } = made();
  const root = join(above, "work");
  mkdirSync(root, { recursive: true });
  hostileRepository(place(root, notes), notes);
  await run(root, line);
  expect(readdirSync(notes)).toEqual([]);
});

test("nor if a file that its settings include names it, or its directory is elsewhere", async () => {
  const { root, notes } = made();
  hostileRepository(root, notes);
  renameSync(join(root, ".git"), join(root, "kept"));
  writeFileSync(join(root, ".git"), "gitdir: kept\n");
  renameSync(join(root, "kept", "config"), join(root, "kept", "other"));
  writeFileSync(join(root, "kept", "config"), "[include]\n\tpath = other\n");
  git(root, "worktree", "add", "-q", "--no-checkout", "tree");
  writeFileSync(join(root, "tree", ".gitattributes"), "*.txt filter=x diff=x\n");
  git(join(root, "tree"), "-c", "filter.x.clean=", "-c", "filter.x.process=", "read-tree", "HEAD");
  writeFileSync(join(root, "tree", "a.txt"), "two\n");
  for (const name of readdirSync(notes)) rmSync(join(notes, name));
  await run(root, "git diff; cd tree && git diff && git status");
  expect(readdirSync(notes)).toEqual([]);
});

test("nor if the workspace holds too much to be searched for it", async () => {
  const { root, notes } = made();
  for (let at = 0; at < 4_000; at += 1) mkdirSync(join(root, "d", `${at}`), { recursive: true });
  hostileRepository(join(root, "d", "9999", "sub"), notes);
  await run(root, "cd d/9999/sub && git diff # init");
  expect(readdirSync(notes)).toEqual([]);
});

test("and what git shows is what is there", async () => {
  const { root, notes } = made();
  hostileRepository(root, notes);
  git(root, "config", "--unset", "diff.external");
  expect(await run(root, "git diff")).toMatch(/-one.*\+two/su);
});

test("what Toolwright itself asks git runs none of them either", async () => {
  const { root, notes } = made();
  hostileRepository(root, notes);
  const place = { workspace: root, env: { PATH: process.env["PATH"] ?? "", HOME: notes } };
  const reader = gitReader(place);
  const index = await reader.index(root);
  const wanted = index?.files.map(({ id, size }) => ({ id, size })) ?? [];
  expect(await reader.contents(root, wanted)).toHaveProperty("size", 1);
  await reader.ignored(root, ["a.txt"]);
  await reader.remotes(root);
  await reader.settings(root, "all");
  await knowRepository(place);
  const record = await recordRepositories(root, { directory: root, env: place.env });
  rmSync(join(root, ".gitattributes")); // for this command of git alone
  git(root, "-c", "core.fsmonitor=false", "commit", "-q", "--allow-empty", "-m", "second");
  writeFileSync(join(root, ".gitattributes"), "*.txt filter=x diff=x merge=x\n");
  expect((await record.changes()).changes).toHaveLength(1);
  expect(await record.takeBack()).toEqual([]);
  expect(git(root, "-c", "core.pager=cat", "log", "--no-show-signature", "--format=%s")).toBe("first\n");
  const started = await startBranch(place, { ...emptyState(), session: "0".repeat(26), title: "more" });
  expect(started?.ok).toBe(true);
  expect(readdirSync(notes)).toEqual([]);
});
