import { expect, test } from "vitest";
import { keepAll, keepFile, undoAll, undoFile, undoHunk } from "./change-commands.ts";
import { changedFiles, keptParts } from "./changed-files.ts";
import { reviewedFile, reviewOf } from "./testing/review.ts";

const lines = (count: number, changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, at) => `${changed[at] ?? `line ${at}`}\n`).join("");

const first = lines(30, { 2: "two" });
const second = lines(30, { 2: "two", 12: "twelve", 25: "twenty-five\nand more" });

const reviews = [
  reviewOf(1, [
    reviewedFile("src/a.ts", lines(30), first),
    reviewedFile("new.ts", null, "new\n"),
    reviewedFile("done.ts", "1\n", "2\n", { status: "kept" }),
    reviewedFile("back.ts", "1\n", "2\n", { status: "undone" }),
  ]),
  reviewOf(3, [reviewedFile("src/a.ts", first, second), reviewedFile("gone.ts", "1\n2\n", null)]),
];

test("A40: the files that await a decision are listed once, with what all requests added and removed", () => {
  expect(
    changedFiles(reviews).map(({ parts, ...file }) => ({ ...file, turns: parts.map(({ turn }) => turn) })),
  ).toEqual([
    { path: "gone.ts", action: "deleted", added: 0, removed: 2, turns: [3] },
    { path: "new.ts", action: "created", added: 1, removed: 0, turns: [1] },
    { path: "src/a.ts", action: "modified", added: 4, removed: 3, turns: [3, 1] },
  ]);
});

test("files of a directory come before those of its subdirectories", () => {
  const paths = ["b/c/d.ts", "b/z.ts", "z.ts", "a/x.ts", "b.ts"];
  const review = reviewOf(
    1,
    paths.map((path) => reviewedFile(path, null, "1\n")),
  );
  expect(changedFiles([review]).map(({ path }) => path)).toEqual([
    "b.ts",
    "z.ts",
    "a/x.ts",
    "b/z.ts",
    "b/c/d.ts",
  ]);
});

function fileAt(path: string, kept: readonly string[] = []) {
  const file = changedFiles(reviews, new Set(kept)).find((each) => each.path === path);
  if (!file) throw new Error(`${path} awaits no decision.`);
  return file;
}

const keysOf = (path: string, turn: number): string[] =>
  fileAt(path).parts.flatMap((part) => (part.turn === turn ? part.hunks.map(({ key }) => key) : []));

test("A40: a kept hunk counts no more, and the file is the session's to keep once all its hunks are", () => {
  const [one = "", two = ""] = keysOf("src/a.ts", 3);
  expect(fileAt("src/a.ts", [one])).toMatchObject({ added: 3, removed: 2 });
  expect(keptParts(reviews, new Set([one]))).toEqual([]);
  expect(fileAt("src/a.ts", [one, two])).toMatchObject({ added: 1, removed: 1, parts: [{ turn: 1 }] });
  expect(keptParts(reviews, new Set([one, two]))).toEqual([{ turn: 3, path: "src/a.ts" }]);
});

test("A40: undoing a hunk names it by its number; the last one makes kept ones final", () => {
  const [one = "", two = ""] = keysOf("src/a.ts", 3);
  const undoing = (key: string, kept: readonly string[]) => {
    const file = fileAt("src/a.ts", kept);
    const hunk = file.parts.flatMap(({ hunks }) => hunks).find((each) => each.key === key);
    return hunk && undoHunk(hunk, file);
  };
  const which = { turn: 3, paths: ["src/a.ts"] };
  expect(undoing(two, [])).toEqual([{ type: "undo", ...which, hunks: [2] }]);
  expect(undoing(two, [one])).toEqual([
    { type: "undo", ...which, hunks: [2] },
    { type: "keep", ...which },
  ]);
});

test("A40: a file is undone request by request, the newest first, and hunks that were kept stay", () => {
  const [one = ""] = keysOf("src/a.ts", 3);
  expect(undoFile(fileAt("src/a.ts"))).toEqual([
    { type: "undo", turn: 3, paths: ["src/a.ts"] },
    { type: "undo", turn: 1, paths: ["src/a.ts"] },
  ]);
  expect(undoFile(fileAt("src/a.ts", [one]))).toEqual([
    { type: "undo", turn: 3, paths: ["src/a.ts"], hunks: [2] },
    { type: "keep", turn: 3, paths: ["src/a.ts"] },
    { type: "undo", turn: 1, paths: ["src/a.ts"] },
  ]);
  expect(keepFile(fileAt("src/a.ts"))).toEqual([
    { type: "keep", turn: 3, paths: ["src/a.ts"] },
    { type: "keep", turn: 1, paths: ["src/a.ts"] },
  ]);
});

test("A40: all is undone or kept request by request, only what awaits a decision", () => {
  const [one = ""] = keysOf("src/a.ts", 3);
  expect(undoAll(changedFiles(reviews))).toEqual([
    { type: "undo", turn: 3, paths: ["gone.ts", "src/a.ts"] },
    { type: "undo", turn: 1, paths: ["new.ts", "src/a.ts"] },
  ]);
  expect(undoAll(changedFiles(reviews, new Set([one])))).toEqual([
    { type: "undo", turn: 3, paths: ["gone.ts"] },
    { type: "undo", turn: 3, paths: ["src/a.ts"], hunks: [2] },
    { type: "keep", turn: 3, paths: ["src/a.ts"] },
    { type: "undo", turn: 1, paths: ["new.ts", "src/a.ts"] },
  ]);
  expect(keepAll(changedFiles(reviews))).toEqual([
    { type: "keep", turn: 3, paths: ["gone.ts", "src/a.ts"] },
    { type: "keep", turn: 1, paths: ["new.ts", "src/a.ts"] },
  ]);
});
