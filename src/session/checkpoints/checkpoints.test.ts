import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { sha256 } from "../../base/crypto.ts";
import { checkpointId, checkpointOf, checkpointsOf } from "../../protocol/fold-changes.ts";
import type { Undone } from "./checkpoints.ts";
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

const hashOf = (text: string): string => sha256(new TextEncoder().encode(text));
const problemOf = (undone: Undone): string => (undone.ok ? "" : undone.problem);

const kinds: Readonly<
  Record<string, { files: Record<string, WantedState>; turn: Record<string, WantedState>[] }>
> = {
  "an edit": { files: { "a.txt": "one\ntwo\n" }, turn: [{ "a.txt": "one\n2\n" }] },
  "several edits of one file": { files: { a: "1" }, turn: [{ a: "2" }, { a: "3" }, { a: "4" }] },
  "a new file in new directories": { files: {}, turn: [{ "x/y/z.txt": "new" }] },
  "a deletion, with its mode": {
    files: { "run.sh": { text: "#!", mode: 0o750 } },
    turn: [{ "run.sh": null }],
  },
  "a rename, with its mode": {
    files: { "old.sh": { text: "#!", mode: 0o755 } },
    turn: [{ "old.sh": null, "dir/new.sh": { text: "#!", mode: 0o755 } }],
  },
  "a mode": { files: { a: { text: "1", mode: 0o640 } }, turn: [{ a: { text: "1", mode: 0o755 } }] },
  "an edit, then a mode": {
    files: { a: { text: "1", mode: 0o600 } },
    turn: [{ a: "2" }, { a: { text: "2", mode: 0o777 } }, { a: "3" }],
  },
  "a deletion and another file in its place": {
    files: { a: { text: "1", mode: 0o711 } },
    turn: [{ a: null }, { a: { text: "2", mode: 0o600 } }],
  },
  "a link that is made": { files: { a: "1" }, turn: [{ l: { link: "a" } }] },
  "a link that is changed": { files: { l: { link: "nowhere" } }, turn: [{ l: { link: "../outside" } }] },
  "a link that is deleted": { files: { l: { link: "nowhere" } }, turn: [{ l: null }] },
  "a file that becomes a link": { files: { a: { text: "1", mode: 0o755 } }, turn: [{ a: { link: "b" } }] },
  "directories that are deleted": {
    files: { "src/deep/a": "1", "src/b": { text: "2", mode: 0o600 }, "src/empty": { directory: 0o750 } },
    turn: [{ "src/deep/a": null, "src/b": null, "src/empty": null, "src/deep": null, src: null }],
  },
  "directories that are made": {
    files: {},
    turn: [{ d: { directory: 0o711 } }, { "d/e": { directory: 0o755 } }],
  },
  "the mode of a directory": { files: { d: { directory: 0o755 } }, turn: [{ d: { directory: 0o700 } }] },
  "a directory that becomes a file": { files: { "d/a": "1" }, turn: [{ "d/a": null }, { d: "file" }] },
  "a file that becomes a directory": { files: { d: "1" }, turn: [{ d: { directory: 0o755 }, "d/a": "2" }] },
  "bytes that are no text": { files: { a: "\u0000\u0001" }, turn: [{ a: "\u0000\u0002" }] },
  "line endings, a byte order mark, no last line end": {
    files: { a: "\uFEFFone\r\ntwo\nthree" },
    turn: [{ a: "\uFEFFone\r\n2\nthree\n" }],
  },
  "an empty file": { files: { a: "" }, turn: [{ a: "1" }, { a: null }] },
};

for (const [kind, { files, turn }] of Object.entries(kinds))
  test(`A40: ${kind}: undo restores the tree from before, redo the tree from after, and undo works again`, async () => {
    const workspace = await workspaceWith({ "other/file": "o", ...files });
    const before = workspace.snapshot();
    await workspace.turn(...turn);
    const after = workspace.snapshot();
    expect(after).not.toEqual(before);
    expect(problemOf(await workspace.undo())).toBe("");
    expect(workspace.snapshot()).toEqual(before);
    expect(checkpointOf(workspace.log.state, 1)?.status).toBe("undone");
    expect(problemOf(await workspace.redo())).toBe("");
    expect(workspace.snapshot()).toEqual(after);
    expect(checkpointOf(workspace.log.state, 1)?.status).toBe("pending");
    expect(problemOf(await workspace.undo())).toBe("");
    expect(workspace.snapshot()).toEqual(before);
  });

