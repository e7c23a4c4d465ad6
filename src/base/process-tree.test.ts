import { afterEach, expect, test, vi } from "vitest";
import { stopTree } from "./process-tree.ts";

afterEach(() => vi.restoreAllMocks());

test.each([
  ["everybody (1)", 1],
  ["our own group (0)", 0],
  ["a group (-1)", -1],
  ["no number", Number.NaN],
  ["ourselves", process.pid],
  ["who has started us", process.ppid],
])("SAFETY 6: a number that cannot be a program of ours ends nobody: %s", async (_, leader) => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  await stopTree(leader);
  await stopTree(leader, { marker: "TOOLWRIGHT_NOBODY=1" });
  await stopTree(leader, { groupOnly: true });
  expect(kill).not.toHaveBeenCalled();
});
