import { afterEach, expect, test } from "vitest";
import { review, type Review } from "./review.ts";
import { ChangedWorkspace, type WantedState } from "./testing/workspace.ts";

const opened: ChangedWorkspace[] = [];
afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close();
});

async function workspaceWith(files: Record<string, WantedState>): Promise<ChangedWorkspace> {
  const workspace = await ChangedWorkspace.open();
  opened.push(workspace);
  for (const [path, wanted] of Object.entries(files)) workspace.put(path, wanted);
  return workspace;
}

async function reviewed(workspace: ChangedWorkspace, turn?: number): Promise<Review> {
  const found = await review(turn, workspace.context);
  if (!found.ok) throw new Error(found.problem);
  return found.value;
}

test("A40: a review has each file's status, its diff and its hunks, and changes nothing", async () => {
  const workspace = await workspaceWith({
    a: "1\n2\n",
    gone: { text: "g\n", mode: 0o755 },
    m: { text: "m", mode: 0o644 },
  });
  await workspace.turn({
    a: "1\ntwo\n",
    gone: null,
    new: "n",
    m: { text: "m", mode: 0o755 },
    l: { link: "a" },
  });
  const [before, facts] = [workspace.snapshot(), workspace.log.entries.length];
  const { files, ...rest } = await reviewed(workspace);
  expect(rest).toMatchObject({ turn: 1, status: "pending", added: 2, removed: 2 });
  expect(files.map(({ path, action, diff }) => [path, action, diff])).toEqual([
    ["a", "modified", "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n"],
    ["gone", "deleted", "deleted file mode 100755\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n"],
    [
      "new",
      "created",
      expect.stringMatching(
        /^new file mode 100644\n--- \/dev\/null\n\+\+\+ b\/new\n@@ -0,0 \+1 @@\n\+n\n\\ No newline/,
      ),
    ],
    ["m", "modified", "old mode 100644\nnew mode 100755\n"],
    ["l", "created", "new file mode 120000\n--- /dev/null\n+++ b/l\n"],
  ]);
  expect(files.map(({ hunks }) => hunks.length)).toEqual([1, 1, 1, 0, 0]);
  expect(files[4]?.problem).toBe("what the request left there is a link");
  expect(files.every(({ conflict }) => conflict === undefined)).toBe(true);
  expect(workspace.snapshot()).toEqual(before);
  expect(workspace.log.entries).toHaveLength(facts);
});

test("a review of an earlier turn shows its known diffs and its conflicts with later changes", async () => {
  const workspace = await workspaceWith({ a: "1\n", b: "1\n" });
  await workspace.turn({ a: "2\n", b: "b\n" });
  await workspace.turn({ a: "3\n" });
  workspace.put("b", "mine\n");
  const { files } = await reviewed(workspace, 1);
  expect(files).toMatchObject([
    {
      path: "a",
      hunks: [{ number: 1, text: "@@ -1 +1 @@\n-1\n+2\n" }],
      conflict: { turns: [2], outside: false },
    },
    {
      path: "b",
      hunks: [],
      problem: "what the request left there is not known any more",
      conflict: { outside: true },
    },
  ]);
});

test("a review leaves out undone hunks, but shows the diff of a file that was undone whole", async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `${index}\n`);
  const workspace = await workspaceWith({ a: lines.join(""), b: "1\n" });
  await workspace.turn({
    a: lines.map((line, index) => (index % 20 ? line : `new ${line}`)).join(""),
    b: "2\n",
  });
  await workspace.undo({ paths: ["a"], hunks: [1] });
  await workspace.undo({ paths: ["b"] });
  const { files, status } = await reviewed(workspace);
  expect(status).toBe("partial");
  expect(files).toMatchObject([
    { path: "a", status: "partial", hunks: [{ number: 1, text: expect.stringContaining("+new 20") }] },
    { path: "b", status: "undone", hunks: [{ number: 1, text: "@@ -1 +1 @@\n-1\n+2\n" }] },
  ]);
});

test("an open turn can be reviewed; a turn without changes, or an unknown one, is refused", async () => {
  const workspace = await workspaceWith({});
  expect(await review(undefined, workspace.context)).toEqual({
    ok: false,
    problem: "There are no changes to look at.",
  });
  await workspace.turn();
  expect(await review(1, workspace.context)).toEqual({ ok: false, problem: "Request 1 changed no files." });
  expect(await review(5, workspace.context)).toEqual({ ok: false, problem: "There is no request 5." });
  await workspace.begin();
  await workspace.change({ a: "1" });
  expect(await review(undefined, workspace.context)).toMatchObject({ ok: true, value: { turn: 2 } });
});

test("binary files and files with dropped images are listed with the reason", async () => {
  const workspace = await workspaceWith({ a: "\u0000", b: "1" });
  await workspace.turn({ a: "\u0000\u0001" });
  await workspace.turn({ b: "2" });
  await workspace.keep({ turn: 2 });
  expect((await reviewed(workspace, 1)).files[0]?.problem).toBe(
    "what stood there before is no text, or too large to compare",
  );
  expect((await reviewed(workspace, 2)).files).toMatchObject([
    { path: "b", status: "kept", problem: "what stood there before is not known any more", hunks: [] },
  ]);
});