test("A7, A40: each turn has one checkpoint from its beginning, whose id never changes", async () => {
  const workspace = await workspaceWith({ a: "1" });
  await workspace.begin();
  const { state } = workspace.log;
  const [first] = checkpointsOf(state);
  expect(first).toMatchObject({ turn: 1, status: "pending", files: [], added: 0, removed: 0 });
  expect(first?.id).toMatch(/^ckpt_\d+_[0-9a-f]{8}$/);
  await workspace.change({ a: "2\n", "d/b": "3\n4\n" });
  await workspace.end();
  await workspace.turn();
  await workspace.reopen();
  const [again, second] = checkpointsOf(workspace.log.state);
  expect(again?.id).toBe(first?.id);
  expect(second?.id).not.toBe(first?.id);
  expect(checkpointId(workspace.log.state, 1)).toBe(first?.id);
  const rest = { kind: "file", status: "pending" };
  expect(again).toMatchObject({
    status: "pending",
    added: 3,
    removed: 1,
    files: [
      { path: "a", action: "modified", added: 1, removed: 1, ...rest },
      { path: "d/b", action: "created", added: 2, removed: 0, ...rest },
    ],
    directories: [{ path: "d", action: "created", kind: "directory" }],
  });
});

test("A40: the first before-image of a path counts, and a file created and deleted in the turn is no change", async () => {
  const workspace = await workspaceWith({ old: "1", gone: "g" });
  const before = workspace.snapshot();
  await workspace.turn(
    { old: "22" },
    { old: "333", new: "n" },
    { gone: null, passing: "p" },
    { passing: null },
  );
  const { files = [] } = checkpointOf(workspace.log.state, 1) ?? {};
  expect(files.map(({ path, action }) => `${action} ${path}`)).toEqual([
    "modified old",
    "created new",
    "deleted gone",
  ]);
  expect(await workspace.undo()).toMatchObject({
    ok: true,
    fact: {
      undoneTurn: 1,
      changes: [
        { path: "old", before: hashOf("333"), after: hashOf("1"), added: 1, removed: 1 },
        { path: "new", before: hashOf("n"), after: null, added: 0, removed: 1 },
        { path: "gone", before: null, after: hashOf("g"), added: 1, removed: 0 },
      ],
    },
  });
  expect(workspace.snapshot()).toEqual(before);
});

test("later work is never destroyed: one changed file stops the whole undo, with the reason for each file", async () => {
  const workspace = await workspaceWith({ a: "1\n", c: "1\n" });
  await workspace.turn({ a: "2\n", b: "2\n", c: "2\n" });
  await workspace.turn({ a: "2\n3\n" });
  workspace.put("b", "mine\n");
  workspace.put("c", null);
  const before = workspace.snapshot();
  const undone = await workspace.undo({ turn: 1 });
  expect(undone).toMatchObject({
    ok: false,
    conflicts: [
      {
        path: "a",
        turns: [2],
        outside: false,
        kind: "later-work",
        because: "request 2 has changed it",
        since: { added: 1, removed: 0 },
      },
      { path: "b", turns: [], outside: true, because: "it was changed outside this session" },
      { path: "c", turns: [], outside: true, because: "it was deleted outside this session" },
    ],
  });
  expect(problemOf(undone)).toContain("Nothing was changed, since later work would be lost");
  expect(workspace.snapshot()).toEqual(before);
  expect(await workspace.undo({ turn: 2 })).toMatchObject({ ok: true });
  expect(await workspace.undo({ turn: 1, paths: ["a"] })).toMatchObject({ ok: true });
});

