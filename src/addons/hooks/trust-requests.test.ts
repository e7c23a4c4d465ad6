/**
 * What a person's trust in a workspace's hook covers: its settings, and the content of the files that it plainly runs
 * (SAFETY 1, row 10).
 */

import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { filesRunBy } from "../../safety/ran/ran.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { hooksOf } from "./own-form.ts";
import type { HookSettings } from "./settings.ts";
import { broughtBy } from "./trust-requests.ts";

async function workspaceWith(files: Record<string, string>) {
  const workspace = await temporaryWorkspace(files);
  onTestFinished(() => workspace.remove());
  const hashOf = (settings: Omit<HookSettings, "on">): string | undefined => {
    const [hook] = hooksOf([{ on: "prompt", ...settings }], "config.jsonc");
    return hook && broughtBy(hook, "config.jsonc", { workspace: workspace.root, filesRun: filesRunBy })?.hash;
  };
  const write = (path: string, text: string) => writeFile(join(workspace.root, path), text);
  return { ...workspace, hashOf, write };
}

const named: [string, Omit<HookSettings, "on">][] = [
  ["by a relative path", { command: "./tools/run.sh --fast" }],
  ["as what an interpreter reads", { command: "bash tools/run.sh" }],
  ["as its input", { command: "sh < tools/run.sh" }],
  ["in quotes", { command: `bash "tools/run.sh"` }],
  ["by the variable of the workspace", { command: `"$CLAUDE_PROJECT_DIR"/tools/run.sh` }],
  ["by our variable", { command: "${TOOLWRIGHT_HOOK_WORKSPACE}/tools/run.sh" }],
  ["behind another command", { command: "echo hi && tools/run.sh | cat" }],
  ["in a substitution", { command: "echo $(tools/run.sh)" }],
  ["as an option's value", { command: "node --require=./tools/run.sh -e 1" }],
  ["piped into a shell", { command: "cat tools/run.sh | bash" }],
  ["sourced", { command: ". tools/run.sh" }],
  ["evaluated", { command: `eval "$(cat tools/run.sh)"` }],
  ["as a program with arguments", { command: ["tools/run.sh", "x"] }],
  ["as an argument", { command: ["python3", "tools/run.sh"] }],
  ["inside of an argument", { command: ["bash", "-c", "cd . && ./tools/run.sh"] }],
];

test.each(named)(
  "SAFETY 1: the content of a file that is named %s is part of the trusted hash",
  async (_, settings) => {
    const { hashOf, write } = await workspaceWith({ "tools/run.sh": "echo one", "other.sh": "" });
    const before = hashOf(settings);
    expect(before).toBeDefined();
    await write("other.sh", "echo else");
    expect(hashOf(settings)).toBe(before);
    await write("tools/run.sh", "echo two");
    expect(hashOf(settings)).not.toBe(before);
    await write("tools/run.sh", "echo one");
    expect(hashOf(settings)).toBe(before);
  },
);

test.each<[string, Omit<HookSettings, "on">]>([
  ["package.json", { command: "npm run -s lint" }],
  ["package.json", { command: ["/usr/bin/pnpm", "test"] }],
  ["package.json", { command: "cd . && CI=1 yarn lint" }],
  ["Makefile", { command: "make check >/dev/null" }],
])("SAFETY 1: %s is part of the trusted hash when the command runs its tasks", async (path, settings) => {
  const { hashOf, write } = await workspaceWith({ [path]: "one" });
  const before = hashOf(settings);
  await write(path, "two");
  expect(hashOf(settings)).not.toBe(before);
});

test.each<[string, string]>([
  ["is written to", "date >> out.txt; echo x >'out.txt' 2>out.txt"],
  ["is made", "touch out.txt"],
  ["is only looked at", "grep -q x out.txt && exit 2"],
])("a file that %s is not code: the hook stays trusted when the file changes", async (_, command) => {
  const { hashOf, write } = await workspaceWith({ "a.txt": "" });
  const before = hashOf({ command });
  await write("out.txt", "something");
  expect(hashOf({ command })).toBe(before);
});

test("a file created later at a path that the command names changes the hash", async () => {
  const { hashOf, write } = await workspaceWith({});
  const before = hashOf({ command: "./later.sh" });
  await write("later.sh", "evil");
  expect(hashOf({ command: "./later.sh" })).not.toBe(before);
});

test("every setting of a hook changes its hash", async () => {
  const { hashOf } = await workspaceWith({});
  const all = [
    hashOf({ command: "true" }),
    hashOf({ command: ["true"] }),
    hashOf({ command: "true", tools: ["Bash"] }),
    hashOf({ command: "true", timeout: 3 }),
    hashOf({ command: "true", onFailure: "block" }),
    hashOf({ url: "http://127.0.0.1:1/" }),
    hashOf({ url: "http://127.0.0.1:1/", headers: { a: "${HOME}" } }),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test("a hook naming a special file or too many files cannot be trusted", async () => {
  const { hashOf, root } = await workspaceWith({});
  await mkdir(join(root, "directory"));
  expect(hashOf({ command: "ls directory" })).toBeDefined();
  await symlink("/dev/zero", join(root, "run"));
  expect(hashOf({ command: "./run" })).toBeUndefined();
  await rm(join(root, "run"));
  expect(hashOf({ command: "./run" })).toBeDefined();
  expect(
    hashOf({ command: `./a ${Array.from({ length: 2_001 }, (_, at) => `x${at}`).join(" ")}` }),
  ).toBeUndefined();
});
