import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Entry } from "../protocol/facts.ts";
import { checkpointId, checkpointOf } from "../protocol/fold-changes.ts";
import { ChangedWorkspace, killedAfter, type WantedState } from "./checkpoints/testing/workspace.ts";
import { recoverLog } from "./recover-log.ts";

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

const brief = (entries: readonly Entry[]): unknown[] =>
  entries.map((entry) => {
    if (entry.type === "change-applied") return entry.changes.map(({ path }) => path);
    if (entry.type === "result") return entry.outcome;
    return entry.type === "warning" ? entry.text : entry.type;
  });

const files: Record<string, WantedState> = {
  a: { text: "1\n", mode: 0o640 },
  b: { text: "1\n", mode: 0o755 },
  "d/c": "1\n",
  l: { link: "a" },
};
const group: Record<string, WantedState> = {
  a: "2\n",
  b: null,
  "d/c": { text: "1\n", mode: 0o600 },
  l: { link: "b" },
  new: { directory: 0o755 },
  "new/file": { text: "2\n", mode: 0o600 },
};
const parts = Object.keys(group).length;

for (let count = 0; count <= parts; count += 1)
  test(`A41: after a kill at ${count} of ${parts} writes, the files are as before or as planned, and the log records which`, async () => {
    const workspace = await workspaceWith(files);
    const before = workspace.snapshot();
    await workspace.begin();
    const tree = workspace.files;
    workspace.files = killedAfter(tree, count);
    await expect(workspace.change(group)).rejects.toThrow("killed");
    workspace.files = tree;
    const killed = workspace.snapshot();
    writeFileSync(join(workspace.root, ".a.0123456789ab.tmp"), "a temporary file of ours");
    writeFileSync(join(workspace.root, ".z.0123456789ab.tmp"), "not ours");
    const facts = await workspace.reopen();
    const { ".z.0123456789ab.tmp": foreign, ...after } = workspace.snapshot();
    expect(foreign).toBe("file 644 not ours");
    expect(after).toEqual(count === parts ? killed : before);
    expect(brief(facts)).toEqual([
      count === parts ? Object.keys(group) : [],
      "interrupted",
      ...(count === 0
        ? []
        : [expect.stringContaining(count === parts ? "all of it was written" : "was taken back")]),
    ]);
    expect(await workspace.reopen()).toEqual([]);
    expect(recoverLog(workspace.log.entries)).toEqual([]);
    await workspace.end();
    if (count === parts) {
      expect(await workspace.undo()).toMatchObject({ ok: true });
      expect(workspace.snapshot()).toEqual({ ...before, ".z.0123456789ab.tmp": foreign });
    } else expect(checkpointOf(workspace.log.state, 1)).toMatchObject({ files: [], directories: [] });
  });

test("A41: a recovery that is killed can be repeated with the same result", async () => {
  const workspace = await workspaceWith(files);
  const before = workspace.snapshot();
  await workspace.begin();
  const tree = workspace.files;
  workspace.files = killedAfter(tree, 4);
  await expect(workspace.change(group)).rejects.toThrow("killed");
  workspace.files = tree;
  for (const count of [0, 1, 0, 1])
    await expect(workspace.reopen((reopened) => killedAfter(reopened, count))).rejects.toThrow("killed");
  await workspace.reopen();
  expect(workspace.snapshot()).toEqual(before);
});

test("a file neither as before nor as planned is left, recorded and reported; undo then shows a conflict", async () => {
  const workspace = await workspaceWith({ a: "1", b: "1" });
  await workspace.begin();
  await workspace.change({ a: "2", b: "2" }, "after the writes");
  workspace.put("b", "mine");
  const facts = await workspace.reopen();
  expect(brief(facts)).toEqual([
    ["a", "b"],
    "interrupted",
    expect.stringContaining("b may or may not be as it wanted"),
  ]);
  expect(workspace.snapshot()).toEqual({ a: "file 644 2", b: "file 644 mine" });
  await workspace.end();
  expect(await workspace.undo()).toMatchObject({
    ok: false,
    conflicts: [{ path: "b", choices: ["skip", "restore"] }],
  });
});

test("a file changed by somebody else before any planned write is left alone, and no change is recorded", async () => {
  const workspace = await workspaceWith({ a: "1", b: "1" });
  await workspace.begin();
  await workspace.change({ a: "2", b: "2" }, "after the intent");
  workspace.put("b", "mine");
  expect(brief(await workspace.reopen())).toEqual([[], "interrupted"]);
  expect(workspace.snapshot()).toEqual({ a: "file 644 1", b: "file 644 mine" });
});

test("a file whose before-image is gone is left as it is and reported", async () => {
  const workspace = await workspaceWith({ a: "1", b: "1" });
  await workspace.begin();
  await workspace.change({ a: "2", b: "2" }, "after the writes");
  workspace.put("b", "1");
  await workspace.store.dropImages("s1", checkpointId(workspace.log.state, 1));
  expect(brief(await workspace.reopen())).toEqual([
    ["a"],
    "interrupted",
    expect.stringContaining("a may or may not"),
  ]);
  expect(workspace.snapshot()).toEqual({ a: "file 644 2", b: "file 644 1" });
});

test("recovery leaves calls alone that had not started or are over", async () => {
  const workspace = await workspaceWith({ a: "1" });
  await workspace.begin();
  await workspace.change({ a: "2" }, "before the intent");
  await workspace.change({ a: "3" });
  expect(await workspace.reopen()).toEqual([]);
});
