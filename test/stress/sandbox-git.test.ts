/** In the git profile, git runs no program that the repository names, and nothing planted in `.git` stays. */

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  gitOnHost,
  inPlace,
  makeTools,
  own,
  people,
  type Place,
  plainEnv,
  removeTools,
  requestFor,
  runOne,
  type Tools,
  write,
} from "../support/sandbox-place.ts";

let tools: Tools;
beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

const run = (place: Place, line: string, overlay: boolean) =>
  runOne(tools, place, requestFor(place, "git", line, { overlay }), { after: ["make"] });

/** Each key names a program that leaves a file behind; `%` is the file. */
const settings = `
[filter "x"]
	clean = touch %1; cat
[filter.y]
	smudge = touch %2; cat
[filter "z"] process = touch %3
[filter "v.w"]
	clean = touch %21; cat
[diff "t"]
	textconv = touch %4; cat
	command = touch %5
[diff] external = touch %6
[merge "m"]
	driver = touch %7
[core]
	sshCommand = touch %8
	editor = touch %9
	pager = touch %10
	fsmonitor = touch %11
	askPass = touch %12
[alias]
	evil = !touch %13
[gpg] program = touch %14
[commit] gpgSign = true
[credential] helper = !touch %15
[interactive] diffFilter = touch %16
[trailer "q"] cmd = touch %17
[pager] log = touch %18
[sequence] editor = touch %19
[tar "foo"] command = touch %20
`;
const attributes = "*.x filter=x\n*.y filter=y\n*.z filter=z\n*.v filter=v.w\na.txt diff=t merge=m\n";
const work = [
  "echo more >> a.txt; git status; git diff; git diff --ext-diff; git log -p; git add a.txt; git commit -m two",
  "git -c commit.gpgSign=false commit -qm two; git commit --amend; git rebase -i HEAD~1",
  "echo 1 > 1.x; echo 1 > 1.y; echo 1 > 1.z; git add 1.x; git add 1.y; git add 1.z; echo 1 > 1.v; git add 1.v; git evil",
  "git checkout -q -b topic HEAD~1; echo other > a.txt; git -c commit.gpgSign=false commit -qam three; git merge main",
  "git fetch ssh://x@y/z; git interpret-trailers --trailer q=1 < a.txt; git archive --format=foo HEAD; git add -p < /dev/null",
  "git commit -S -m signed; git tag -s v1 -m x; git worktree list; git rev-list --all --count",
].join("\n");

test.each(people.flatMap((person) => [false, true].map((overlay) => ({ person, overlay }))))(
  "as $person.name, layer $layer: no program runs that the repository's settings name",
  ({ person, overlay }) =>
    inPlace(person, async (place) => {
      const marked = settings.replaceAll("%", join(place.workspace, "RAN-"));
      writeFileSync(join(place.workspace, ".git/config"), marked, { flag: "a" });
      write(place.workspace, ".gitattributes", attributes);
      own(place.workspace, person);
      const outcome = await run(place, work, overlay);
      expect(readdirSync(place.workspace).filter((name) => name.startsWith("RAN"))).toEqual([]);
      expect(outcome.output).toContain("clean filter 'x' failed");
      expect(outcome.output).toMatch(/\n3\n$/);
      expect(outcome.warnings.join()).toContain("did not run (x, y, z, v.w)");
    }),
);

test.each(people)("as $name: git finds no program in the workspace, whatever the PATH says", (person) =>
  inPlace(person, async (place) => {
    for (const branch of ["x", "y"]) {
      gitOnHost(place, "checkout", "--quiet", "-b", branch, "main");
      write(place.workspace, `${branch}.txt`, "1\n");
      gitOnHost(place, "add", ".");
      gitOnHost(place, "commit", "--quiet", "--message", branch);
    }
    gitOnHost(place, "checkout", "--quiet", "main");
    const planted = join(place.workspace, "node_modules/.bin");
    for (const program of ["uname", "sed", "basename", "git", "gpg", "expr"]) {
      write(planted, program, `#!/bin/sh\ntouch ${join(place.workspace, "RAN")}\n`);
      chmodSync(join(planted, program), 0o755);
    }
    own(place.workspace, person);
    const env = {
      ...plainEnv(place.home),
      PATH: `${planted}:node_modules/.bin:${process.env["PATH"] ?? ""}`,
    };
    const line =
      "git merge --no-edit x y && git log --oneline | wc -l; git -c commit.gpgSign=true commit -qm s --allow-empty";
    await runOne(tools, place, requestFor(place, "git", line, { overlay: true, env }), { after: ["make"] });
    expect(existsSync(join(place.workspace, "y.txt"))).toBe(true);
    expect(existsSync(join(place.workspace, "RAN"))).toBe(false);
  }),
);

