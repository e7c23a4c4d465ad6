import { access, realpath, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryWorkspace } from "./workspace.ts";

test("a temporary workspace holds the given files under a real path, and removal deletes it", async () => {
  const workspace = await temporaryWorkspace({ "b.txt": "two\n", "a/deep/é.txt": "one" });
  expect(workspace.root).toBe(await realpath(workspace.root));
  expect(workspace.root.startsWith(await realpath(tmpdir()))).toBe(true);
  await symlink(workspace.root, join(workspace.root, "loop"));
  expect(await workspace.files()).toEqual(["a/deep/é.txt", "b.txt", "loop"]);
  expect(await workspace.read("a/deep/é.txt")).toBe("one");
  await workspace.remove();
  await workspace.remove();
  await expect(access(workspace.root)).rejects.toThrow("ENOENT");
});
