/** Under Landlock git's commands may write everywhere in the workspace: what they arrange there must not last or lead out. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Profile } from "../../src/protocol/fact-words.ts";
import { putBackLeft } from "../../src/safety/sandbox/put-back.ts";
import { forbidding, works } from "../support/machines.ts";
import {
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

const ourselves = { name: "ourselves", uid: process.getuid?.() ?? 0 } as const;
const run = (place: Place, profile: Profile, line: string) =>
  runOne(tools, place, requestFor(place, profile, line), { landlock: true });
const read = (...path: string[]): string => readFileSync(join(...path), "utf8");

test.each(people)("as $name: what is put back never follows a link out of the workspace", (person) =>
  inPlace(person, async (place) => {
    write(place.workspace, "x/.gdbinit", "theirs\n");
    write(place.workspace, "y/.envrc", "theirs\n");
    write(place.workspace, "z/.env", "KEY=theirs\n");
    write(place.outside, ".gdbinit", "ours\n");
    own(place.workspace, person);
    own(place.outside, person);
    const line = `for d in x y z; do mv $d was-$d; ln -s ${place.outside} $d; done`;
    const { warnings } = await run(place, "git", line);
    expect(read(place.outside, ".gdbinit")).toBe("ours\n");
    expect(isThere(join(place.outside, ".envrc"))).toBe(false);
    expect(isThere(join(place.outside, ".env"))).toBe(false);
    expect(read(place.workspace, "x/.gdbinit")).toBe("theirs\n");
    expect(warnings.filter((warning) => warning.includes("has been put back"))).toHaveLength(3);
  }),
);

test.each(people)("as $name: a hidden file that was renamed stays hidden", (person) =>
  inPlace(person, async (place) => {
    write(place.workspace, ".env", "KEY=canary\n");
    write(place.workspace, "sub/.env.d/key", "KEY=canary\n");
    own(place.workspace, person);
    const { warnings } = await run(
      place,
      "git",
      "mv .env plain; mv sub/.env.d sub/shown; ln sub/shown/key linked; echo more >> plain",
    );
    const { output } = await run(
      place,
      "read",
      "cat plain linked; cat sub/shown/key; grep -r canary . ; true",
    );
    expect(output, warnings.join("\n")).not.toContain("canary");
    expect(read(place.workspace, ".env")).toBe("KEY=canary\n");
  }),
);

test("a git command does not start while another runs, whose changes it would take for what was there", () =>
  inPlace(ourselves, async (place) => {
    const at = (name: string): string => join(place.workspace, name);
    const line =
      "echo evil > .git/hooks/post-commit; echo evil >> .git/config; touch planted; until [ -e end ]; do :; done";
    const before = read(place.workspace, ".git/config");
    const first = run(place, "git", line);
    while (!existsSync(at("planted"))) await new Promise((resolve) => setTimeout(resolve, 10));
    const { refused } = await run(place, "git", "git log");
    expect(refused).toContain("another git command runs in this workspace");
    writeFileSync(at("end"), "");
    await first;
    expect(read(place.workspace, ".git/config")).toBe(before);
    expect(isThere(at(".git/hooks/post-commit"))).toBe(false);
    expect(await run(place, "git", "git log --format=%s")).toMatchObject({ exit: 0, output: "first\n" });
  }));

test.runIf(await works(forbidding)).each(["git", "build"] as const)(
  "what a command of the profile %s planted when Toolwright was killed is moved away by the next start",
  (profile) =>
    inPlace(ourselves, async (place) => {
      write(place.workspace, "src/deep/.keep", "");
      rmSync(join(place.workspace, ".git/hooks"), { recursive: true, force: true });
      const own =
        profile === "git"
          ? "mkdir .git/hooks; echo evil > .git/hooks/post-commit; echo evil > .git/config.worktree; mkdir .vscode; echo evil > .vscode/tasks.json;"
          : "";
      const line = `${own} mkdir -p src/.vscode; echo evil > src/.vscode/tasks.json; echo evil > src/deep/.envrc; echo $$ > src/part; mv src/part src/pid; sleep 300`;
      const [unshare = "", ...forbidden] = forbidding;
      const killed = spawn(unshare, [...forbidden, tools.node, tools.killRunner], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      killed.stdin.end(JSON.stringify(requestFor(place, profile, line)));
      const file = join(place.workspace, "src/pid");
      while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
      killed.kill("SIGKILL");
      await once(killed, "exit");
      while (existsSync(`/proc/${read(file).trim()}`))
        await new Promise((resolve) => setTimeout(resolve, 10));
      const told = putBackLeft(place.stateDir);
      for (const path of [
        ".git/hooks/post-commit",
        ".git/config.worktree",
        ".vscode/tasks.json",
        "src/.vscode/tasks.json",
        "src/deep/.envrc",
      ])
        expect(isThere(join(place.workspace, path)), `${path}: ${told.join("\n")}`).toBe(false);
      expect(putBackLeft(place.stateDir)).toEqual([]);
    }),
);

test.each(people)(
  "as $name: processes that fork and exit faster than they can be looked up end with the command",
  (person) =>
    inPlace(person, async (place) => {
      write(place.workspace, "src/.keep", "");
      own(place.workspace, person);
      const script =
        'use POSIX; for (1..4) { if (!fork) { POSIX::setsid(); my $n = 0; for (;;) { exit if fork; open my $f, ">", "src/tick$_"; print $f $n++; close $f } } }';
      write(place.workspace, "src/chain.pl", script);
      own(place.workspace, person);
      const outcome = await run(place, "build", "perl src/chain.pl; sleep 0.3; exit 3");
      expect(outcome).toMatchObject({ exit: 3 });
      expect(outcome.milliseconds).toBeLessThan(20000);
      const tick = read(place.workspace, "src/tick1");
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(read(place.workspace, "src/tick1")).toBe(tick);
    }),
);