test.each(people)("as $name: a filter of the user's own settings runs, contained", (person) =>
  inPlace(person, async (place) => {
    const filter = '[filter "mine"]\n\tclean = tr a b; touch ../outside 2>/dev/null\n\trequired = true\n';
    writeFileSync(join(place.home, ".gitconfig"), filter, { flag: "a" });
    write(place.workspace, ".gitattributes", "*.m filter=mine\n");
    own(place.workspace, person);
    const outcome = await run(place, "echo aaa > 1.m; git add 1.m; git show :1.m", true);
    expect(outcome).toMatchObject({ output: "bbb\n", warnings: [] });
    expect(existsSync(join(place.home, "outside"))).toBe(false);
  }),
);

test.each([
  ["other files", "[include]\n\tpath = ../more\n", "include other files"],
  ["a remote's program", '[remote "o"]\n\tuploadpack = touch ran\n', "set remote.o.uploadpack"],
])("settings that name %s are refused with the reason", async (_, text, because) => {
  await inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    writeFileSync(join(place.workspace, ".git/config"), text, { flag: "a" });
    const outcome = await run(place, "git status", false);
    expect(outcome.refused).toContain(because);
  });
});

/** Where no look for repositories gets to. */
const unseen = ["node_modules/evil", Array.from({ length: 18 }, (_, at) => `d${at}`).join("/"), "lib/x"];

test.each(people.flatMap((person) => unseen.map((path) => ({ person, path }))))(
  "as $person.name: no program runs that the settings of a repository in $path name",
  ({ person, path }) =>
    inPlace(person, async (place) => {
      const [there, mark] = [join(place.workspace, path), join(place.workspace, "RAN")];
      gitOnHost(place, "init", "--quiet", there);
      write(there, ".gitattributes", "* filter=x\n");
      const filter = `[filter "x"]\n\tclean = touch ${mark}; cat\n`;
      writeFileSync(join(there, ".git/config"), filter, { flag: "a" });
      symlinkSync(path, join(place.workspace, "short"));
      own(place.workspace, person);
      for (const line of [
        `git -C ${path} add .`,
        `cd ${path} && git add -A`,
        "cd short && git add . ; git status",
      ])
        await run(place, line, true);
      expect(existsSync(mark)).toBe(false);
    }),
);

test("a repository that was not there before the command is used by the line that makes it", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const line =
      "git init -q new && cd new && echo 1 > a && git add a && git commit -qm one && git log --format=%s";
    expect(await run(place, line, true)).toMatchObject({ output: "one\n" });
  }));

test("a submodule whose name has a slash runs none of its programs", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const { workspace } = place;
    const always = ["-c", "protocol.file.allow=always"];
    gitOnHost(place, "init", "--quiet", join(place.outside, "origin"));
    gitOnHost(
      { ...place, workspace: join(place.outside, "origin") },
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "x",
    );
    gitOnHost(
      place,
      ...always,
      "submodule",
      "--quiet",
      "add",
      "--name",
      "lib/x",
      join(place.outside, "origin"),
      "sub",
    );
    write(workspace, "sub/.gitattributes", "* filter=x\n");
    const filter = `[filter "x"]\n\tclean = touch ${join(workspace, "RAN")}; cat\n`;
    writeFileSync(join(workspace, ".git/modules/lib/x/config"), filter, { flag: "a" });
    own(workspace, place.person);
    const outcome = await run(
      place,
      "git -C sub add -A; git status --short; git -C sub status --short",
      true,
    );
    expect(existsSync(join(workspace, "RAN"))).toBe(false);
    expect(outcome.output).not.toContain("dubious");
  }));

