/** File tools make no directory a repository that git obeys, in whatever order its parts come. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { link, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Asked, attacked, type Attacked, everythingIn } from "./support/attacked.ts";

const wrote = (path: string, content = "x\n"): Asked => ["write_file", { path, content }];
const patch = (...lines: string[]): Asked => [
  "apply_patch",
  { patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") },
];
const added = (path: string, content: string): string[] => [
  `*** Add File: ${path}`,
  ...content.split("\n").map((line) => `+${line}`),
];

/** What makes git run a program in the directory, which leaves a mark. */
const settingsIn = ({ at }: Attacked): string =>
  `[core]\n\tbare = false\n\tworktree = ${at("")}\n\tfsmonitor = touch ${at("ran")};false`;

const head = "ref: refs/heads/main";

/** As a person's prompt does. */
function visit({ at }: Attacked, directory: string): void {
  const env = { PATH: process.env["PATH"], HOME: at("") };
  try {
    execFileSync("git", ["status"], { cwd: at(directory), env, stdio: "ignore" });
  } catch {
    // no repository
  }
}

const parts = (directory: string, settings: string): Asked[] => [
  wrote(join(directory, "config"), settings),
  wrote(join(directory, "HEAD"), `${head}\n`),
  wrote(join(directory, "objects/info/packs")),
  wrote(join(directory, "refs/heads/other")),
];

test.each([
  ["lib", [0, 1, 2, 3]],
  ["lib", [3, 2, 1, 0]],
  ["lib", [1, 3, 0, 2]],
  [".next/y", [2, 1, 3, 0]],
  [".", [0, 1, 2, 3]],
] as const)("no call completes a repository in %s, in the order %j", async (directory, order) => {
  const session = await attacked();
  const calls = parts(directory, settingsIn(session));
  const told = await session.calls(order.map((at) => calls[at] ?? wrote("none")));
  expect(told.filter(({ outcome }) => outcome === "denied").map(({ words }) => words)).toEqual(
    expect.arrayContaining([expect.stringContaining("a repository that git obeys")]),
  );
  visit(session, directory);
  expect(existsSync(session.at("ran"))).toBe(false);
});

test("no patch makes one at once, nor by moving files, under another spelling, or through a link", async () => {
  const session = await attacked();
  const settings = settingsIn(session);
  await mkdir(session.at("real"));
  await symlink("real", session.at("link"));
  for (const [file, text] of [
    ["m1", head],
    ["m2", settings],
    ["m3", "x"],
    ["m4", "x"],
  ] as const)
    await writeFile(session.at(file), `${text}\n`);
  const before = everythingIn(session.root);
  const whole = (directory: string, names: readonly string[]): string[] =>
    [head, settings, "x", "x"].flatMap((text, at) => added(`${directory}/${names[at]}`, text));
  const names = ["HEAD", "config", "objects/a", "refs/a"];
  const told = await session.calls([
    patch(...whole("lib", names)),
    patch(...whole("link", names)),
    patch(...whole("lib", ["head", "CONFIG", "Objects/a", "REFS./a"])),
    patch(...whole("lib", ["HEAD", "config", "commondir", "other"])),
    patch(
      ...names.flatMap((name, at) => [
        `*** Update File: m${at + 1}`,
        `*** Move to: lib/${name}`,
        "@@",
        "-x",
        "+y",
      ]),
    ),
  ]);
  expect(told.slice(0, 4).map(({ outcome }) => outcome)).toEqual(["denied", "denied", "denied", "denied"]);
  expect(told[4]?.outcome).not.toBe("ok");
  expect(everythingIn(session.root)).toEqual(before);
});

test("what is a repository already is not changed, and a staged one is not applied", async () => {
  const session = await attacked();
  execFileSync("git", ["init", "-q", "--bare", session.at("there.git")]);
  await mkdir(session.at("half/objects"), { recursive: true });
  await mkdir(session.at("half/refs"), { recursive: true });
  const [config, hook, readme, staged] = await session.calls([
    wrote("there.git/config", settingsIn(session)),
    wrote("there.git/hooks/post-checkout", "#!/bin/sh\n"),
    wrote("there.git/notes.txt"),
    ["preview_write_file", { path: "quarter/HEAD", content: head }],
  ]);
  expect([config, hook, readme, staged].map((one) => one?.outcome)).toEqual(["denied", "denied", "ok", "ok"]);
  await mkdir(session.at("quarter/objects"), { recursive: true });
  await mkdir(session.at("quarter/refs"), { recursive: true });
  const applied = await session.call("apply_file_change", { token: staged?.token ?? "" });
  expect(applied.outcome).toBe("denied");
  expect((await session.call("write_file", { path: "half/HEAD", content: head })).outcome).toBe("denied");
});

test("undo does not complete one either, and says why", async () => {
  const session = await attacked();
  await session.calls([
    wrote("lib/HEAD", head),
    wrote("lib/config", settingsIn(session)),
    wrote("lib/objects/a"),
  ]);
  await session.calls([patch("*** Delete File: lib/HEAD"), wrote("lib/refs/a"), wrote("plain.txt")]);
  await link(session.at("lib/refs/a"), session.at("lib/refs/kept"));
  const undone = await session.session.command({ type: "undo", paths: ["lib/HEAD"] });
  expect(undone).toMatchObject({
    ok: false,
    problem: expect.stringContaining("a repository that git obeys"),
  });
  visit(session, "lib");
  expect(existsSync(session.at("ran"))).toBe(false);
  expect(await session.session.command({ type: "undo", paths: ["plain.txt"] })).toEqual({ ok: true });
});
