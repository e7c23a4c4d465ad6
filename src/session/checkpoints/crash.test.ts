import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ChangedWorkspace } from "./testing/workspace.ts";

async function opened(): Promise<ChangedWorkspace> {
  const workspace = await ChangedWorkspace.open();
  onTestFinished(() => workspace.close());
  return workspace;
}

test("A40: an undo removes the temporary files of an earlier undo that was killed", async () => {
  const workspace = await opened();
  workspace.put("src/a", "1");
  workspace.put("src/deep/b", "1");
  await workspace.turn({ "src/a": "2", "src/deep/b": null });
  const left = ["src/.a.0123456789ab.tmp", "src/.b.0123456789ab.tmp"];
  for (const path of left) writeFileSync(join(workspace.root, path), "1");
  writeFileSync(join(workspace.root, "src/.mine.0123456789ab.tmp"), "mine");
  expect(await workspace.undo()).toMatchObject({ ok: true });
  expect(readdirSync(join(workspace.root, "src")).toSorted()).toEqual([
    ".mine.0123456789ab.tmp",
    "a",
    "deep",
  ]);
});

test("A40: temporary files of a killed undo do not keep a directory that the request had created", async () => {
  const workspace = await opened();
  await workspace.turn({ "new/a": "1", "new/b": "2" });
  writeFileSync(join(workspace.root, "new/.a.0123456789ab.tmp"), "1");
  expect(await workspace.undo()).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toEqual({});
});

test("A41: recovery restores read-only directories that a crash left writable", async () => {
  const workspace = await opened();
  workspace.put("old", { directory: 0o755 });
  workspace.put("old/x", "1");
  workspace.put("old", { directory: 0o555 });
  const before = workspace.snapshot();
  await workspace.begin();
  await workspace.change(
    { new: { directory: 0o555 }, "new/x": "1", "old/x": null, old: null },
    "after the intent",
  );
  workspace.put("new", { directory: 0o755 });
  workspace.put("new/x", "1");
  workspace.put("old", { directory: 0o755 });
  await workspace.reopen();
  expect(workspace.snapshot()).toEqual(before);
});

test("A41: a crash between removing a file and creating the directory in its place, or the reverse, loses neither", async () => {
  for (const [was, becomes] of [
    ["file", { directory: 0o755 }],
    [{ directory: 0o755 }, "file"],
  ] as const) {
    const workspace = await opened();
    workspace.put("a", was);
    workspace.put("b", "1");
    const before = workspace.snapshot();
    await workspace.begin();
    await workspace.change({ a: becomes, b: "2" }, "after the intent");
    workspace.put("a", null);
    await workspace.reopen();
    expect(workspace.snapshot()).toEqual(before);

    await workspace.end();
    await workspace.turn({ a: becomes, b: "2" });
    workspace.put("a", null);
    expect(await workspace.undo()).toMatchObject({ ok: true });
    expect(workspace.snapshot()).toEqual(before);
  }
});

test("A41: recovery makes a directory read-only again that was opened for a change in it", async () => {
  const workspace = await opened();
  workspace.put("shut/a", "1");
  workspace.put("shut", { directory: 0o555 });
  const before = workspace.snapshot();
  await workspace.begin();
  await workspace.change({ shut: { directory: 0o555 }, "shut/a": "2" }, "after the intent");
  workspace.put("shut", { directory: 0o755 });
  await workspace.reopen();
  expect(workspace.snapshot()).toEqual(before);
});