test.each(people.flatMap((person) => [false, true].map((overlay) => ({ person, overlay }))))(
  "as $person.name, layer $layer: planted control files are moved away, and git's own stay",
  ({ person, overlay }) =>
    inPlace(person, async (place) => {
      gitOnHost(place, "worktree", "add", "-q", join(place.workspace, "w"));
      own(place.workspace, person);
      const line = [
        "mkdir -p .git/objects/info .git/modules/x .git/worktrees/w",
        "echo /evil > .git/objects/info/alternates; echo .. > .git/commondir; echo '[core]' > .git/config.worktree",
        "printf '[core]\\n\\tpager = x\\n' > .git/modules/x/config; echo /evil/.git > .git/worktrees/w/gitdir",
        'git() { command git "$@"; }; true',
      ].join("\n");
      const outcome = await run(place, line, overlay);
      const git = join(place.workspace, ".git");
      for (const part of ["objects/info/alternates", "commondir", "config.worktree", "modules/x/config"])
        expect(existsSync(join(git, part)), part).toBe(false);
      expect(outcome.warnings.join("\n")).toContain("worktrees/w/gitdir was made by the command");
      expect(gitReads(place)).toContain("first");
    }),
);

const led: [what: string, config: string, path: string][] = [
  ["a hook that is a link", "", "scripts/pre-commit.sh"],
  ["included settings", "[include]\n\tpath = ../tools/more\n", "tools/more"],
  ["settings included on a condition", '[includeIf "gitdir:/"]\n\tpath = "../tools/more"\n', "tools/more"],
  ["what included settings name", "[include]\n\tpath = ../tools/more\n", "tools/monitor"],
  ["a directory of hooks", "[core]\n\thooksPath = ci/hooks\n", "ci/hooks/pre-push"],
  ["a monitor", "[core]\n\tfsmonitor = tools/monitor\n", "tools/monitor"],
  ["a filter", '[filter "x"]\n\tclean = "python3 tools/clean.py" # %\n', "tools/clean.py"],
];

test.each(led.flatMap((one) => [false, true].map((overlay) => [...one, overlay] as const)))(
  "%s cannot be changed: [%j] %s (layer: %s)",
  async (_, config, path, overlay) => {
    await inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
      const { workspace } = place;
      for (const name of ["scripts/pre-commit.sh", "ci/hooks/pre-push", "tools/monitor", "tools/clean.py"])
        write(workspace, name, "good\n");
      write(workspace, "tools/more", "[core]\n\tfsmonitor = tools/monitor\n");
      const before = readFileSync(join(workspace, path), "utf8");
      writeFileSync(join(workspace, ".git/config"), config, { flag: "a" });
      symlinkSync("../../scripts/pre-commit.sh", join(workspace, ".git/hooks/pre-commit"));
      own(workspace, place.person);
      const [top = ""] = path.split("/");
      const line = `echo evil > ${path}; rm -f ${path}; mv ${top} aside; echo evil > free; echo evil > ${top}/free`;
      await runOne(tools, place, requestFor(place, "build", line, { overlay }), { after: ["make"] });
      expect(readFileSync(join(workspace, path), "utf8")).toBe(before);
      expect(existsSync(join(workspace, "aside"))).toBe(false);
    });
  },
);

test.each([false, true])(
  "a directory of hooks that git is told of, but that is not there, is moved away when a command makes it (layer: %s)",
  async (overlay) => {
    await inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
      const { workspace } = place;
      writeFileSync(join(workspace, ".git/config"), "[core]\n\thooksPath = ci/hooks\n", { flag: "a" });
      own(workspace, place.person);
      const line = "mkdir -p ci/hooks; echo evil > ci/hooks/pre-push";
      const outcome = await runOne(tools, place, requestFor(place, "build", line, { overlay }), {
        after: ["make"],
      });
      expect(existsSync(join(workspace, "ci/hooks"))).toBe(false);
      expect(outcome.warnings.join()).toContain("ci/hooks was made by the command");
    });
  },
);

test("adding and moving a worktree leaves nothing to move away", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const line = "git worktree add -q w && git worktree move w v && git worktree list | wc -l";
    expect(await run(place, line, false)).toMatchObject({ output: "2\n", warnings: [] });
    expect(readFileSync(join(place.workspace, ".git/worktrees/w/gitdir"), "utf8")).toContain("/v/.git");
  }));

function gitReads({ workspace }: Place): string {
  const env = {
    PATH: process.env["PATH"],
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
  };
  return execFileSync("git", ["log", "--format=%s"], { cwd: workspace, env }).toString();
}
