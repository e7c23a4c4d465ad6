/** What a contained command planted in protected places when Toolwright was killed is moved away by the next start. */

import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endLeftRunning } from "../../src/safety/sandbox/left-running.ts";
import { putBackLeft } from "../../src/safety/sandbox/put-back.ts";
import type { ContainRequest } from "../../src/safety/sandbox/sandbox.ts";
import { scale } from "../../src/testing/scale.ts";
import { startKillRunner } from "../support/kills.ts";
import {
  gitOnHost,
  inPlace,
  isThere,
  makeTools,
  own,
  people,
  type Place,
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

/** Kills Toolwright once its command has said that it is done, by a file of its own. */
async function killed(place: Place, request: ContainRequest, done: string): Promise<void> {
  const runner = startKillRunner(tools, place.person);
  runner.stdin.end(JSON.stringify(request));
  const ended = once(runner, "close");
  while (!existsSync(done) && runner.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 10));
  runner.kill("SIGKILL");
  await ended;
}

/** As a start does. */
function nextStart({ stateDir }: Place): string[] {
  endLeftRunning(stateDir);
  return putBackLeft(stateDir);
}

const planting = [
  "mkdir -p .git/objects/info .git/modules/x .git/worktrees/w .git/hooks",
  "echo /evil > .git/objects/info/alternates; echo .. > .git/commondir; echo '[core]' > .git/config.worktree",
  "printf '[core]\\n\\tpager = x\\n' > .git/modules/x/config; echo /evil/.git > .git/worktrees/w/gitdir",
  "echo evil > .git/hooks/post-commit; mkdir -p .git/info; echo '* filter=x' > .git/info/attributes",
].join("\n");
const planted = [
  "objects/info/alternates",
  "commondir",
  "config.worktree",
  "modules/x/config",
  "worktrees/w/gitdir",
  "hooks/post-commit",
];

test.each(people.flatMap((person) => [false, true].map((overlay) => ({ person, overlay }))))(
  "as $person.name, layer $layer: what a git command planted in .git when Toolwright was killed is moved away and told",
  ({ person, overlay }) =>
    inPlace(person, async (place) => {
      const git = join(place.workspace, ".git");
      rmSync(join(git, "hooks"), { recursive: true });
      gitOnHost(place, "worktree", "add", "-q", join(place.workspace, "w"));
      own(place.workspace, person);
      const settings = readFileSync(join(git, "config"), "utf8");
      const line = `git commit -q --allow-empty -m second\n${planting}\ntouch .git/done; sleep 300`;
      await killed(place, requestFor(place, "git", line, { overlay }), join(git, "done"));
      const told = nextStart(place).join("\n");
      for (const part of planted) {
        expect(isThere(join(git, part)), part).toBe(false);
        expect(told).toContain(part.split("/").slice(0, 1).join("/"));
      }
      expect(readFileSync(join(git, "config"), "utf8")).toBe(settings);
      expect(readFileSync(join(git, "logs/HEAD"), "utf8")).toContain("second");
      expect(nextStart(place)).toEqual([]);
    }),
);

test.each(["build", "install"] as const)(
  "without a layer, what a command of the profile %s planted in the workspace is moved away as well",
  (profile) =>
    inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
      const { workspace } = place;
      mkdirSync(join(workspace, "src"));
      write(workspace, ".envrc", "ours\n");
      own(workspace, place.person);
      const line =
        "mkdir -p src/.vscode; echo evil > src/.vscode/tasks.json; echo evil > .gdbinit; touch done; sleep 300";
      await killed(place, requestFor(place, profile, line), join(workspace, "done"));
      expect(nextStart(place).join("\n")).toMatch(/\.gdbinit was made by the command/);
      for (const path of ["src/.vscode", ".gdbinit"])
        expect(isThere(join(workspace, path)), path).toBe(false);
      expect(readFileSync(join(workspace, ".envrc"), "utf8")).toBe("ours\n");
    }),
);

