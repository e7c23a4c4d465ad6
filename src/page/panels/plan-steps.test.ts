/** Editing a plan before it is approved. */

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  changedPlan,
  editedSteps,
  plannedSteps,
  stepAdded,
  stepMoved,
  stepRemoved,
  stepWritten,
} from "./plan-steps.ts";

const plan = [{ title: "Read" }, { title: "Write", detail: "with a test" }, { title: "Run" }];

test("an unedited plan is approved as it is", () => {
  expect(changedPlan(plan, editedSteps(plan))).toBeUndefined();
  const [first] = editedSteps(plan);
  const there = stepWritten(editedSteps(plan), first?.key ?? 0, { title: "Look" });
  expect(changedPlan(plan, stepWritten(there, first?.key ?? 0, { title: "Read" }))).toBeUndefined();
});

test("steps can be reworded, moved, removed and added", () => {
  const steps = editedSteps(plan);
  expect(changedPlan(plan, stepWritten(steps, 1, { detail: "" }))).toEqual([
    { title: "Read" },
    { title: "Write" },
    { title: "Run" },
  ]);
  expect(plannedSteps(stepMoved(steps, 2, -1)).map(({ title }) => title)).toEqual(["Read", "Run", "Write"]);
  expect(plannedSteps(stepRemoved(steps, 0)).map(({ title }) => title)).toEqual(["Write", "Run"]);
  const more = stepAdded(stepRemoved(steps, 2));
  expect(plannedSteps(more)).toHaveLength(2);
  expect(plannedSteps(stepWritten(more, more.at(-1)?.key ?? 0, { title: " Check " })).at(-1)).toEqual({
    title: "Check",
  });
});

test("moving steps never loses, duplicates or rewords one, and keys stay unique", () => {
  const moves = fc.array(fc.tuple(fc.nat(5), fc.constantFrom(-1 as const, 1 as const)), { maxLength: 20 });
  fc.assert(
    fc.property(moves, (all) => {
      const start = stepAdded(editedSteps(plan));
      const moved = all.reduce((steps, [key, by]) => stepMoved(steps, key, by), start);
      const inOrder = (steps: typeof start) => [...steps].sort((one, other) => one.key - other.key);
      expect(inOrder(moved)).toEqual(start);
      expect(new Set(stepAdded(moved).map(({ key }) => key)).size).toBe(moved.length + 1);
    }),
  );
});