test("files with later work can be skipped, restored or merged by an undo, and redo reverses each choice", async () => {
  const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join("");
  const workspace = await workspaceWith({ a: text("1", "2", "3", "4", "5"), b: "b" });
  await workspace.turn({ a: text("ONE", "2", "3", "4", "5"), b: "B" });
  await workspace.turn({ a: text("ONE", "2", "3", "4", "FIVE") });
  const worked = workspace.snapshot();
  const refused = await workspace.undo({ turn: 1 });
  expect(refused).toMatchObject({ conflicts: [{ path: "a", choices: ["skip", "restore", "merge"] }] });

  expect(await workspace.undo({ turn: 1, onConflict: "skip" })).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toEqual({ ...worked, b: "file 644 b" });
  expect(checkpointOf(workspace.log.state, 1)?.status).toBe("partial");
  expect(await workspace.redo()).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toEqual(worked);

  expect(await workspace.undo({ turn: 1, onConflict: "restore" })).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toMatchObject({
    a: `file 644 ${text("1", "2", "3", "4", "5")}`,
    b: "file 644 b",
  });
  expect(await workspace.redo()).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toEqual(worked);

  expect(await workspace.undo({ turn: 1, onConflict: "merge" })).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toMatchObject({
    a: `file 644 ${text("1", "2", "3", "4", "FIVE")}`,
    b: "file 644 b",
  });
  expect(await workspace.redo()).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toEqual(worked);
});

test("a file that cannot be merged line by line stays a conflict", async () => {
  const workspace = await workspaceWith({ a: "1\n", b: "\u0000", c: "1\n2\n3\n4\n" });
  await workspace.turn({ a: "2\n", b: "\u0000\u0001", c: "1\n2\n3\nfour\n" });
  await workspace.turn({ a: "3\n", b: "\u0000\u0002", c: "one\n2\n3\nfour\n" });
  const before = workspace.snapshot();
  const undone = await workspace.undo({ turn: 1, onConflict: "merge" });
  expect(undone).toMatchObject({ ok: false, conflicts: [{ path: "a" }, { path: "b" }] });
  expect(problemOf(undone)).toContain(
    "It cannot be merged line by line. Choose what becomes of it: skip, restore.",
  );
  expect(workspace.snapshot()).toEqual(before);
});

test("later work on the mode alone, or on the content alone, does not conflict with the other", async () => {
  const workspace = await workspaceWith({ a: { text: "1", mode: 0o644 }, b: { text: "1", mode: 0o644 } });
  await workspace.turn({ a: "2", b: { text: "1", mode: 0o755 } });
  workspace.put("a", { text: "2", mode: 0o600 });
  workspace.put("b", { text: "other", mode: 0o755 });
  expect(await workspace.undo()).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toEqual({ a: "file 600 1", b: "file 644 other" });
});

test("an earlier turn can be undone while later ones stay, unless they changed the same files", async () => {
  const workspace = await workspaceWith({});
  await workspace.turn({ a: "1", b: "1" });
  await workspace.turn({ b: "2" });
  await workspace.turn({ c: "3" });
  expect(await workspace.undo({ turn: 1 })).toMatchObject({
    ok: false,
    conflicts: [{ path: "b", turns: [2] }],
  });
  expect(await workspace.undo({ turn: 2 })).toMatchObject({ ok: true });
  expect(await workspace.undo({ turn: 1 })).toMatchObject({ ok: true, fact: { undoneTurn: 1 } });
  expect(workspace.snapshot()).toEqual({ c: "file 644 3" });
});

test("A40: single files and whole directories can be undone; the rest of the turn stays", async () => {
  const workspace = await workspaceWith({ "src/a": "1", "src/b": "1", "srcb/c": "1" });
  await workspace.turn({ "src/a": "2", "src/b": "2", "srcb/c": "2", "new/x": "2", "new/y": "2" });
  expect(await workspace.undo({ paths: ["./src/a"] })).toMatchObject({ ok: true });
  expect(checkpointOf(workspace.log.state, 1)?.status).toBe("partial");
  expect(await workspace.undo({ paths: ["src/"] })).toMatchObject({ ok: true });
  expect(await workspace.undo({ paths: ["new/x"] })).toMatchObject({ ok: true });
  expect(Object.keys(workspace.snapshot())).toContain("new/y");
  expect(await workspace.undo({ paths: ["new/y"] })).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toMatchObject({
    "src/a": "file 644 1",
    "src/b": "file 644 1",
    "srcb/c": "file 644 2",
  });
  expect(Object.keys(workspace.snapshot())).not.toContain("new");
  expect(problemOf(await workspace.undo({ paths: ["src/a"] }))).toBe(
    "The changes of request 1 to src/a were taken back already: there is nothing to take back.",
  );
  expect(problemOf(await workspace.undo({ paths: ["srcb/c", "sr"] }))).toBe("Request 1 did not change sr.");
});

