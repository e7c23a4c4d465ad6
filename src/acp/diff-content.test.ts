import { expect, test } from "vitest";
import { diffsIn } from "./diff-content.ts";

test("each hunk is a diff with the lines of both sides; a new file has no old ones", () => {
  const unified = [
    "--- a/one.txt",
    "+++ b/one.txt",
    "@@ -1,2 +1,2 @@",
    " same",
    "--- old",
    "+++ new",
    "@@ -9,1 +9,1 @@",
    "-nine",
    "+NINE",
    "--- /dev/null",
    "+++ b/two.txt",
    "@@ -0,0 +1,1 @@",
    "+two",
    "",
  ].join("\n");
  expect(diffsIn(unified, "/project")).toEqual([
    { path: "/project/one.txt", oldText: "same\n-- old\n", newText: "same\n++ new\n" },
    { path: "/project/one.txt", oldText: "nine\n", newText: "NINE\n" },
    { path: "/project/two.txt", oldText: null, newText: "two\n" },
  ]);
});

test("a text that is no diff has none", () => {
  for (const text of ["", "git push --force", "@@ -1 +1 @@ broken\n?", "--- a\n+++ b\n"])
    expect(diffsIn(text, "/project")).toEqual([]);
});
