/** A turn's changes and conflicts, as a person reads them. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../base/testing/any-character.ts";
import type { UndoConflict } from "../protocol/commands.ts";
import type { CheckpointFile, Status } from "../protocol/fold-changes.ts";
import { styleFor } from "./plain.ts";
import {
  conflictLines,
  leftLines,
  type ReviewedChanges,
  reviewLines,
  statusWords,
  withoutHunks,
} from "./review.ts";

const plain = styleFor({}, false);
const coloured = styleFor({}, true);

const file = (path: string, status: Status = "pending"): CheckpointFile => ({
  path,
  action: "modified",
  kind: "file",
  status,
  added: 2,
  removed: 1,
});

const changes = (over: Partial<ReviewedChanges> = {}): ReviewedChanges => ({
  id: "ckpt_1_abc",
  turn: 3,
  startedAt: 1,
  status: "pending",
  added: 2,
  removed: 1,
  files: [],
  directories: [],
  ...over,
});

const hunk = { number: 1, text: "@@ -1,2 +1,3 @@\n one\n-two\n+++ x\n+2\n\\ No newline at end of file\n" };

test("A40: a kept file is shown as kept, without the problem of its missing content", () => {
  const problem = "what stood there before is not known any more";
  expect(withoutHunks({ status: "kept", problem })).toBe("kept: nothing left to undo");
  expect(withoutHunks({ status: "pending", problem })).toBe(`no hunks: ${problem}`);
  const review = changes({ status: "kept", files: [{ ...file("a", "kept"), hunks: [], problem }] });
  expect(reviewLines(review, plain).at(-1)).toBe("  kept: nothing left to undo");
});

test("A40: a review names the checkpoint, the action and status of each file, and numbers the hunks", () => {
  const review = changes({
    files: [
      { ...file("a.ts"), hunks: [hunk], mode: { before: 0o644, after: 0o755 } },
      { ...file("l", "undone"), kind: "link", action: "created", hunks: [], problem: "it is a link" },
    ],
    directories: [{ ...file("new"), kind: "directory", action: "created" }],
  });
  expect(reviewLines(review, plain, { said: "rename\u001B total", uncovered: ["dist (9 files)"] })).toEqual([
    "Request 3 · applied · 2 files · +4 −2 · ckpt_1_abc",
    "> rename␛ total",
    "! undo does not cover: dist (9 files)",
    "",
    "new/ · created",
    "",
    "a.ts · modified · mode 644 → 755 · +2 −1",
    "  hunk 1  @@ -1,2 +1,3 @@",
    "   one",
    "  -two",
    "  +++ x",
    "  +2",
    "  \\ No newline at end of file",
    "",
    "l · created link · undone",
    "  no hunks: it is a link",
  ]);
  expect(reviewLines(review, coloured)).toContain("  \u001B[32m+++ x\u001B[39m");
});

test("a status common to all files is shown once, and unchanged line counts are omitted", () => {
  const files = [
    { ...file("a", "undone"), hunks: [] },
    { ...file("b", "undone"), added: 0, removed: 0, hunks: [] },
  ];
  expect(reviewLines(changes({ status: "undone", files }), plain)).toEqual([
    "Request 3 · undone · 2 files · +2 −1 · ckpt_1_abc",
    "",
    "a · modified · +2 −1",
    "",
    "b · modified",
  ]);
  const [heading] = reviewLines(changes({ files: files.slice(0, 1) }), plain);
  expect(heading).toBe("Request 3 · applied · +2 −1 · ckpt_1_abc");
});

test("the line counts are those of the hunks shown, not of lines added and removed again within a request", () => {
  const twice = { ...file("a.ts"), added: 4, removed: 3, hunks: [hunk, { ...hunk, number: 2 }] };
  const other = { ...file("b"), added: 7, removed: 0, hunks: [], problem: "it is no text" };
  const lines = reviewLines(changes({ added: 11, removed: 3, files: [twice, other] }), plain);
  expect(lines[0]).toBe("Request 3 · applied · 2 files · +11 −2 · ckpt_1_abc");
  expect(lines).toContain("a.ts · modified · +4 −2");
  expect(lines).toContain("b · modified · +7 −0");
});

const conflict: UndoConflict = {
  path: "a.ts",
  kind: "later-work",
  turns: [5],
  outside: false,
  because: "request 5 has changed it",
  since: { added: 1, removed: 0 },
  choices: ["skip", "restore", "merge"],
};

test("later changes to a file are shown with the file", () => {
  const review = changes({ files: [{ ...file("a.ts"), hunks: [], conflict }] });
  expect(reviewLines(review, plain).at(-1)).toBe(
    "  ! request 5 has changed it since (+1 −0): undo will ask what becomes of that",
  );
});

const retry = { turn: 3, files: [file("a.ts")], again: (way: string, turn: number) => `undo ${turn} ${way}` };

test("A40: a conflict shows the turn's changes, those made since, and the three ways to go on", () => {
  expect(conflictLines([conflict], retry, plain)).toEqual([
    "! Nothing was changed: a file has later work.",
    "  a.ts",
    "    request 3: modified it (+2 −1)",
    "    since then: request 5 has changed it (+1 −0)",
    "  undo 3 skip     leave it, undo the rest",
    "  undo 3 restore  bring back what was before, without the later work",
    "  undo 3 merge    take out only the request's lines, keep the later ones",
  ]);
});

test("A40: an interactive surface shows the choices without commands", () => {
  const { again: _, ...asked } = retry;
  expect(conflictLines([conflict], asked, plain)).toEqual([
    "! A file has later work; nothing was changed yet.",
    "  a.ts",
    "    request 3: modified it (+2 −1)",
    "    since then: request 5 has changed it (+1 −0)",
    "  skip     leave it, undo the rest",
    "  restore  bring back what was before, without the later work",
    "  merge    take out only the request's lines, keep the later ones",
  ]);
});

test("only choices that apply to all files are offered", () => {
  const gone: UndoConflict = {
    path: "b",
    kind: "lost",
    turns: [],
    outside: false,
    because: "its earlier content is not kept any more",
    choices: ["skip"],
  };
  expect(conflictLines([conflict, gone], retry, plain)).toEqual([
    "! Nothing was changed: 2 files cannot simply be restored.",
    "  a.ts",
    "    request 3: modified it (+2 −1)",
    "    since then: request 5 has changed it (+1 −0)",
    "  b",
    "    request 3: changed it",
    "    but: its earlier content is not kept any more",
    "  undo 3 skip  leave it, undo the rest",
  ]);
});

test("of very many conflicts the first are shown and the rest counted", () => {
  const many = Array.from({ length: 500 }, (_, index) => ({ ...conflict, path: `f${index}` }));
  const lines = conflictLines(many, retry, plain);
  expect(lines).toContain("  and 490 more");
  expect(lines).toHaveLength(35);
});

test("after a partial undo the changes still applied are listed; otherwise nothing is", () => {
  const left = (...statuses: Status[]) =>
    leftLines(
      changes({ files: statuses.map((status, index) => ({ ...file(`f${index}`, status), hunks: [] })) }),
    );
  expect(left("undone", "pending", "partial")).toEqual([
    "Request 3 is partly undone; still applied: f1, f2 (in part).",
  ]);
  expect(left("partial")).toEqual(["Request 3 is partly undone; still applied: f0 (in part)."]);
  expect(left("undone", "undone")).toEqual([]);
  expect(left("pending", "pending")).toEqual([]);
  expect(left("undone", "kept")).toEqual([]);
});

test("a checkpoint with some files kept and none undone is partly kept", () => {
  const words = (...statuses: Status[]) =>
    statusWords({ status: "partial", files: statuses.map((status) => ({ status })) });
  expect(words("kept", "pending")).toBe("partly kept");
  expect(words("kept", "undone")).toBe("partly undone");
  expect(statusWords({ status: "undone", files: [] })).toBe("undone");
});

test("no control character of a file name or its content reaches the terminal", () => {
  const evil = fc.string({ unit: anyCharacter });
  const reviewed = fc.record({ path: evil, text: evil, said: evil, because: evil });
  fc.assert(
    fc.property(reviewed, ({ path, text, said, because }) => {
      const found = { ...conflict, path, because };
      const shown = { ...file(path), hunks: [{ number: 1, text }], problem: because, conflict: found };
      const review = changes({ files: [shown] });
      for (const line of [
        ...reviewLines(review, plain, { said, uncovered: [because] }),
        ...conflictLines([found], retry, plain),
        ...leftLines(changes({ files: [shown, { ...shown, status: "undone" }] })),
      ])
        expect(line).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--\t]/v);
    }),
  );
});