test("a directory created by the turn stays while it holds anybody else's file", async () => {
  const workspace = await workspaceWith({});
  await workspace.turn({ "d/e/a": "1" });
  workspace.put("d/mine", "m");
  expect(await workspace.undo()).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toEqual({ d: "directory 755", "d/mine": "file 644 m" });
});

test("A40: hunks of a file are undone one by one, and all of them together are the whole file", async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
  const changed = lines.map((line, index) => (index % 20 === 10 ? `${line} changed` : line));
  const text = (all: readonly string[]): string => all.join("\r\n");
  const workspace = await workspaceWith({ a: text(lines), b: "b" });
  await workspace.turn({ a: text(changed), b: "B" });
  expect(problemOf(await workspace.undo({ hunks: [1] }))).toBe(
    "Hunks are taken back of one file at a time: name the file.",
  );
  expect(problemOf(await workspace.undo({ paths: ["a"], hunks: [4] }))).toBe(
    "a has 3 hunks; there is no hunk 4.",
  );
  expect(problemOf(await workspace.undo({ paths: ["a"], hunks: [] }))).toContain("a has 3 hunks");
  expect(await workspace.undo({ paths: ["a"], hunks: [2] })).toMatchObject({ ok: true });
  const without = (...back: number[]): string =>
    text(changed.map((line, index) => (back.includes(index) ? (lines[index] ?? "") : line)));
  expect(workspace.snapshot()["a"]).toBe(`file 644 ${without(30)}`);
  expect(checkpointOf(workspace.log.state, 1)?.files).toMatchObject([
    { status: "partial" },
    { status: "pending" },
  ]);
  workspace.put("a", `${without(30)}\r\nmine`);
  expect(await workspace.undo({ paths: ["a"], hunks: [2], onConflict: "skip" })).toMatchObject({ ok: false });
  expect(await workspace.undo({ paths: ["a"], hunks: [1], onConflict: "merge" })).toMatchObject({ ok: true });
  expect(workspace.snapshot()["a"]).toBe(`file 644 ${without(10, 30)}\r\nmine`);
  workspace.put("a", without(10, 30));
  expect(await workspace.undo({ paths: ["a"], hunks: [1] })).toMatchObject({ ok: true });
  expect(workspace.snapshot()["a"]).toBe(`file 644 ${text(lines)}`);
  expect(checkpointOf(workspace.log.state, 1)?.files).toMatchObject([
    { status: "undone" },
    { status: "pending" },
  ]);
  expect(await workspace.redo({ paths: ["a"] })).toMatchObject({ ok: true });
  expect(workspace.snapshot()["a"]).toBe(`file 644 ${without(10, 30)}`);
  workspace.put("a", `${without(10, 30)}\r\nmine`);
  expect(await workspace.redo()).toMatchObject({ ok: true });
  expect(workspace.snapshot()["a"]).toBe(`file 644 ${without(30)}\r\nmine`);
  workspace.put("a", without(30));
  expect(await workspace.redo()).toMatchObject({ ok: true });
  expect(workspace.snapshot()["a"]).toBe(`file 644 ${text(changed)}`);
  expect(checkpointOf(workspace.log.state, 1)?.status).toBe("pending");
});

test("undo refuses a turn without changes and a request that is not over", async () => {
  const workspace = await workspaceWith({});
  const problem = async (turn?: number): Promise<string> =>
    problemOf(await workspace.undo(turn === undefined ? {} : { turn }));
  expect(await problem()).toBe("There are no changes to take back.");
  await workspace.turn();
  await workspace.turn({ a: "1" });
  expect(await problem(1)).toBe("Request 1 changed no files.");
  expect(await problem(7)).toBe("There is no request 7.");
  expect(problemOf(await workspace.redo())).toBe("There are no changes to bring back.");
  expect(await problem(2)).toBe("");
  expect(await problem(2)).toBe(
    "The changes of request 2 were taken back already: there is nothing to take back.",
  );
  expect(await problem()).toBe("There are no changes to take back.");
  await workspace.begin();
  await workspace.change({ a: "2" });
  expect(await problem()).toBe("The request is not over. Finish or interrupt it first.");
});

