import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { ChangedWorkspace } from "./testing/workspace.ts";

/** Permissions bind root to nothing, so root becomes another user for this long. */
async function asOrdinaryUser<T>(root: string, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  execFileSync("chown", ["-R", "65534", root]);
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** A request changes a file two directories down, in one where nothing can be made, and then shuts both for everybody. */
async function afterShutting(): Promise<ChangedWorkspace> {
  const workspace = await ChangedWorkspace.open();
  onTestFinished(() => workspace.close());
  workspace.put("d/e/x", "1");
  workspace.put("d", { directory: 0o555 });
  await workspace.turn(
    { "d/e/x": "2" },
    { "d/e": { directory: 0o000 } },
    { d: { directory: 0o200 }, other: "new" },
  );
  return workspace;
}

test("undo reads and restores what is in directories that the request shut, one in the other", async () => {
  const workspace = await afterShutting();
  const undone = await asOrdinaryUser(workspace.root, () => workspace.undo());
  expect(undone).toMatchObject({ ok: true });
  expect(workspace.snapshot()).toEqual({
    d: "directory 555",
    "d/e": "directory 755",
    "d/e/x": "file 644 1",
  });
});

test("an undo that is refused shuts again the directories that it opened to look into", async () => {
  const workspace = await afterShutting();
  workspace.put("other", "mine");
  const before = workspace.snapshot();
  const undone = await asOrdinaryUser(workspace.root, () => workspace.undo());
  expect(undone).toMatchObject({ ok: false, conflicts: [{ path: "other" }] });
  expect(workspace.snapshot()).toEqual(before);
});

test("a directory that somebody shut otherwise since is not opened", async () => {
  const workspace = await afterShutting();
  workspace.put("d", { directory: 0o100 });
  const before = workspace.snapshot();
  const undone = await asOrdinaryUser(workspace.root, () => workspace.undo());
  expect(undone).toMatchObject({ ok: false });
  expect(workspace.snapshot()).toEqual(before);
});
