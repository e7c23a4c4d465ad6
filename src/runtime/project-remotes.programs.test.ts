/** Which hosts a fetch may reach follows git's own word for where the remotes lead, and only in a repository older than the session. */

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Mode } from "../protocol/facts.ts";
import type { SessionState } from "../protocol/session-state.ts";
import { judgeCommand } from "../safety/judge.ts";
import type { Subject } from "../safety/subject.ts";
import { repositoryWatch } from "./made-repository.ts";
import { policyFor } from "./policy.ts";
import { withChosenHosts } from "./project-remotes.ts";

const forge = "https://github.com/acme/shop.git";

/** A repository whose settings are there before a session that begins a minute from now. */
function place(settings = `[remote "origin"]\n\turl = ${forge}\n`, own = "") {
  const root = mkdtempSync(join(tmpdir(), "toolwright-remotes-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [home, workspace] = [join(root, "home"), join(root, "home", "shop")];
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(home, ".gitconfig"), own);
  for (const part of ["objects", "refs"]) mkdirSync(join(workspace, ".git", part), { recursive: true });
  writeFileSync(join(workspace, ".git", "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(workspace, ".git", "config"), `[core]\n\tbare = false\n${settings}`);
  return { home, workspace };
}

async function reached(
  { home, workspace }: ReturnType<typeof place>,
  line = "git fetch origin",
  {
    mode = "auto",
    begins = 60_000,
    above = {},
  }: { mode?: Mode; begins?: number; above?: Pick<SessionState, "parent"> } = {},
) {
  const subject: Subject = {
    tool: "run_command",
    does: "execute",
    paths: [],
    command: line,
    judgement: judgeCommand(line, { home, workspace, directory: workspace }),
  };
  const about = { workspace, home, rules: [], sandbox: { isOn: true }, interactive: true };
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home };
  const state = { ...above, turns: [{ startedAt: Date.now() + begins }] };
  const context = {
    policy: policyFor(about, mode, []),
    setup: { workspace, environment, stateDir: join(home, "state") },
    state,
  };
  return (await withChosenHosts(subject, context)).reaches?.hosts;
}

test("a fetch from a forge may reach it, in the mode auto only", async () => {
  expect(await reached(place())).toEqual(["github.com:443"]);
  expect(await reached(place(), "git fetch --all --tags")).toEqual(["github.com:443"]);
  for (const mode of ["ask", "accept-edits", "plan", "deny", "staged"] as const)
    expect(await reached(place(), undefined, { mode }), mode).toBeUndefined();
});

test("what git would use instead of the address counts", async () => {
  const ssh = '[url "git@github.com:"]\n\tinsteadOf = https://github.com/\n';
  const evil = '[url "https://evil.example/"]\n\tinsteadOf = https://github.com/\n';
  expect(await reached(place(undefined, ssh))).toBeUndefined();
  expect(await reached(place(undefined, evil))).toBeUndefined();
  expect(await reached(place(`[remote "origin"]\n\turl = ${forge}\n${evil}`))).toBeUndefined();
  expect(
    await reached(
      place('[remote "origin"]\n\turl = gh:acme/shop\n', '[url "https://github.com/"]\n\tinsteadOf = gh:\n'),
    ),
  ).toEqual(["github.com:443"]);
});

const fetched = "\tfetch = +refs/heads/*:refs/remotes/origin/*\n";
const plain = `[remote "origin"]\n\turl = ${forge}\n${fetched}[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A\n`;

test.each([
  ["an own branch is overwritten", `[remote "origin"]\n\tfetch = +refs/heads/*:refs/heads/*\n`],
  ["a merge has a program", `[merge "x"]\n\tdriver = ./x\n`],
  ["a branch says how it is merged", `[branch "main"]\n\tmergeOptions = -s ./x\n`],
  ["a rebase runs a line", `[rebase]\n\tinstructionFormat = "%s%nexec sh x.sh"\n`],
  ["a rebase has a backend", `[rebase]\n\tbackend = apply\n`],
  ["a diff has a program", `[diff]\n\texternal = ./x\n`],
  ["texts are made from files by a program", `[diff "x"]\n\ttextconv = ./x\n`],
  ["hooks stand elsewhere", `[core]\n\thooksPath = hooks\n`],
  ["a branch has another address", `[branch "other"]\n\tremote = https://github.com/evil/x\n`],
  ["a remote that no line can name", `[remote "my\tbox"]\n\turl = https://github.com/evil/x\n`],
  ["a login is sent", `[http "https://github.com/"]\n\textraheader = x\n`],
  ["a program answers for logins", `[credential]\n\thelper = "store ; sh x.sh"\n`],
  ["a program runs afterwards", `[gc]\n\trecentObjectsHook = ./x\n`],
  ["objects come later", `[remote "origin"]\n\tpromisor = true\n`],
  ["settings stand elsewhere", `[include]\n\tpath = ../x\n`],
  ["a work tree has its own", `[extensions]\n\tworktreeConfig = true\n`],
])("a fetch asks if in the repository's settings %s", async (_, settings) => {
  expect(await reached(place(plain))).toEqual(["github.com:443"]);
  expect(await reached(place(plain + settings))).toBeUndefined();
});

test("a pull asks where a program of the person's converts or merges files, unless it is git-lfs", async () => {
  const lfs = '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tprocess = git-lfs filter-process\n';
  expect(await reached(place(plain, lfs), "git pull")).toEqual(["github.com:443"]);
  for (const own of ['[filter "nb"]\n\tclean = python3 -m nb\n', '[merge "nb"]\n\tdriver = npx nb\n']) {
    expect(await reached(place(plain, own), "git pull origin main"), own).toBeUndefined();
    expect(await reached(place(plain, own), "git fetch origin"), own).toEqual(["github.com:443"]);
  }
});

test("remotes that stand outside of the settings are nobody's word", async () => {
  const at = place(plain);
  mkdirSync(join(at.workspace, ".git", "remotes"), { recursive: true });
  expect(await reached(at)).toEqual(["github.com:443"]);
  writeFileSync(join(at.workspace, ".git", "remotes", "origin"), "URL: https://github.com/evil/x\n");
  expect(await reached(at)).toBeUndefined();
});

test("a repository whose settings are another's asks", async () => {
  const at = place(plain);
  writeFileSync(join(at.workspace, ".git", "commondir"), "../shared");
  expect(await reached(at)).toBeUndefined();
});

test("settings that are younger than the session, and a repository elsewhere, are nobody's word", async () => {
  expect(await reached(place(), undefined, { begins: -60_000 })).toBeUndefined();
  const { home, workspace } = place();
  const below = join(workspace, "src");
  mkdirSync(below);
  expect(await reached({ home, workspace: below })).toBeUndefined();
  expect(await reached(place(""))).toBeUndefined();
});

test("settings that a command of an earlier session has made are nobody's word", async () => {
  const at = place();
  const stateDir = join(at.home, "state");
  renameSync(join(at.workspace, ".git"), join(at.workspace, "aside"));
  const isMade = repositoryWatch({ ...at, stateDir });
  renameSync(join(at.workspace, "aside"), join(at.workspace, ".git"));
  expect(await reached(at)).toEqual(["github.com:443"]);
  await isMade();
  expect(await reached(at)).toBeUndefined();
});

test("a subagent's session begins later than what was done above it", async () => {
  const above = { parent: { session: "a", callId: "b" } };
  expect(await reached(place(), undefined, { above })).toBeUndefined();
});
