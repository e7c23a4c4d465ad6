/** A workspace's directory of settings that cannot be used is told, and never stops a start. */

import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newHome, runCommand } from "./support/command.ts";
import { own, people } from "./support/sandbox-place.ts";
import { smallDisk } from "./support/small-disk.ts";

const odd: readonly (readonly [name: string, make: (path: string) => void, told: RegExp])[] = [
  ["a file", (path) => writeFileSync(path, "x"), /\.toolwright is no directory/u],
  ["a link to itself", (path) => symlinkSync(path, path), /\.toolwright is a link that leads nowhere/u],
  ["a link to nowhere", (path) => symlinkSync("nowhere", path), /\.toolwright is a link that leads nowhere/u],
  ["a link out", (path) => symlinkSync("/usr", path), /are read from \/usr/u],
];

test.each(people.flatMap((person) => odd.map(([name, make, told]) => ({ person, name, make, told }))))(
  "as $person.name: a workspace whose .toolwright is $name starts with a warning",
  async ({ person, make, told }) => {
    const home = await newHome({ f: "one\n" });
    const path = join(home.workspace, ".toolwright");
    rmSync(path, { recursive: true, force: true });
    make(path);
    own(home.root, person);
    const ended = await runCommand(home, ["--offline-model", "-p", "hi"], { through: as(person.uid) });
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(told) });
  },
);

test.each(people.filter(({ uid }) => uid !== 0))(
  "as $name: a workspace whose .toolwright nobody may enter starts with a warning",
  async (person) => {
    const home = await newHome({ f: "one\n" });
    const path = join(home.workspace, ".toolwright");
    mkdirSync(path, { recursive: true });
    own(home.root, person);
    chmodSync(path, 0);
    const ended = await runCommand(home, ["--offline-model", "-p", "hi"], { through: as(person.uid) });
    chmodSync(path, 0o700);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/cannot be read \(EACCES\)/u) });
  },
);

const as = (uid: number): string[] =>
  uid === process.getuid?.() ? [] : ["setpriv", "--reuid", `${uid}`, "--regid", `${uid}`, "--clear-groups"];

test("a setting that a full disk does not take is a failure that says so once", async () => {
  const home = await newHome();
  const directory = join(home.root, "config", "toolwright");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "config.jsonc"), `// ${"x".repeat(4_000)}\n{}\n`);
  const { through } = await smallDisk(directory, { kilobytes: 4 });
  const ended = await runCommand(home, ["config", "set", "mode", "plan"], { through });
  expect(ended).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^toolwright: Cannot write \S+config\.jsonc: (?:the disk is full|it is larger than a file may be here); nothing was changed\.\n$/u,
    ),
  });
});