test("A40: kept changes cannot be undone and their images are dropped; those of other files stay", async () => {
  const workspace = await workspaceWith({ a: "1", b: "2", c: "3" });
  await workspace.turn({ a: "11", b: "22", c: "33" });
  const image = (text: string): Promise<Uint8Array | undefined> => workspace.store.image("s1", hashOf(text));
  expect(await workspace.keep({ paths: ["a"] })).toEqual({ ok: true });
  expect(checkpointOf(workspace.log.state, 1)?.files.map(({ status }) => status)).toEqual([
    "kept",
    "pending",
    "pending",
  ]);
  expect(await image("1")).toBeUndefined();
  expect(await image("2")).toBeDefined();
  expect(problemOf(await workspace.undo({ paths: ["a"] }))).toBe(
    "The changes of request 1 to a were kept for good: there is nothing to take back.",
  );
  expect(await workspace.undo({ paths: ["b"] })).toMatchObject({ ok: true });
  expect(await workspace.keep()).toEqual({ ok: true });
  expect(await image("3")).toBeUndefined();
  expect(await workspace.redo({ turn: 1 })).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toMatchObject({ a: "file 644 11", b: "file 644 22", c: "file 644 33" });
  expect(await workspace.keep()).toEqual({ ok: true });
  expect(await image("2")).toBeUndefined();
  expect(checkpointOf(workspace.log.state, 1)?.status).toBe("kept");
  expect(await workspace.keep()).toEqual({ ok: false, problem: "There are no changes to keep." });
  expect(problemOf(await workspace.undo({ turn: 1 }))).toContain("were kept for good");
});

test("a missing before-image stops the undo before any write, and the other files can still be undone", async () => {
  const workspace = await workspaceWith({ a: "1" });
  await workspace.turn({ b: "2", a: "2" });
  const before = workspace.snapshot();
  await workspace.store.dropImages("s1", checkpointId(workspace.log.state, 1));
  const undone = await workspace.undo();
  expect(undone).toMatchObject({
    conflicts: [
      { path: "a", kind: "lost", because: "its earlier content is not kept any more", choices: ["skip"] },
    ],
  });
  expect(problemOf(undone)).toBe(
    "Nothing was changed, since later work would be lost (a: its earlier content is not kept any more). Choose what becomes of it: skip.",
  );
  expect(workspace.snapshot()).toEqual(before);
  expect(await workspace.undo({ onConflict: "skip" })).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toEqual({ a: "file 644 2" });
});

test("an undo cut short can be repeated, and then redone completely", async () => {
  const workspace = await workspaceWith({ a: "1", b: "1" });
  await workspace.turn({ a: "2", b: "2" });
  const after = workspace.snapshot();
  // Simulates a process killed between the two: present contents are stored before anything is written.
  await workspace.store.keepImage("s1", checkpointId(workspace.log.state, 1), new TextEncoder().encode("2"));
  writeFileSync(join(workspace.root, "a"), "1");
  expect(await workspace.undo()).toMatchObject({
    ok: true,
    fact: { changes: [{ path: "a" }, { path: "b" }] },
  });
  expect(workspace.snapshot()).toEqual({ a: "file 644 1", b: "file 644 1" });
  expect(await workspace.redo()).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toEqual(after);
});

test("undo touches nothing where a non-empty directory has taken a file's place", async () => {
  const workspace = await workspaceWith({ a: "1", b: "1" });
  await workspace.turn({ a: "2", b: null });
  workspace.put("b/mine", "m");
  const before = workspace.snapshot();
  for (const onConflict of [undefined, "restore", "merge"] as const)
    expect(await workspace.undo(onConflict === undefined ? {} : { onConflict })).toMatchObject({ ok: false });
  expect(workspace.snapshot()).toEqual(before);
});
