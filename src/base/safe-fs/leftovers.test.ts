import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryName } from "./temporary.ts";
import { temporaryDirectory, treeOver, valueOf } from "./testing/tree.ts";

test("our own temporary files beside the given paths are removed, and nothing else", async () => {
  const root = await temporaryDirectory();
  const tree = treeOver(root);
  await mkdir(join(root, "d/deep"), { recursive: true });
  const long = "😀".repeat(60);
  const ours = [
    temporaryName("a"),
    `d/${temporaryName("b")}`,
    temporaryName("b"),
    `d/${temporaryName(long)}`,
  ];
  const others = [
    "a",
    "d/b",
    `d/${temporaryName("c")}`,
    `d/deep/${temporaryName("b")}`,
    ".a.0123.tmp",
    ".a.0123456789ab.tmp2",
    ".a.0123456789aX.tmp",
    "a.0123456789ab.tmp",
  ];
  for (const path of [...ours, ...others]) await writeFile(join(root, path), "");
  await symlink("/etc", join(root, ".a.000000000000.tmp"));
  await mkdir(join(root, ".a.111111111111.tmp"));
  const removed = await valueOf(tree.removeLeftovers(["a", "d/b", `d/${long}`, "none/of/this"]));
  expect(removed.toSorted()).toEqual([...ours, ".a.000000000000.tmp"].toSorted());
  const left = await readdir(root, { recursive: true });
  expect(left.toSorted()).toEqual([...others, "d", "d/deep", ".a.111111111111.tmp"].toSorted());
});
