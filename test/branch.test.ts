/** A git branch for a session, made before its first change, with real git and with hostile repositories. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry } from "../src/protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { openMemoryStore } from "../src/session/sqlite/memory-store.ts";
import { testSession, type TestSession, type TestSessionOptions } from "../src/testing/session.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "../src/testing/workspace.ts";

const writes = (path = "new.txt"): ScriptedAnswer => [
  { call: "write_file", with: { path, content: "new\n" } },
];
const done: ScriptedAnswer = [{ say: "Done." }];

const plain = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", HOME: "/nonexistent" };
const who = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"];
const gitAt =
  (directory: string) =>
  (...words: string[]): string =>
    execFileSync("git", [...who, ...words], {
      cwd: directory,
      env: { PATH: process.env["PATH"], ...plain },
      stdio: ["ignore", "pipe", "pipe"],
    })
      .toString()
      .trim();

type Repository = TemporaryWorkspace & { git: (...words: string[]) => string };

async function repository(files: Record<string, string> = { "a.txt": "one\n" }): Promise<Repository> {
  const workspace = await temporaryWorkspace(files);
  const git = gitAt(workspace.root);
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  return { ...workspace, git };
}

async function worked(
  workspace: TemporaryWorkspace,
  {
    request = "Fix the Parser, s'il te plaît!",
    answers = [writes(), done],
    ...options
  }: Partial<TestSessionOptions & { request: string; answers: ScriptedAnswer[] }> = {},
): Promise<TestSession> {
  const session = { mode: "accept-edits", gitBranch: "session", workspace, ...options } as const;
  const opened = await testSession(scriptedModel(answers), session);
  await opened.ask(request);
  return opened;
}

const of = <T extends Entry["type"]>({ facts }: TestSession, type: T) =>
  facts().filter((fact): fact is Extract<Entry, { type: T }> => fact.type === type);
const types = ({ facts }: TestSession): string[] => facts().map(({ type }) => type);

test("A5: a session gets its own branch before its first change, and the fact records where it started", async () => {
  const workspace = await repository();
  const commit = workspace.git("rev-parse", "HEAD");
  const opened = await worked(workspace);
  const name = `toolwright/${opened.session.id.slice(-6)}-fix-the-parser-s-il-te-plait`;
  expect(of(opened, "branch")).toMatchObject([{ name, from: "main", commit }]);
  expect(types(opened).indexOf("branch")).toBeLessThan(types(opened).indexOf("call-start"));
  expect(workspace.git("branch", "--show-current")).toBe(name);
  expect(workspace.git("rev-parse", "HEAD")).toBe(commit);
  workspace.git("switch", "--quiet", "-");
  expect(workspace.git("branch", "--show-current")).toBe("main");
  await opened.close();
  await workspace.remove();
});

test("uncommitted work stays untouched on the new branch: staged, changed, deleted, new and ignored files", async () => {
  const workspace = await repository({
    "a.txt": "one\n",
    "b.txt": "b\n",
    "c.txt": "c\n",
    ".gitignore": "*.log\n",
  });
  const { root, git } = workspace;
  await writeFile(join(root, "a.txt"), "staged\n");
  git("add", "a.txt");
  await writeFile(join(root, "a.txt"), "changed\n");
  await rm(join(root, "b.txt"));
  await writeFile(join(root, "own.txt"), "own\n");
  await writeFile(join(root, "x.log"), "log\n");
  const status = (): string => git("status", "--porcelain=v1", "--ignored");
  const before = status();
  const opened = await worked(workspace);
  expect(status()).toBe(before.replace("?? own.txt", "?? new.txt\n?? own.txt"));
  expect(await workspace.read("a.txt")).toBe("changed\n");
  expect(git("show", ":a.txt")).toBe("staged");
  await opened.close();
  await workspace.remove();
});

test("no branch is made for a session that only reads, only stages, or has branches switched off", async () => {
  const workspace = await repository();
  const read: ScriptedAnswer = [{ call: "read_file", with: { path: "a.txt" } }];
  const look: ScriptedAnswer = [{ call: "run_command", with: { command: "cat a.txt" } }];
  const opened = [
    await worked(workspace, { answers: [read, look, done] }),
    await worked(workspace, { gitBranch: "off" }),
    await worked(workspace, { mode: "staged" }),
  ];
  for (const each of opened) {
    expect(of(each, "branch")).toEqual([]);
    await each.close();
  }
  expect(workspace.git("branch", "--format=%(refname:short)")).toBe("main");
  await workspace.remove();
});

test("the branch is also made before a command that may change files, and only once per session", async () => {
  const workspace = await repository();
  const command: ScriptedAnswer = [{ call: "run_command", with: { command: "touch made.txt" } }];
  const opened = await worked(workspace, { mode: "ask", answers: [command, writes(), done] });
  expect(of(opened, "branch").length).toBe(1);
  expect(types(opened).indexOf("branch")).toBeLessThan(types(opened).indexOf("call-start"));
  await opened.close();
  await workspace.remove();
});

test.each<[string, (repository: Repository) => Promise<void> | void, string]>([
  [
    "a merge",
    async ({ git, root }) => {
      git("switch", "--quiet", "--create", "other");
      await writeFile(join(root, "a.txt"), "two\n");
      git("commit", "--quiet", "--all", "--message", "two");
      git("switch", "--quiet", "main");
      await writeFile(join(root, "a.txt"), "three\n");
      git("commit", "--quiet", "--all", "--message", "three");
      expect(() => git("merge", "other")).toThrow();
    },
    "a merge is in progress",
  ],
  [
    "a rebase",
    async ({ git, root }) => {
      git("switch", "--quiet", "--create", "other");
      await writeFile(join(root, "a.txt"), "two\n");
      git("commit", "--quiet", "--all", "--message", "two");
      git("switch", "--quiet", "main");
      await writeFile(join(root, "a.txt"), "three\n");
      git("commit", "--quiet", "--all", "--message", "three");
      expect(() => git("rebase", "other")).toThrow();
    },
    "a rebase is in progress",
  ],
  ["a bisection", ({ git }) => void git("bisect", "start"), "a bisection is in progress"],
  [
    "a branch in its way",
    ({ git }) => void git("branch", "toolwright"),
    "git cannot make the branch toolwright/",
  ],
  ["a lock", ({ root }) => writeFile(join(root, ".git/HEAD.lock"), ""), "git cannot check out the branch"],
])(
  "with %s in the repository, the session warns once, makes no branch and continues",
  async (_name, begin, because) => {
    const workspace = await repository();
    await begin(workspace);
    const head = (): string => execFileSync("cat", [join(workspace.root, ".git/HEAD")]).toString();
    const before = head();
    const opened = await worked(workspace, {
      answers: [writes("x.txt"), writes("y.txt"), done, writes("z.txt"), done],
    });
    await opened.ask("More.");
    expect(of(opened, "branch")).toEqual([]);
    expect(of(opened, "warning")).toMatchObject([{ code: "no-branch" }]);
    expect(of(opened, "warning")[0]?.text).toContain(`The session has no branch of its own: ${because}`);
    expect(head()).toBe(before);
    expect(workspace.git("branch", "--list", "toolwright/*")).toBe("");
    expect(await workspace.read("z.txt")).toBe("new\n");
    await opened.close();
    await workspace.remove();
  },
);

test("without a repository nothing is reported; a repository without a commit gives a warning", async () => {
  const bare = await temporaryWorkspace({});
  const none = await worked(bare);
  expect(types(none)).not.toContain("warning");
  await none.close();
  gitAt(bare.root)("init", "--quiet");
  const unborn = await worked(bare, { answers: [writes("other.txt"), done] });
  expect(of(unborn, "warning")[0]?.text).toContain("the repository has no commit yet");
  await unborn.close();
  await bare.remove();
});

test("a workspace inside a repository gets a branch unless git ignores the workspace", async () => {
  const outer = await repository({ "known/a.txt": "a\n", ".gitignore": "unknown/\n" });
  await mkdir(join(outer.root, "unknown"));
  const at = (name: string): TemporaryWorkspace => ({ ...outer, root: join(outer.root, name) });
  const unknown = await worked(at("unknown"));
  expect(of(unknown, "branch")).toEqual([]);
  expect(types(unknown)).not.toContain("warning");
  const known = await worked(at("known"));
  expect(of(known, "branch")).toMatchObject([{ from: "main" }]);
  await unknown.close();
  await known.close();
  await outer.remove();
});

test("a branch is made despite a detached head, a taken name and a request without letters", async () => {
  const workspace = await repository();
  workspace.git("switch", "--quiet", "--detach");
  const opened = await testSession(scriptedModel([writes(), done]), {
    mode: "accept-edits",
    gitBranch: "session",
    workspace,
  });
  const short = opened.session.id.slice(-6);
  workspace.git("branch", `toolwright/${short}`);
  await opened.ask("直して!");
  expect(of(opened, "branch")).toMatchObject([{ name: `toolwright/${short}-2`, from: "" }]);
  await opened.close();
  await workspace.remove();
});

test("a session resumed on another branch warns once and switches nothing, and neither does undo", async () => {
  const workspace = await repository();
  const store = openMemoryStore();
  const first = await worked(workspace, { store });
  const { id } = first.session;
  await first.session.close();
  workspace.git("switch", "--quiet", "main");
  const again = await worked(workspace, {
    store,
    resume: id,
    request: "More.",
    answers: [writes("x.txt"), done, writes("y.txt"), done],
  });
  await again.ask("And more.");
  expect(of(again, "warning")).toMatchObject([{ code: "other-branch" }]);
  expect(of(again, "warning")[0]?.text).toContain("main is checked out now");
  expect(of(again, "branch").length).toBe(1);
  expect(workspace.git("branch", "--show-current")).toBe("main");
  expect(await again.session.command({ type: "undo" })).toEqual({ ok: true });
  expect(workspace.git("branch", "--show-current")).toBe("main");
  await again.close();
  await workspace.remove();
});

test("a linked worktree and a SHA-256 repository get a branch, and no other worktree is switched", async () => {
  const workspace = await repository();
  const linked = await temporaryWorkspace({});
  workspace.git("worktree", "add", "--quiet", "--detach", join(linked.root, "tree"));
  const tree: TemporaryWorkspace = { ...linked, root: join(linked.root, "tree") };
  const opened = await worked(tree);
  expect(of(opened, "branch")).toMatchObject([{ from: "" }]);
  expect(gitAt(tree.root)("branch", "--show-current")).toBe(of(opened, "branch")[0]?.name);
  expect(workspace.git("branch", "--show-current")).toBe("main");
  await opened.close();
  await workspace.remove();
  await linked.remove();

  const long = await temporaryWorkspace({ "a.txt": "one\n" });
  const git = gitAt(long.root);
  git("init", "--quiet", "--object-format=sha256");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  const other = await worked(long);
  expect(of(other, "branch")).toMatchObject([{ from: "main", commit: git("rev-parse", "HEAD") }]);
  await other.close();
  await long.remove();
});

test("after a crash between the branch and its fact, the existing branch is reused", async () => {
  const workspace = await repository();
  const opened = await testSession(scriptedModel([writes(), done]), {
    mode: "accept-edits",
    gitBranch: "session",
    workspace,
  });
  const name = `toolwright/${opened.session.id.slice(-6)}-something-else`;
  workspace.git("switch", "--quiet", "--create", name);
  await opened.ask("Fix it.");
  expect(of(opened, "branch")).toMatchObject([{ name, from: "main" }]);
  expect(workspace.git("branch", "--show-current")).toBe(name);
  await opened.close();
  await workspace.remove();
});

test("a hostile repository runs nothing: hooks, fsmonitor, filters, a pager, an alias", async () => {
  const workspace = await repository({ "a.txt": "one\n", ".gitattributes": "* filter=evil diff=evil\n" });
  const { root, git } = workspace;
  const elsewhere = await mkdtemp(join(tmpdir(), "toolwright-evil-"));
  const proof = join(elsewhere, "ran");
  const evil = join(root, ".git", "evil.sh");
  await writeFile(evil, `#!/bin/sh\necho "$0 $*" >> ${proof}\ncat\n`);
  await chmod(evil, 0o755);
  for (const hook of ["post-checkout", "reference-transaction", "post-index-change", "pre-commit"]) {
    await writeFile(join(root, ".git/hooks", hook), `#!/bin/sh\necho ${hook} >> ${proof}\n`);
    await chmod(join(root, ".git/hooks", hook), 0o755);
  }
  for (const [key, value] of [
    ["core.fsmonitor", evil],
    ["core.hooksPath", join(root, ".git/hooks")],
    ["core.pager", evil],
    ["filter.evil.clean", evil],
    ["filter.evil.smudge", evil],
    ["diff.evil.command", evil],
    ["alias.symbolic-ref", `!${evil}`],
    ["alias.update-ref", `!${evil}`],
  ] as const)
    git("config", key, value);
  git("update-ref", "refs/heads/trap", "HEAD"); // with unprotected git the trap is triggered
  expect(existsSync(proof)).toBe(true);
  await rm(proof);
  await writeFile(join(root, "a.txt"), "changed\n");
  const opened = await worked(workspace);
  expect(of(opened, "branch").length).toBe(1);
  expect(existsSync(proof)).toBe(false);
  await opened.close();
  await workspace.remove();
  await rm(elsewhere, { recursive: true });
});
