import { readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newHome, onlySummary, runCommand, startCommand, type Ended, type Home } from "./support/command.ts";
import { wholeSession } from "./support/whole-log.ts";

/** The demo completed, said that its model is scripted, and left nothing behind. */
async function expectDemo(home: Home, ended: Ended): Promise<void> {
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: "" });
  expect(ended.stdout).toContain("The model is SCRIPTED");
  expect(ended.stdout).toMatch(/● Run node --test … failed\n/u);
  expect(ended.stdout).toMatch(/● Edit total\.js … ok \+1 −1\n/u);
  expect(ended.stdout).toMatch(/● Run node --test … ok\n/u);
  expect(ended.stdout).toMatch(/Changed total\.js \+1 −1 · verified by Run node --test\n/u);
  expect(ended.stdout).not.toMatch(/\n\n\n/u);
  expect(ended.stdout).not.toContain("\u001b");
  // Locks between processes that change files belong to the user and remain.
  const left = await readdir(home.temporary);
  expect(left.filter((name) => !name.startsWith("toolwright-locks-"))).toEqual([]);
  expect(await readdir(home.stateDir)).toEqual(["compiled"]);
}

test("D12: the demo completes without a terminal, says that its model is scripted, and leaves nothing behind", async () => {
  const home = await newHome();
  await expectDemo(home, await runCommand(home, ["demo"]));
});

test("with nothing configured and no terminal, the bare command shows the demo", async () => {
  const home = await newHome();
  await expectDemo(home, await runCommand(home, []));
});

test("the demo is the same whatever the user's environment variables are", async () => {
  const home = await newHome();
  const env = {
    TOOLWRIGHT_MODE: "plan",
    TOOLWRIGHT_MODEL: "ollama/x:1b",
    OPENAI_API_KEY: "sk-none",
    FORCE_COLOR: "1",
  };
  await expectDemo(home, await runCommand(home, ["demo"], { env }));
});

test("an interrupted demo exits with 130 and leaves no temporary files", async () => {
  const home = await newHome();
  const running = startCommand(home, ["demo"]);
  await running.until("● Run node --test");
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  expect(await readdir(home.temporary)).toEqual([]);
});

test("the offline model's five orders work in a real directory", async () => {
  const home = await newHome({ "notes/a.txt": "hello world\n", "b.md": "# B\n" });
  const order = (words: string, ...more: string[]): Promise<Ended> =>
    runCommand(home, ["--offline-model", ...more, "-p", words]);
  const list = await order("list");
  expect(list).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Done:\n\n[^]*notes\//u),
    stderr: expect.stringMatching(/^Listing the workspace\.\n● List \. … ok\n[^\n]* · exit 0\n$/u),
  });
  const read = await order("read notes/a.txt");
  expect({ code: read.code, stdout: read.stdout }).toEqual({
    code: 0,
    stdout: "Done:\n\n1\thello world\n",
  });
  const search = await order("search hello");
  expect({ code: search.code, stdout: search.stdout }).toEqual({
    code: 0,
    stdout: "Done:\n\nnotes/a.txt:1: hello world\n",
  });
  const replace = await order("replace hello with bye in notes/a.txt", "--mode", "accept-edits");
  expect(replace.code, replace.stderr).toBe(0);
  expect(await readFile(join(home.workspace, "notes/a.txt"), "utf8")).toBe("bye world\n");
  const run = await order("run ls");
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toMatch(/Command: ls\nb\.md\nnotes\nExit code: 0\n$/u);
});

test("an order that needs approval is denied without a person, and an unknown order lists the known ones", async () => {
  const home = await newHome({ "a.txt": "hello\n" });
  const denied = await runCommand(home, ["--offline-model", "-p", "replace hello with bye in a.txt"]);
  expect(denied.code).toBe(3);
  expect(denied.stderr).toMatch(/^● .*a\.txt … denied: it changes files, and there is nobody to ask$/mu);
  expect(await readFile(join(home.workspace, "a.txt"), "utf8")).toBe("hello\n");
  await wholeSession(home.stateDir);
  const unknown = await runCommand(home, ["--offline-model", "-p", "make me a sandwich"]);
  expect([unknown.code, unknown.stderr]).toEqual([0, expect.stringMatching(onlySummary)]);
  expect(unknown.stdout).toMatch(/list[^]*read[^]*search[^]*replace[^]*run/u);
});

test("an order that fails says why", async () => {
  const home = await newHome();
  await writeFile(join(home.workspace, "a.bin"), new Uint8Array([0, 1, 2, 255]));
  const orders: [string, RegExp][] = [
    ["read none.txt", /That did not work:\n\n.*none\.txt/u],
    ["read a.bin", /That did not work:\n\n.*binary|not text/u],
    ["read /etc/passwd", /outside the workspace/u],
    ["read ../../secret", /outside the workspace/u],
    ["list nowhere", /That did not work:\n\n.*nowhere/u],
    ["replace a with b in none.txt", /That did not work:\n\n.*none\.txt/u],
    ["run ls nowhere", /That did not work:[^]*Exit code: [12]/u],
  ];
  for (const [order, words] of orders) {
    const ended = await runCommand(home, ["--offline-model", "--mode", "auto", "-p", order]);
    expect(ended.stdout, order).toMatch(words);
    expect(ended.code, order).toBe(order.startsWith("replace") ? 1 : 0); // of these only that is a change
  }
  expect(await realpath(home.workspace)).toBe(home.workspace);
});
