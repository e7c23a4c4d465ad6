/** Tests the comparison of a pending action with what was shown for approval. */

import { expect, test } from "vitest";
import type { ChangedFile } from "../../protocol/facts.ts";
import { areSameChanges, isSamePlace } from "./as-shown.ts";

const edit: ChangedFile = { path: "a", before: "1", after: "2", added: 1, removed: 0 };
const file = { kind: "file" as const };

test("a change matches the one shown if its path, content and kind match, before and after", () => {
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

test("a different file mode makes a different change; an unknown mode is ignored", () => {
  const shown: ChangedFile = { ...edit, was: { ...file, mode: 0o644 }, is: { ...file, mode: 0o755 } };
  expect(areSameChanges([shown], [{ ...shown }])).toBe(true);
  expect(areSameChanges([shown], [{ ...shown, is: { ...file, mode: 0o700 } }])).toBe(false);
  expect(areSameChanges([shown], [{ ...shown, was: { ...file, mode: 0o600 } }])).toBe(false);
  expect(areSameChanges([shown], [{ ...shown, was: file, is: file }])).toBe(true);
});

test("changes match only if all their files match, in the same order", () => {
  const other = { ...edit, path: "b" };
  expect(areSameChanges([edit, other], [edit, other])).toBe(true);
  expect(areSameChanges([edit, other], [edit])).toBe(false);
  expect(areSameChanges([edit], [edit, other])).toBe(false);
  expect(areSameChanges([edit, other], [other, edit])).toBe(false);
  expect(areSameChanges([], [edit])).toBe(false);
});

test("a command's place matches the one shown if the same program reads it in the same directory", () => {
  expect(isSamePlace(undefined, undefined)).toBe(true);
  expect(isSamePlace({ into: "bash", directory: "src" }, { directory: "src", into: "bash" })).toBe(true);
  expect(isSamePlace({ into: "bash", directory: "src" }, { into: "bash" })).toBe(false);
  expect(isSamePlace({ into: "bash" }, { into: "node" })).toBe(false);
  expect(isSamePlace({ into: "" }, undefined)).toBe(false);
});
