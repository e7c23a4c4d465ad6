import { expect, onTestFinished, test } from "vitest";
import { ChangedWorkspace } from "./testing/workspace.ts";

async function opened(): Promise<ChangedWorkspace> {
  const workspace = await ChangedWorkspace.open();
  onTestFinished(() => workspace.close());
  return workspace;
}

test("redo brings back what was taken back last, of whichever request it was", async () => {
  const workspace = await opened();
  for (const path of ["a", "b", "c"]) await workspace.turn({ [path]: "1" });
  for (const turn of [2, 3, 1]) expect(await workspace.undo({ turn })).toMatchObject({ ok: true });
  for (const again of [1, 3, 2])
    expect(await workspace.redo()).toMatchObject({ ok: true, fact: { undoneTurn: again } });
  expect(Object.keys(workspace.snapshot())).toEqual(["a", "b", "c"]);
});

test("redo leaves alone what was taken back in part and then kept", async () => {
  const workspace = await opened();
  const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
  workspace.put("b", lines.join(""));
  await workspace.turn({ a: "1" });
  await workspace.turn({ b: ["first\n", ...lines, "last\n"].join("") });
  expect(await workspace.undo({ turn: 1 })).toMatchObject({ ok: true });
  expect(await workspace.undo({ turn: 2, paths: ["b"], hunks: [1] })).toMatchObject({ ok: true });
  expect(await workspace.keep({ turn: 2 })).toEqual({ ok: true });
  expect(await workspace.redo()).toMatchObject({ ok: true, fact: { undoneTurn: 1 } });
});
