/** The actions that the page offers for changes. */

import { expect, test } from "vitest";
import { actionIn, actionsOn, actionsOnAll, otherHunks } from "./change-actions.ts";

test("A40: pending changes can be undone or kept, undone ones redone, and kept ones are final", () => {
  expect(actionsOn({ status: "pending" })).toEqual({ undo: true, redo: false, keep: true });
  expect(actionsOn({ status: "partial" })).toEqual({ undo: true, redo: true, keep: true });
  expect(actionsOn({ status: "undone" })).toEqual({ undo: false, redo: true, keep: false });
  expect(actionsOn({ status: "kept" })).toEqual({ undo: false, redo: false, keep: false });
});

test("A40: a whole request offers every action that one of its files allows", () => {
  const files = [{ status: "undone" as const }, { status: "kept" as const }];
  expect(actionsOnAll({ files, directories: [] })).toEqual({ undo: false, redo: true, keep: false });
  expect(actionsOnAll({ files: [], directories: [] })).toEqual({ undo: false, redo: false, keep: false });
});

test("a mode change and a new symlink are named as such", () => {
  expect(actionIn({ action: "modified", kind: "file", mode: { before: 0o644, after: 0o755 } })).toBe(
    "changed, mode 644 → 755",
  );
  expect(actionIn({ action: "created", kind: "link" })).toBe("new link");
});

test("A40: keeping one hunk means undoing all others", () => {
  expect(otherHunks([{ number: 1 }, { number: 2 }, { number: 3 }], 2)).toEqual([1, 3]);
  expect(otherHunks([{ number: 1 }], 1)).toEqual([]);
});
