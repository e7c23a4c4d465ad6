/** Ordinary work succeeds inside the sandbox: builds, tests, git, several reads at once. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Profile } from "../../src/protocol/fact-words.ts";
import type { ContainRequest } from "../../src/safety/sandbox/sandbox.ts";
import { processesRunning } from "../support/processes.ts";
import {
  gitOnHost,
  makeTools,
  own,
  people,
  type Place,
  removeTools,
  requestFor,
  runAs,
  runOne,
  type Tools,
  write,
  inPlace,
} from "../support/sandbox-place.ts";

let tools: Tools;

beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

const run = (place: Place, profile: Profile, line: string, more: Partial<ContainRequest> = {}) =>
  runOne(tools, place, requestFor(place, profile, line, more));

test.each(people)("as $name: builds can write, and their output and caches are kept", (person) =>
  inPlace(person, async (place) => {
    const line = [
      "set -e",
      "mkdir -p dist node_modules/x; echo built > dist/out.txt; echo x > node_modules/x/index.js",
      "printf 'all:\\n\\techo made > made.txt\\n' > Makefile; ! command -v make >/dev/null || make -s",
      "echo tmp > /tmp/x; cat /tmp/x; mktemp >/dev/null; echo shm > /dev/shm/x",
      "mkdir -p $XDG_CACHE_HOME/pip; echo kept > $XDG_CACHE_HOME/pip/x",
      "git status --porcelain; git log --oneline | wc -l; git diff --stat",
      "perl -e 'fork // die; wait; print \"forked\\n\"'",
    ].join("\n");
    const outcome = await run(place, "build", line);
    expect(outcome).toMatchObject({ exit: 0, warnings: [] });
    expect(outcome.output).toContain("forked");
    expect(readFileSync(join(place.workspace, "dist/out.txt"), "utf8")).toBe("built\n");
    const again = await run(place, "build", "cat $XDG_CACHE_HOME/pip/x; ls /tmp");
    expect(again.output).toMatch(/^kept\n/);
    expect(again.output).not.toMatch(/^x$/m);
  }),
);

test.each(people)(
  "as $name: node runs inside, with workers, WebAssembly, local servers and its test runner",
  (person) =>
    inPlace(person, async (place) => {
      const program = `
      const { Worker } = require("node:worker_threads");
      const { test } = require("node:test");
      const net = require("node:net");
      test("all", async () => {
        new WebAssembly.Memory({ initial: 1, maximum: 65536 });
        await Promise.all([1, 2, 3, 4].map(() => new Promise((done) => new Worker("1", { eval: true }).on("exit", done))));
        await new Promise((done) => {
          const server = net.createServer((socket) => socket.end("hello"));
          server.listen(0, "127.0.0.1", () => net.connect(server.address().port).on("close", () => server.close(done)).resume());
        });
        await new Promise((done) => {
          const server = net.createServer((socket) => socket.end("hello"));
          server.listen(process.cwd() + "/own.sock", () => net.connect(process.cwd() + "/own.sock").on("close", () => server.close(done)).resume());
        });
      });`;
      write(place.workspace, "all.test.js", program);
      execFileSync("cp", [tools.node, join(place.workspace, "node")]);
      own(place.workspace, person);
      const outcome = await run(place, "build", "./node --test all.test.js");
      expect(outcome).toMatchObject({ exit: 0, output: expect.stringContaining("pass 1") });
    }),
);

const gitWork = [
  "set -e",
  "echo two > b.txt; git add b.txt; git commit -q -m second",
  "git checkout -q -b topic; echo three >> b.txt; git commit -q -am third",
  "git checkout -q main; git merge -q --no-ff -m merged topic; git branch -q -d topic",
  "echo loose >> a.txt; git stash -q; git stash pop -q; git checkout -q -- a.txt",
  "git worktree add -q ../project-w HEAD 2>/dev/null || git worktree add -q ./w HEAD",
  "git worktree list | wc -l; git worktree remove w; git worktree prune",
  "git tag v1; git gc -q; git fsck --no-progress; git reset -q --hard HEAD~1; git clean -fdq",
  "git rebase -q HEAD~1; git cherry-pick v1 -m 1; git mv a.txt c.txt; git restore --staged --worktree .",
  "git log -1 --format=%an; git status --porcelain",
].join("\n");

test.each(people)(
  "as $name: git works in its profile under the user's name, and nothing it writes is moved away",
  (person) =>
    inPlace(person, async (place) => {
      const outcome = await run(place, "git", gitWork);
      expect(outcome).toMatchObject({ exit: 0, warnings: [] });
      expect(outcome.output).toContain("A Person");
    }),
);

test.each(people)("as $name: the repository's hooks and fsmonitor do not run in the git profile", (person) =>
  inPlace(person, async (place) => {
    write(place.workspace, ".git/hooks/pre-commit", "#!/bin/sh\ntouch hook-ran\n");
    gitOnHost(place, "config", "core.fsmonitor", "touch monitor-ran; false");
    execFileSync("chmod", ["+x", join(place.workspace, ".git/hooks/pre-commit")]);
    own(place.workspace, person);
    const outcome = await run(place, "git", "echo x > b.txt; git add b.txt; git commit -q -m x; git status");
    expect(outcome.exit).toBe(0);
    expect(readdirSync(place.workspace).filter((name) => name.endsWith("-ran"))).toEqual([]);
  }),
);

test.each(people)(
  "as $name: a worktree's commands write only to the repository that the worktree belongs to",
  (person) =>
    inPlace(person, async (place) => {
      const tree = join(place.home, "tree");
      gitOnHost(place, "worktree", "add", "-q", tree);
      own(place.home, person);
      const there = { workspace: tree, directory: tree };
      const commit = await run(
        place,
        "git",
        "echo x > b.txt; git add b.txt; git commit -q -m x; git log --oneline | wc -l",
        there,
      );
      expect(commit).toMatchObject({ exit: 0, output: "2\n", warnings: [] });
      const planted = join(place.home, "planted");
      mkdirSync(planted);
      write(planted, ".git", `gitdir: ${join(place.workspace, ".git")}\n`);
      own(planted, person);
      const refused = await run(place, "git", "git status", { workspace: planted, directory: planted });
      expect(refused.refused).toContain("which directory it may write");
    }),
);

test("A: six reads started together run at the same time", () =>
  inPlace(people.at(-1) ?? { name: "ourselves", uid: 0 }, async (place) => {
    const words = ["sleep", `86400.${process.pid}`];
    const requests = Array.from({ length: 6 }, () =>
      requestFor(place, "read", `${words.join(" ")}; echo ended`),
    );
    const outcomes = runAs(tools, place.person, { requests, together: true });
    await expect.poll(() => processesRunning(words)).toHaveLength(6);
    for (const pid of processesRunning(words)) process.kill(pid);
    for (const { output } of await outcomes) expect(output).toMatch(/^ended$/mu);
  }));

test("new repositories and files with names like protected ones are left in place", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const line =
      "git init -q fresh; git clone -q . copy; git -C copy log --oneline | wc -l; mkdir -p src; echo x > src/vscode.json; echo x > CLAUDE.md";
    const outcome = await run(place, "build", line);
    expect(outcome).toMatchObject({ exit: 0, warnings: [] });
    for (const path of ["fresh/.git/config", "copy/.git/config", "CLAUDE.md"])
      expect(existsSync(join(place.workspace, path))).toBe(true);
  }));

test("planted files are moved intact to the state directory and reported", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const outcome = await run(
      place,
      "build",
      "mkdir .vscode; echo task > .vscode/tasks.json; ln -s /etc/passwd .mcp.json",
    );
    expect(outcome.warnings).toHaveLength(2);
    const moved = /moved to (\S+)\. A person/.exec(
      outcome.warnings.find((line) => line.startsWith(".vscode")) ?? "",
    )?.[1];
    expect(readFileSync(join(moved ?? "", "tasks.json"), "utf8")).toBe("task\n");
    expect(readdirSync(place.workspace).sort()).toEqual([".git", "a.txt"]);
  }));

test.each([
  ["a directory outside the workspace", { directory: "/etc" }, "outside the workspace"],
  ["a workspace that is the home", { workspace: "HOME", directory: "HOME" }, "holds the home directory"],
  ["a workspace that is the system's", { workspace: "/etc", directory: "/etc" }, "belongs to the system"],
  [
    "a workspace that is a repository's own",
    { workspace: "GIT", directory: "GIT" },
    "where git keeps a repository",
  ],
  ["secrets for a command that nobody approved", { unmasked: ["~/.ssh"] }, "never shows secrets"],
  ["a directory that is not there", { directory: "HOME/none" }, "not the real path"],
  ["no command", { command: [] }, "there is no command"],
])("%s: refused with a reason before anything runs", async (_, more: Partial<ContainRequest>, because) => {
  await inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const real = (path: string | undefined) =>
      path?.replace("HOME", place.home).replace("GIT", join(place.workspace, ".git"));
    const { workspace = place.workspace, directory = place.workspace, ...others } = more;
    const request = { ...others, workspace: real(workspace) ?? "", directory: real(directory) ?? "" };
    const outcome = await run(place, "build", "echo ran", request);
    expect(outcome).toMatchObject({ output: "", refused: expect.stringContaining(because) });
  });
});

test("an approved command sees only the secrets that were approved", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    for (const path of [".ssh/id", ".ssh/other", ".aws/credentials"])
      write(place.home, path, `text of ${path}\n`);
    const line = "cat ~/.ssh/id ~/.ssh/other ~/.aws/credentials; echo x > ~/approved";
    const one = await run(place, "open", line, { unmasked: ["~/.ssh/id"] });
    expect(one.output).toContain("text of .ssh/id");
    expect(one.output).not.toMatch(/text of \.(?:ssh\/other|aws)/);
    expect(existsSync(join(place.home, "approved"))).toBe(true);
    const all = await run(place, "open", line, { unmasked: ["~/.ssh"] });
    expect(all.output).toMatch(/text of \.ssh\/id\ntext of \.ssh\/other/);
  }));

test.each(people)(
  "as $name: a tool whose parts lie in the host's /tmp finds them through its variable",
  (person) =>
    inPlace(person, async (place) => {
      write(place.outside, "rustup/settings.toml", "here\n");
      write(place.outside, "other/file", "there\n");
      own(place.outside, person);
      const [tool, other] = [join(place.outside, "rustup"), join(place.outside, "other")];
      const named = { RUSTUP_HOME: tool, OTHER: other, SOME_HOME: "/tmp", TOKEN_HOME: other };
      const env = { ...requestFor(place, "build", "").env, ...named };
      const line = `cat $RUSTUP_HOME/settings.toml; echo x 2>&1 > $RUSTUP_HOME/x; cat ${other}/file; ls /tmp`;
      for (const profile of ["read", "build"] as const) {
        const { output } = await run(place, profile, line, { env });
        expect(output).toMatch(/^here\n/);
        expect(output).toContain("Read-only file system");
        expect(output).not.toContain("there");
      }
    }),
);

test("a worktree can be read although its repository lies in the host's /tmp", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const workspace = join(place.outside, "tree");
    gitOnHost(place, "worktree", "add", "-q", workspace);
    const outcome = await run(place, "read", "git log --oneline | wc -l; git status -s", {
      workspace,
      directory: workspace,
      // The home is always visible, and here the repository is inside it.
      home: place.outside,
    });
    expect(outcome).toMatchObject({ exit: 0, output: "1\n" });
  }));

test("a workspace inside the state directory works, and the rest of that directory stays hidden", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const workspace = join(place.stateDir, "trees/one");
    write(workspace, "a.txt", "inside\n");
    write(place.stateDir, "sessions/x", "secret\n");
    for (const profile of ["read", "build", "git", "open"] as const) {
      const line = `cat a.txt; cat ${place.stateDir}/sessions/x; ls ${place.stateDir}/trees`;
      const outcome = await run(place, profile, line, { workspace, directory: workspace });
      expect(outcome.output).toMatch(/^inside\n/);
      expect(outcome.output).not.toContain("secret");
      expect(outcome.output).toMatch(/\none\n$/);
    }
  }));

test("checking out a protected file that the command itself staged does not bring it into the workspace", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const line = [
      "blob=$(echo '{}' | git hash-object -w --stdin)",
      "git update-index --add --cacheinfo 100644,$blob,.vscode/tasks.json",
      "git checkout -q -- .vscode",
    ].join("; ");
    const outcome = await run(place, "git", line);
    expect(outcome.warnings.join()).toContain(".vscode was made by the command");
    expect(existsSync(join(place.workspace, ".vscode"))).toBe(false);
  }));
