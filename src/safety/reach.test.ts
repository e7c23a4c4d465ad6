import { execFile } from "node:child_process";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { judgeCommand } from "./judge.ts";
import { judgeReach } from "./reach.ts";

const run = promisify(execFile);

async function workspaceWith(files: Record<string, string>) {
  const workspace = await temporaryWorkspace(files);
  onTestFinished(() => workspace.remove());
  const { root } = workspace;
  const judge = (line: string, path = "/usr/bin:/bin") => {
    const around = { home: "/home/dev", workspace: root, directory: root };
    return judgeReach(judgeCommand(line, around), { around, path });
  };
  return { root, judge };
}

test("a path is judged by where it leads, whether the link is the file or a directory above it", async () => {
  const { root, judge } = await workspaceWith({ "a.txt": "a", "sub/b.txt": "b" });
  await symlink("/etc/shadow", join(root, "users"));
  await symlink("users", join(root, "chain"));
  await symlink("/etc", join(root, "etc"));
  await symlink("/home/dev", join(root, "away"));
  await symlink("a.txt", join(root, "same.txt"));
  for (const line of ["cat users", "head -n 1 chain", "wc etc/shadow", "cat < users"])
    expect([line, judge(line).severity, judge(line).onlyReads]).toEqual([line, "high", false]);
  for (const line of ["echo x > etc/hosts", "echo x >> away/.bashrc", "cp a.txt away/.ssh/authorized_keys"])
    expect([line, judge(line).severity]).toEqual([line, "critical"]);
  expect(judge("rm -rf away/Documents")).toMatchObject({ severity: "critical", destroysOutside: true });
  expect(judge("touch away/x")).toMatchObject({ severity: "high", leavesWorkspace: true });
  for (const line of ["cat a.txt", "cat same.txt", "ls", "cat missing", "wc sub/b.txt", "rm users"])
    expect([line, ["none", "medium"].includes(judge(line).severity)]).toEqual([line, true]);
});

test("what may never end is not run as a mere reading", async () => {
  const { root, judge } = await workspaceWith({});
  await run("mkfifo", [join(root, "fifo")]);
  await symlink("/dev/zero", join(root, "zero"));
  expect(judge("cat fifo").onlyReads).toBe(false);
  expect(judge("head -c 1 zero").onlyReads).toBe(false);
});

test("a program that the workspace brings along is not the one that is known", async () => {
  const { root, judge } = await workspaceWith({
    "bin/cat": "#!/bin/sh\ntouch pwned\n",
    "bin/echo": "",
    "a.txt": "",
  });
  await chmod(join(root, "bin/cat"), 0o755);
  await chmod(join(root, "bin/echo"), 0o755);
  await mkdir(join(root, "sub"));
  expect(judge("cat a.txt", `${root}/bin:/usr/bin:/bin`).onlyReads).toBe(false);
  expect(judge("cat a.txt", "bin:/usr/bin:/bin").onlyReads).toBe(false);
  expect(judge("cat a.txt", `/usr/bin:/bin:${root}/bin`).onlyReads).toBe(true);
  expect(judge("ls", `${root}/bin:/usr/bin:/bin`).onlyReads).toBe(true);
  expect(judge("echo a", `${root}/bin`).onlyReads).toBe(true); // the shell's own
});

test("what is wrong by its words stays so, and a line with more paths than are looked up is no mere reading", async () => {
  const { judge } = await workspaceWith({});
  expect(judge("rm -rf /").severity).toBe("critical");
  expect(judge(`cat ${Array.from({ length: 300 }, (_, at) => `f${at}`).join(" ")}`).onlyReads).toBe(false);
});
