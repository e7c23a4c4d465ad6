/** Tests a call's subject: no spelling, link or order of checks gets around a rule or a protected place. */

import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Rule } from "../../safety/rules.ts";
import { scriptedSession, outcomesOf, toldIn, typesOf } from "../../testing/scripted-session.ts";
import { go, write, rules } from "../../testing/turns.ts";

test("C2: no spelling and no symlink leads a change into a protected place", async () => {
  const workspaceFiles = { ".git/config": "old", "node_modules/p/index.js": "old", "a.txt": "a" };
  const paths = [
    ".git/config",
    "./.git/config",
    "x/../.git/config",
    ".GIT/config",
    "dir/config",
    "link",
    "deep/config",
  ];
  const calls = paths.flatMap((path) => [
    write(path, "new"),
    { call: "edit_file", with: { path, old: "old", new: "new" } },
  ]);
  const { ask, facts, workspace } = await scriptedSession([calls, [{ say: "ok" }]], {
    mode: "auto",
    files: workspaceFiles,
    rules: rules({ tool: "*", decision: "allow" }),
  });
  const { root } = workspace;
  await symlink(".git", join(root, "dir"));
  await symlink(".git/config", join(root, "link"));
  await symlink("dir", join(root, "deep"));
  const absolute = [write(join(root, ".git/config"), "new"), write(join(root, "dir", "hooks", "x"), "new")];
  calls.push(...absolute);
  await ask("go");
  expect(await workspace.read(".git/config")).toBe("old");
  const done = outcomesOf(facts());
  expect(done).toHaveLength(calls.length);
  expect(done).not.toContain("ok");
  expect(done.filter((outcome) => outcome === "denied").length).toBeGreaterThanOrEqual(paths.length);
});

test("C3: a path rule applies to every spelling of the path and to symlinks to it", async () => {
  const files = { "secret/key": "s3cret", "open.txt": "o" };
  const denied = rules({ tool: "*", path: "secret/**", decision: "deny" });
  const { ask, facts, workspace } = await scriptedSession(
    [
      [
        ...["secret/key", "./secret/key", "x/../secret/key", "SECRET/key", "link", "dir/key"].map((path) => ({
          call: "read_file",
          with: { path },
        })),
        { call: "read_file", with: { path: "open.txt" } },
        { call: "run_command", with: { command: "cat secret/key" } },
        { call: "run_command", with: { command: "head -n 1 ./key", cwd: "dir" } },
      ],
      [{ say: "ok" }],
    ],
    { files, rules: denied },
  );
  await symlink("secret/key", join(workspace.root, "link"));
  await symlink("secret", join(workspace.root, "dir"));
  await ask("go");
  expect(toldIn(facts())).not.toContain("s3cret");
  expect(outcomesOf(facts()).toSorted()).toEqual([...Array.from({ length: 8 }, () => "denied"), "ok"]);
});

test("C3: an allow rule must cover both the written path and the target behind it", async () => {
  const allowed = rules({ tool: "write_file", path: "docs/**", decision: "allow" });
  const { ask, facts, workspace } = await scriptedSession(
    [[write("./docs/a.md"), write("docs/link/b.md"), write("docs/../b.md")], [{ say: "ok" }]],
    { files: { "src/x.ts": "" }, rules: allowed, interactive: false },
  );
  await mkdir(join(workspace.root, "docs"));
  await symlink("../src", join(workspace.root, "docs/link"));
  await ask("go");
  expect(outcomesOf(facts()).toSorted()).toEqual(["denied", "denied", "ok"]);
  expect(await workspace.files()).toEqual(["docs/a.md", "docs/link", "src/x.ts"]);
});

test("C1, C3: a denied change is not even planned, since its failure would reveal the file's content", async () => {
  const edit = (path: string) => ({ call: "edit_file", with: { path, old: "s3cret word", new: "x" } });
  const { ask, facts } = await scriptedSession(
    [[edit("secret/key"), edit("./secret/key"), edit("open.txt")], [{ say: "ok" }]],
    {
      files: { "secret/key": "the s3cret\nword\n", "open.txt": "open\n" },
      rules: rules({ tool: "*", path: "secret/**", decision: "deny" }),
    },
  );
  await ask("go");
  expect(outcomesOf(facts())).toEqual(["denied", "denied", "failed"]);
  expect(toldIn(facts())).not.toContain("the s3cret");
});

test("a reading command that follows a symlink out of the workspace needs approval", async () => {
  const { session, facts, workspace } = await scriptedSession([
    [{ call: "run_command", with: { command: "cat users" } }],
    [{ say: "ok" }],
  ]);
  await symlink("/etc/shadow", join(workspace.root, "users"));
  await session.command(go);
  await session.idle();
  expect(typesOf(facts())).toContain("approval-asked");
  expect(toldIn(facts())).not.toContain("root:");
});

test("C3: in plan mode a command that only looks harmless is denied", async () => {
  const { ask, facts, workspace } = await scriptedSession(
    [
      [
        { call: "run_command", with: { command: "cat users" } },
        { call: "run_command", with: { command: "ls" } },
        { call: "run_command", with: { command: "ls; touch x" } },
        { call: "run_command", with: { command: "ls\ntouch x" } },
        write("x"),
      ],
      [{ say: "ok" }],
    ],
    { mode: "plan", rules: rules({ tool: "*", decision: "allow" }) },
  );
  await symlink("/etc/shadow", join(workspace.root, "users"));
  await ask("go");
  expect(outcomesOf(facts()).toSorted()).toEqual(["denied", "denied", "denied", "denied", "ok"]);
  expect(await workspace.files()).toEqual(["users"]);
});

test("C1: deny rules, schema, plan mode and protected places are checked in this order, without asking anyone", async () => {
  const decide = async (mode: "plan" | "ask", call: ReturnType<typeof write>, list: Rule[] = []) => {
    const { ask, facts } = await scriptedSession([[call], [{ say: "ok" }]], { mode, rules: rules(...list) });
    await ask("go");
    expect(typesOf(facts())).not.toContain("approval-asked");
    return toldIn(facts());
  };
  const invalid = { call: "write_file", with: { path: ".git/x", content: 1, extra: [] } } as never;
  const deny: Rule = { tool: "write_file", decision: "deny" };
  expect(await decide("plan", invalid, [deny])).toContain("Denied: the rule");
  expect(await decide("plan", invalid)).toContain("Your input to the tool was invalid");
  expect(await decide("plan", write(".git/x"))).toContain("the mode is plan");
  expect(await decide("ask", write(".git/x"))).toContain("protected");
});
