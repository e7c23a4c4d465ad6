/** What undo cannot take back is said by the call, by `diff` and by `undo`, which then does not end with 0. */

import { lstatSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ended, type Home, newHome, runCommand } from "../support/command.ts";
import { own, people, type Person } from "../support/sandbox-place.ts";

/** A workspace where this person ran a script, unasked. */
async function afterScript(person: Person, ...scripts: string[]) {
  const home = await newHome({ f: "precious\n" });
  const user = String(person.uid);
  const isOther = person.uid !== process.getuid?.();
  const through = isOther ? ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"] : [];
  const run = (...words: string[]): Promise<Ended> => runCommand(home, words, { through });
  const told: string[] = [];
  for (const [at, script] of scripts.entries()) {
    await writeScript(home, person, script);
    const more = at === 0 ? [] : ["--continue"];
    const ran = await run("--offline-model", "--mode", "accept-edits", ...more, "-p", "run sh s.sh");
    expect(ran.code).toBe(0);
    told.push(ran.stdout + ran.stderr);
  }
  return { run, told: told.join(""), path: (name: string) => join(home.workspace, name) };
}

async function writeScript({ root, workspace }: Home, person: Person, script: string): Promise<void> {
  await writeFile(join(workspace, "s.sh"), script);
  own(root, person);
}

const ourselves: Person = { name: "ourselves", uid: process.getuid?.() ?? 0 };
const big = "big: 1 file (larger than 64 MiB)";

test.each(people)(
  "as $name: what a command put in the place of a file is told, refused, and given up for the file on demand",
  async (person) => {
    const { run, told, path } = await afterScript(person, "rm f; mkdir f; chmod 400 f");
    expect(told).toContain("f was a file, and the command put something else in its place");
    expect(await run("undo")).toMatchObject({ code: 1, stdout: "" });
    expect(lstatSync(path("f")).isDirectory()).toBe(true);
    const restored = await run("undo", "--conflict", "restore");
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout).toBe("↶ Undone (request 1): f\ntoolwright redo brings it back.\n");
    expect(readFileSync(path("f"), "utf8")).toBe("precious\n");
  },
);

test.each(people)(
  "as $name: what a command changed in directories that it then shut for everybody is undone, and redone",
  async (person) => {
    const script = "mkdir -p d/e; echo mine >d/e/x; echo mine >d/y";
    const shut = "echo other >d/e/x; rm d/y; chmod 0 d/e; chmod 300 d";
    const { run, path } = await afterScript(person, script, shut);
    const modes = () => ["d", "d/e"].map((name) => (lstatSync(path(name)).mode & 0o777).toString(8));
    expect(modes()).toEqual(["300", "0"]);
    expect(await run("undo")).toMatchObject({ code: 0, stderr: "" });
    expect(modes()).toEqual(["755", "755"]);
    expect(["d/e/x", "d/y"].map((name) => readFileSync(path(name), "utf8"))).toEqual(["mine\n", "mine\n"]);
    expect(await run("redo")).toMatchObject({ code: 0, stderr: "" });
    expect(modes()).toEqual(["300", "0"]);
    expect(await run("undo")).toMatchObject({ code: 0, stderr: "" });
  },
);

test.each(people)(
  "as $name: a directory that cannot be emptied stays, and undo says what to do and ends with 1",
  async (person) => {
    const script = "rm f; mkdir f; echo x >f/x; chmod 400 f; echo new >g";
    const { run, told, path } = await afterScript(person, script);
    expect(told).toContain("f was a file");
    expect(told).not.toContain("x was a file");
    const restored = await run("undo", "--conflict", "restore");
    expect(restored).toMatchObject({ code: 1, stdout: "" });
    expect(restored.stderr).toContain(
      "it is a directory that is not empty (x): move or remove what is in it",
    );
    expect(restored.stderr).toContain("toolwright undo 1 --conflict skip  leave it, undo the rest");
    expect(lstatSync(path("f")).isDirectory()).toBe(true);
    const rest = await run("undo", "--conflict", "skip");
    expect(rest.stdout).toContain("Undone (request 1): g\n");
    expect(lstatSync(path("f")).isDirectory()).toBe(true);
  },
);

test("a file too large for undo is named by the call and by undo, which ends with 1", async () => {
  const { run, told, path } = await afterScript(ourselves, "truncate -s 100M big; echo hi >f");
  expect(told).toContain(`Undo does not cover: ${big}`);
  const undone = await run("undo", "--output", "json");
  expect(undone.code).toBe(1);
  expect(JSON.parse(undone.stdout)).toMatchObject({ done: true, uncovered: [big] });
  expect(readFileSync(path("f"), "utf8")).toBe("precious\n");
  expect((await run("undo")).stderr).toContain(`there is nothing to take back. Undo does not cover: ${big}.`);
});

test("where a request changed nothing that undo covers, undo and diff say what it changed", async () => {
  const { run } = await afterScript(ourselves, "truncate -s 100M big");
  for (const command of ["undo", "diff", "checkpoints"]) {
    const { stdout, stderr } = await run(command);
    expect(stdout + stderr).toContain(`Undo does not cover: ${big}.`);
  }
  expect((await run("undo")).code).toBe(1);
});

test("a request that undo passes over, because it covers nothing of it, is told", async () => {
  const { run, path } = await afterScript(ourselves, "echo hi >f", "truncate -s 100M big");
  const undone = await run("undo");
  expect(undone).toMatchObject({ code: 1, stderr: "" });
  expect(undone.stdout).toContain(`↶ Undone (request 1): f\n! Not undone: ${big}\n`);
  expect(readFileSync(path("f"), "utf8")).toBe("precious\n");
});
