import { execFileSync } from "node:child_process";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { unrunHooks } from "./unrun-programs.ts";

async function repository(files: Record<string, string>, executable: readonly string[]) {
  const workspace = await temporaryWorkspace(files);
  onTestFinished(() => workspace.remove());
  for (const path of executable) await chmod(join(workspace.root, path), 0o755);
  return workspace.root;
}

test("a commit reports the hooks that did not run, in .git/hooks or core.hooksPath", async () => {
  const plain = await repository(
    {
      ".git/config": "[core]\n",
      ".git/hooks/pre-commit": "x",
      ".git/hooks/pre-push": "x",
      ".git/hooks/commit-msg": "x",
    },
    [".git/hooks/pre-commit", ".git/hooks/pre-push"],
  );
  expect(unrunHooks(plain, "git add . && git commit -m x").join()).toContain("did not run (pre-commit)");
  expect(unrunHooks(plain, "git add .")).toEqual([]);
  const husky = await repository(
    { ".git/config": "[core]\n\thooksPath = .husky/_\n", ".husky/_/commit-msg": "x" },
    [".husky/_/commit-msg"],
  );
  expect(unrunHooks(husky, "git commit -m x").join()).toContain("(commit-msg)");
});

test("without a repository or hooks nothing is reported", async () => {
  expect(unrunHooks(await repository({ "a.txt": "" }, []), "git commit")).toEqual([]);
  expect(unrunHooks(await repository({ ".git/config": "" }, []), "git commit")).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "settings that are a FIFO are none, and are not waited for",
  async () => {
    const odd = await repository({ ".git/hooks/pre-commit": "x" }, [".git/hooks/pre-commit"]);
    execFileSync("mkfifo", [join(odd, ".git/config")]);
    expect(unrunHooks(odd, "git commit -m x").join()).toContain("(pre-commit)");
  },
);