const [first = { name: "ourselves", uid: 0 }] = people;
/** The command has done this, and goes on until it is killed. */
const andStay = (lines: string): string => `${lines}\ntouch .git/done; sleep 300`;

test("what a person's own git does after the kill stays", () =>
  inPlace(first, async (place) => {
    const git = join(place.workspace, ".git");
    await killed(place, requestFor(place, "git", andStay("true")), join(git, "done"));
    gitOnHost(place, "remote", "add", "o", "../o");
    gitOnHost(place, "branch", "side");
    gitOnHost(place, "branch", "--set-upstream-to=main", "side");
    write(git, "hooks/pre-commit", "mine\n");
    write(git, "info/attributes", "*.x binary\n");
    gitOnHost(place, "worktree", "add", "-q", join(place.home, "w"));
    expect(nextStart(place)).toEqual([]);
    expect(readFileSync(join(git, "config"), "utf8")).toContain("url = ../o");
  }));

test("settings that a person's git wrote anew, so that no mount held them any more, are moved away with a program in them", () =>
  inPlace(first, async (place) => {
    const git = join(place.workspace, ".git");
    const line = [
      "touch .git/ready; until grep -q upstream .git/config; do :; done",
      "until printf '[core]\\n\\tfsmonitor = evil\\n' >> .git/config; do :; done",
      "touch .git/done; sleep 300",
    ].join("\n");
    const ended = killed(place, requestFor(place, "git", line), join(git, "done"));
    while (!existsSync(join(git, "ready"))) await new Promise((resolve) => setTimeout(resolve, 10));
    gitOnHost(place, "config", "branch.main.remote", "upstream");
    await ended;
    expect(nextStart(place)).toEqual([expect.stringMatching(/^\.git\/config was made by the command/)]);
    expect(isThere(join(git, "config"))).toBe(false);
  }));

test("a link in a repository around the workspace is moved away itself, and not followed", () =>
  inPlace(first, async (place) => {
    const [git, workspace] = [join(place.workspace, ".git"), join(place.workspace, "sub")];
    write(workspace, "alternates", "/evil\n");
    write(place.outside, "alternates", "ours\n");
    own(place.workspace, first);
    const line = `rm -r ../.git/objects/info; ln -s ${place.outside} ../.git/objects/info; ln -s ${place.outside} ../.git/modules; touch ../.git/done; sleep 300`;
    const request = { ...requestFor(place, "git", line), workspace, directory: workspace };
    await killed(place, request, join(git, "done"));
    expect(nextStart(place)).toHaveLength(2);
    for (const part of ["modules", "objects/info"]) expect(isThere(join(git, part)), part).toBe(false);
    expect(readFileSync(join(place.outside, "alternates"), "utf8")).toBe("ours\n");
  }));

test("in a worktree, whose .git is a file, what was planted in the repository is moved away", () =>
  inPlace(first, async (place) => {
    const [git, workspace] = [join(place.workspace, ".git"), join(place.home, "w")];
    gitOnHost(place, "worktree", "add", "-q", workspace);
    own(place.home, first);
    const common = "../project/.git";
    const line = `echo x > ${common}/commondir; echo x > ${common}/worktrees/w/config.worktree; echo evil > .git; touch ${common}/done; sleep 300`;
    const request = { ...requestFor(place, "git", line), workspace, directory: workspace };
    await killed(place, request, join(git, "done"));
    expect(nextStart(place)).toHaveLength(2);
    for (const part of ["commondir", "worktrees/w/config.worktree"])
      expect(isThere(join(git, part)), part).toBe(false);
    expect(readFileSync(join(workspace, ".git"), "utf8")).toContain("worktrees/w");
  }));

