import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileImage } from "../base/safe-fs/image.ts";
import { openTree } from "../base/safe-fs/open-tree.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { missingDirectories } from "./missing-directories.ts";

test("A41: missingDirectories names only the directories that changes will create, parents first", async () => {
  const workspace = await temporaryWorkspace({ "there/a": "1", file: "1" });
  onTestFinished(() => workspace.remove());
  await mkdir(join(workspace.root, "empty"));
  const files = openTree(workspace.root);
  if (!files.ok) throw new Error(files.problem);
  onTestFinished(() => files.value.close());
  const made = (path: string) => ({ path, before: null, after: fileImage(new Uint8Array()) });
  const changes = [
    made("new/deep/b"),
    made("new/c"),
    made("there/a2"),
    made("there/x/y"),
    made("empty/e"),
    made("top"),
    made("own/f"),
    { path: "own", before: null, after: { kind: "directory" as const } },
    { path: "gone/away/g", before: null, after: null },
    made("file/below"),
  ];
  const missing = await missingDirectories(files.value, changes);
  expect(missing.map(({ path }) => path)).toEqual(["new", "new/deep", "there/x"]);
  expect(await missingDirectories(files.value, [])).toEqual([]);
});
