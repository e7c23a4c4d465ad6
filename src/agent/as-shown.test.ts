/** Tests the comparison of a pending action with what was shown for approval. */

import { expect, test } from "vitest";
import type { ChangedFile } from "../protocol/facts.ts";
import { areSameChanges, isSamePlace } from "./as-shown.ts";

const edit: ChangedFile = { path: "a", before: "1", after: "2", added: 1, removed: 0 };
const file = { kind: "file" as const };

test("a change is the one that was shown if it has the same content, kind and mode, before and after", () => {
  expect(areSameChanges([edit], [{ ...edit, added: 7, removed: 7 }])).toBe(true);
  const others: Partial<ChangedFile>[] = [
    { path: "b" },
    { before: "0" },
    { before: null },
    { after: "3" },
    { after: null },
    { was: { kind: "link" } },
    { is: { kind: "link" } },
    { was: { kind: "link" }, is: { kind: "link" } },
  ];
  for (const other of others) expect(areSameChanges([edit], [{ ...edit, ...other }])).toBe(false);
});

test("a mode that is another one is another change; one that nobody knew then or now is none", () => {
  const shown: ChangedFile = { ...edit, was: { ...file, mode: 0o644 }, is: { ...file, mode: 0o755 } };
  expect(areSameChanges([shown], [{ ...shown }])).toBe(true);
  expect(areSameChanges([shown], [{ ...shown, is: { ...file, mode: 0o700 } }])).toBe(false);
  expect(areSameChanges([shown], [{ ...shown, was: { ...file, mode: 0o600 } }])).toBe(false);
  expect(areSameChanges([shown], [{ ...shown, was: file, is: file }])).toBe(true);
});

test("each file of a change counts, in its order", () => {
  const other = { ...edit, path: "b" };
  expect(areSameChanges([edit, other], [edit, other])).toBe(true);
  expect(areSameChanges([edit, other], [edit])).toBe(false);
  expect(areSameChanges([edit], [edit, other])).toBe(false);
  expect(areSameChanges([edit, other], [other, edit])).toBe(false);
  expect(areSameChanges([], [edit])).toBe(false);
});

test("a command runs where it was said to if the same program reads it in the same directory", () => {
  expect(isSamePlace(undefined, undefined)).toBe(true);
  expect(isSamePlace({ into: "bash", directory: "src" }, { directory: "src", into: "bash" })).toBe(true);
  expect(isSamePlace({ into: "bash", directory: "src" }, { into: "bash" })).toBe(false);
  expect(isSamePlace({ into: "bash" }, { into: "node" })).toBe(false);
  expect(isSamePlace({ into: "" }, undefined)).toBe(false);
});