test("a second session in the workspace neither keeps what the killed one planted nor loses what it did itself", () =>
  inPlace(first, async (place) => {
    const git = join(place.workspace, ".git");
    const line = andStay("echo '[core]' > .git/config.worktree; truncate -s 1G .git/commondir");
    const living = startKillRunner(tools, first);
    const goesOn = "git worktree add -q w; touch .git/started; until [ -e .git/end ]; do :; done; sleep 300";
    living.stdin.end(JSON.stringify(requestFor(place, "git", goesOn)));
    while (!existsSync(join(git, "started"))) await new Promise((resolve) => setTimeout(resolve, 10));
    await killed(place, requestFor(place, "git", line), join(git, "done"));
    const told = nextStart(place);
    expect(told).toHaveLength(2);
    const [, huge = ""] = /commondir.* was moved to (\S+)\./.exec(told.join("\n")) ?? [];
    expect(statSync(huge).size).toBe(2 ** 30);
    for (const part of ["commondir", "config.worktree"]) expect(isThere(join(git, part)), part).toBe(false);
    expect(isThere(join(git, "worktrees/w/gitdir"))).toBe(true);
    writeFileSync(join(git, "end"), "");
    living.kill("SIGKILL");
    await once(living, "close");
    expect(nextStart(place)).toEqual([]);
    expect(isThere(join(git, "worktrees/w/gitdir"))).toBe(true);
    const after = await runOne(tools, place, requestFor(place, "git", "git log --format=%s"));
    expect(after).toMatchObject({ exit: 0, output: "first\n", warnings: [] });
  }));

test("what a session that was killed since the start had planted is told with the first command", () =>
  inPlace(first, async (place) => {
    const git = join(place.workspace, ".git");
    await killed(place, requestFor(place, "git", andStay("echo .. > .git/commondir")), join(git, "done"));
    const after = await runOne(tools, place, requestFor(place, "git", "git log --format=%s"));
    const warnings = [expect.stringContaining(".git/commondir was made by the command")];
    expect(after).toMatchObject({ exit: 0, output: "first\n", warnings });
  }));

/** Plants, renames and takes away again, so that a kill meets every state. */
const restless = `while :; do
mkdir -p .git/objects/info .git/modules/x .git/worktrees/w .git/hooks
echo /evil > .git/objects/info/alternates; mv .git/objects/info .git/was; mv .git/was .git/objects/info
echo .. > .git/part; mv .git/part .git/commondir; echo '[core]' > .git/config.worktree
printf '[core]\n\tpager = x\n' > .git/modules/x/config; echo /evil/.git > .git/worktrees/w/gitdir
echo evil > .git/hooks/post-commit; ln -s /etc .git/modules/y; ln -s info .git/objects/info/info
rm -rf .git/commondir .git/config.worktree; mv .git/hooks .git/aside; mv .git/aside .git/hooks
git commit -q --allow-empty -m more
done`;

/** A third in the first 100 ms of the command, a third later, the rest from before its start. */
const moments = [
  ["started", 100],
  ["found", 60],
  ["started", 600],
] as const;

test("at whatever moment the kill comes, nothing planted is left by the next start", () =>
  inPlace(first, async (place) => {
    const git = join(place.workspace, ".git");
    rmSync(join(git, "hooks"), { recursive: true });
    const settings = readFileSync(join(git, "config"), "utf8");
    let moved = 0;
    for (let turn = 0; turn < 6 * scale; turn += 1) {
      const [after, within] = moments[turn % moments.length] ?? moments[0];
      const runner = startKillRunner(tools, first);
      const ended = once(runner, "close");
      runner.stdin.end(JSON.stringify(requestFor(place, "git", restless, { overlay: turn % 2 === 0 })));
      let heard = "";
      runner.stdout.on("data", (bytes: Buffer) => {
        if (!heard.includes(after) && (heard += bytes.toString()).includes(after))
          setTimeout(() => runner.kill("SIGKILL"), Math.random() * within);
      });
      await ended;
      const told = nextStart(place);
      moved += told.length;
      for (const part of [...planted, "modules/y"])
        expect(isThere(join(git, part)), told.join("\n")).toBe(false);
      expect(readFileSync(join(git, "config"), "utf8")).toBe(settings);
      for (const name of ["index", "HEAD", "refs/heads/main"])
        rmSync(join(git, `${name}.lock`), { force: true });
    }
    gitOnHost(place, "fsck", "--no-progress");
    expect(moved).toBeGreaterThan(0);
  }));
