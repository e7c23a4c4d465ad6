import { execFile } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { leadsOut } from "./reach.ts";

const run = promisify(execFile);

async function workspaceWith(files: Record<string, string>) {
  const workspace = await temporaryWorkspace(files);
  onTestFinished(() => workspace.remove());
  const { root } = workspace;
  const out = (line: string, more: { directory?: string; path?: string } = {}) =>
    leadsOut(line, { workspace: root, directory: root, path: "/usr/bin:/bin", ...more });
  return { root, out };
}

test("a link out of the workspace is not plainly read, by whatever word it is named", async () => {
  const { root, out } = await workspaceWith({ "a.txt": "a" });
  await symlink("/etc", join(root, "etc"));
  await symlink("/etc/passwd", join(root, "users"));
  await symlink("a.txt", join(root, "b.txt"));
  await symlink("users", join(root, "chain"));
  for (const line of [
    "cat users",
    "cat etc/passwd",
    "ls etc/",
    "grep root chain",
    "head -n 1 -- users",
    "wc 'users'",
  ])
    expect([line, await out(line)]).toEqual([line, true]);
  for (const line of ["cat a.txt", "cat b.txt", "ls", "cat missing", "grep -rn 'http://x/y' ."])
    expect([line, await out(line)]).toEqual([line, false]);
  await mkdir(join(root, "sub"));
  await symlink("/etc/passwd", join(root, "sub", "x"));
  expect(await out("cat x", { directory: join(root, "sub") })).toBe(true);
});

test("what would never end is not plainly read: a FIFO, a device behind a link", async () => {
  const { root, out } = await workspaceWith({});
  await run("mkfifo", [join(root, "fifo")]);
  await symlink("/dev/zero", join(root, "zero"));
  expect(await out("cat fifo")).toBe(true);
  expect(await out("head -c 1 zero")).toBe(true);
});

test("a program that the workspace brings along is not the reader of that name", async () => {
  const { root, out } = await workspaceWith({ "bin/cat": "#!/bin/sh\ntouch pwned\n", "bin/echo": "" });
  await chmod(join(root, "bin/cat"), 0o755);
  await chmod(join(root, "bin/echo"), 0o755);
  await writeFile(join(root, "a.txt"), "a");
  expect(await out("cat a.txt", { path: `${root}/bin:/usr/bin:/bin` })).toBe(true);
  expect(await out("cat a.txt", { path: "bin:/usr/bin:/bin" })).toBe(true);
  expect(await out("cat a.txt", { path: `/usr/bin:/bin:${root}/bin` })).toBe(false);
  expect(await out("ls", { path: `${root}/bin:/usr/bin:/bin` })).toBe(false);
  expect(await out("echo a", { path: `${root}/bin` })).toBe(false); // the shell's own
});

test("a command that is asked about anyway is not looked at", async () => {
  const { out } = await workspaceWith({});
  expect(await out("rm -rf x")).toBe(false);
});
