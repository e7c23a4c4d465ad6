/** Files in a command's overlay that would make programs run outside the sandbox, and new repositories. */

import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pathsOf, runnerWith, textOf } from "../support/sandbox-layer-run.ts";
import {
  inPlace,
  isThere,
  makeTools,
  people,
  removeTools,
  type Tools,
  write,
} from "../support/sandbox-place.ts";
import { snapshotOf } from "../support/sandbox-snapshot.ts";

let tools: Tools;
beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

const run = runnerWith(() => tools);

const planting =
  "mkdir .vscode; echo task > .vscode/tasks.json; ln -s /etc/passwd .mcp.json; mkdir -p new/.husky lib/objects lib/refs; echo x > new/.husky/pre-push; echo x > new/own; echo r > lib/HEAD; echo y > plain";

test.each(["build", "git", "install"] as const)(
  "in %s, planted files are moved out of the layer and reported",
  (profile) =>
    inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
      const outcome = await run(place, profile, planting, { after: ["make"] });
      expect(outcome.warnings).toHaveLength(4);
      expect(Object.keys(snapshotOf(place.workspace)).sort()).toEqual(["a.txt", "new", "new/own", "plain"]);
      const moved = /moved to (\S+)\. A person/.exec(
        outcome.warnings.find((line) => line.startsWith(".vscode")) ?? "",
      );
      expect(readFileSync(join(moved?.[1] ?? "", "tasks.json"), "utf8")).toBe("task\n");
    }),
);

test("in the open profile, planted files stay in the workspace and are reported", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    const outcome = await run(place, "open", planting, { after: ["make"] });
    expect(outcome.warnings).toHaveLength(4);
    expect(outcome.warnings[0]).toContain("was made or changed by the command");
    expect(textOf(place, ".vscode/tasks.json")).toBe("task\n");
    expect(textOf(place, "lib/HEAD")).toBe("r\n");
    expect(pathsOf(outcome)).toEqual(["new/own", "plain"]);
    expect(outcome.uncovered).toContain(".vscode: 1 file");
  }));

test.each(people)("as $name: a new or cloned repository arrives complete, with its working files", (person) =>
  inPlace(person, async (place) => {
    const line =
      "git init -q fresh; echo x > fresh/x; git clone -q . copy; git -C copy log --oneline | wc -l";
    const outcome = await run(place, "build", line, { after: ["make"] });
    expect(outcome).toMatchObject({ exit: 0, warnings: [], output: "1\n" });
    expect(pathsOf(outcome)).toEqual(["copy/a.txt", "fresh/x"]);
    for (const path of ["fresh/.git/config", "copy/.git/HEAD", "copy/a.txt"])
      expect(isThere(join(place.workspace, path))).toBe(true);
    expect(outcome.uncovered.join("\n")).toMatch(/^(?:copy|fresh)\/\.git: \d+ files$/m);
  }),
);

test("a protected symlink is restored, but may be removed with its directory", () =>
  inPlace(people[0] ?? { name: "ourselves", uid: 0 }, async (place) => {
    write(place.workspace, "shared/settings.json", "ours\n");
    write(place.workspace, "sub/x", "x");
    symlinkSync("shared", join(place.workspace, ".claude"));
    symlinkSync("../shared", join(place.workspace, "sub/.claude"));
    const line = "rm .claude; mkdir .claude; echo x > .claude/settings.json; rm -r sub";
    const outcome = await run(place, "build", line, { after: ["make"] });
    expect(outcome.warnings).toEqual([
      expect.stringMatching(/^\.claude, a protected link, .*put back; what stood/),
    ]);
    expect(snapshotOf(place.workspace)).toMatchObject({ ".claude": "link shared" });
    expect(isThere(join(place.workspace, "sub"))).toBe(false);
  }));

test.each(people)("as $name: a worktree created in the workspace arrives complete and works", (person) =>
  inPlace(person, async (place) => {
    const outcome = await run(place, "git", "git worktree add -q w", { after: ["make"] });
    expect(outcome).toMatchObject({ exit: 0, warnings: [] });
    expect(textOf(place, "w/.git")).toContain("gitdir:");
    const status = await run(place, "git", "git -C w status --porcelain", {
      after: ["make"],
    });
    expect(status).toMatchObject({ exit: 0, output: "" });
  }),
);
