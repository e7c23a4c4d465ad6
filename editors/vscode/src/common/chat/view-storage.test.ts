/** The view's storage, kept by the extension. */

import { expect, test } from "vitest";
import { longestKept, type StorageChanges, viewStorage, withChanges } from "./view-storage.ts";

test("what a view stores is told a little later, all changes at once, and is there for the next view", async () => {
  const told: StorageChanges[] = [];
  const first = Promise.withResolvers<void>();
  const storage = viewStorage({
    kept: { old: "1", gone: "2" },
    keep(changes) {
      told.push(changes);
      first.resolve();
    },
  });
  storage.setItem("draft", "H");
  storage.setItem("draft", "Hello");
  storage.removeItem("gone");
  storage.removeItem("never there");
  expect([storage.getItem("draft"), storage.getItem("gone"), storage.length]).toEqual(["Hello", null, 2]);
  await first.promise;
  expect(told).toEqual([{ draft: "Hello", gone: null }]);
  const kept = withChanges({ old: "1", gone: "2" }, { draft: "Hello", gone: null });
  expect(kept).toEqual({ old: "1", draft: "Hello" });
  const next = viewStorage({ kept, keep: () => undefined });
  expect([next.getItem("old"), next.getItem("draft")]).toEqual(["1", "Hello"]);
});

test("a value that is too long to be kept leaves no older one behind", () => {
  expect(withChanges({ picture: "small", text: "x" }, { picture: "y".repeat(longestKept + 1) })).toEqual({
    text: "x",
  });
});
