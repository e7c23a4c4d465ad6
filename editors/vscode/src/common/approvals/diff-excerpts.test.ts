import { expect, test } from "vitest";
import { diffExcerpts } from "./diff-excerpts.ts";

test("each file of a diff is shown before and after, and nothing in it hides", () => {
  const diff = `--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@
 one
-two
+2\u202E
 three
@@ -20,2 +20,1 @@
 twenty
-twenty-one
--- /dev/null
+++ b/new.ts
@@ -0,0 +1 @@
+new
\\ No newline at end of file
`;
  expect(diffExcerpts(diff)).toEqual([
    {
      name: "src/a.ts",
      before: "one\ntwo\nthree\n\n⋯\n\ntwenty\ntwenty-one\n",
      after: "one\n2⟨U+202E⟩\nthree\n\n⋯\n\ntwenty\n",
    },
    { name: "new.ts (new)", before: "", after: "new (No newline at end of file)\n" },
  ]);
  expect(diffExcerpts("")).toEqual([]);
});
