/** What a contained command planted in protected places when Toolwright was killed is moved away by the next start. */

import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endLeftRunning, putBackLeft } from "../src/safety/sandbox/leftovers.ts";
import type { ContainRequest } from "../src/safety/sandbox/sandbox.ts";
import { startKillRunner } from "./support/kills.ts";
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
  type Tools,
  write,
} from "./support/sandbox-place.ts";

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

test.each(people.flatMap((person) => [false, true].map((layer) => ({ person, layer }))))(
  "as $person.name, layer $layer: what a git command planted in .git when Toolwright was killed is moved away and told",
  ({ person, layer }) =>
    inPlace(person, async (place) => {
      const git = join(place.workspace, ".git");
      rmSync(join(git, "hooks"), { recursive: true });
      gitOnHost(place, "worktree", "add", "-q", join(place.workspace, "w"));
      own(place.workspace, person);
      const settings = readFileSync(join(git, "config"), "utf8");
      const line = `git commit -q --allow-empty -m second\n${planting}\ntouch .git/done; sleep 300`;
      await killed(place, requestFor(place, "git", line, { layer }), join(git, "done"));
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
