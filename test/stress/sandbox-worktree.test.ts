/** A working tree beside the workspace: approved, it runs in the open profile, and the repository stays usable. */

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runnerWith, textOf } from "../support/sandbox-layer-run.ts";
import { inPlace, isThere, makeTools, people, removeTools, type Tools } from "../support/sandbox-place.ts";

let tools: Tools;
beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

const run = runnerWith(() => tools);

test.each(people)(
  "as $name: a working tree is made beside the workspace, and git works on in both",
  (person) =>
    inPlace(person, async (place) => {
      const made = await run(place, "open", "git worktree add -q -b fix ../fix && ls ../fix", {
        after: ["make"],
      });
      expect(made).toMatchObject({ exit: 0, warnings: [], output: "a.txt\n" });
      expect(isThere(join(place.workspace, "../fix/a.txt"))).toBe(true);
      const listed = await run(place, "git", "echo b > b.txt && git add b.txt && git worktree list | wc -l", {
        after: ["make"],
      });
      expect(listed).toMatchObject({ exit: 0, warnings: [], output: "2\n" });
      expect(textOf(place, "b.txt")).toBe("b\n");
      const removed = await run(place, "open", "git worktree remove ../fix && git worktree list | wc -l", {
        after: ["make"],
      });
      expect(removed).toMatchObject({ exit: 0, warnings: [], output: "1\n" });
    }),
);
