import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { findSandbox, type Sandbox } from "../src/safety/sandbox/sandbox.ts";
import { sessionForTest } from "../src/testing/scripted-session.ts";
import type { TestSessionOptions } from "../src/testing/session.ts";
import { wholeTree } from "./support/whole-tree.ts";

const files = { "a.txt": "one\ntwo\n", "b.txt": "b\n", "src/c.txt": "c\n" };

async function work(command: string, options: TestSessionOptions = {}) {
  const script: ScriptedAnswer[] = [[{ call: "run_command", with: { command } }], [{ say: "Done." }]];
  const opened = await sessionForTest(scriptedModel(script), {
    sandbox: findSandbox,
    mode: "auto",
    files,
    ...options,
  });
  return opened;
}

/** A sandbox in which somebody else writes when a command has ended, before or after its changes are collected. */
async function meanwhile(outside: () => void, when: "before" | "after" = "after"): Promise<Sandbox> {
  const sandbox = await findSandbox();
  if (sandbox.kind === "none") throw new Error(sandbox.because);
  const contain: typeof sandbox.contain = async (request) => {
    const contained = await sandbox.contain(request);
    if (!contained.ok) return contained;
    const finished = async () => {
      if (when === "before") outside();
      const ended = await contained.value.finished();
      if (when === "after") outside();
      return ended;
    };
    return { ok: true, value: { ...contained.value, finished } };
  };
  return { ...sandbox, contain };
}

test("a change that collides with somebody else's fails the command and is named, and the rest can be undone", async () => {
  let root = "";
  const sandbox = () => meanwhile(() => writeFileSync(join(root, "a.txt"), "theirs\n"));
  const opened = await work("echo mine >>a.txt; echo mine >>b.txt", { sandbox });
  ({ root } = opened.workspace);
  await opened.ask("go");
  const result = opened.facts().find(({ type }) => type === "result");
  expect(result).toMatchObject({ outcome: "failed" });
  expect(JSON.stringify(result)).toContain("What the command did to a.txt could not be put in place");
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("theirs\n");
  expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("b\nmine\n");
  expect(await opened.session.command({ type: "undo" })).toEqual({ ok: true });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("theirs\n");
  expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("b\n");
});

test("a file changed by somebody else during staging leaves nothing staged, and the session goes on", async () => {
  let root = "";
  const sandbox = () => meanwhile(() => writeFileSync(join(root, "a.txt"), "theirs\n"));
  const opened = await work("echo mine >>a.txt; echo mine >>b.txt", { sandbox, mode: "staged" });
  ({ root } = opened.workspace);
  await opened.ask("go");
  expect(opened.facts().find(({ type }) => type === "result")).toMatchObject({ outcome: "failed" });
  expect(opened.facts().some(({ type }) => type === "change-staged")).toBe(false);
  expect(opened.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
  expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("b\n");
});

test("two sessions in one workspace each undo their own work, and see the other's as a conflict", async () => {
  const one = await work("sed -i s/one/ONE/ a.txt; rm b.txt");
  await one.ask("go");
  const { workspace } = one;
  const between = wholeTree(workspace.root);
  const other = await work("echo more >>a.txt; echo new >b.txt", { workspace });
  await other.ask("go");
  const both = wholeTree(workspace.root);
  expect(await one.session.command({ type: "undo" })).toMatchObject({
    ok: false,
    conflicts: [
      { path: "b.txt", outside: true },
      { path: "a.txt", outside: true },
    ],
  });
  expect(wholeTree(workspace.root)).toEqual(both);
  expect(await other.session.command({ type: "undo" })).toEqual({ ok: true });
  expect(wholeTree(workspace.root)).toEqual(between);
  expect(await one.session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await workspace.read("a.txt")).toBe(files["a.txt"]);
});

test("a change by undo or redo is not reported as coming from outside", async () => {
  const script: ScriptedAnswer[] = [];
  const opened = await sessionForTest(scriptedModel(script), { sandbox: findSandbox, mode: "auto", files });
  for (const command of ["sed -i s/one/1/ a.txt", "sed -i s/two/2/ a.txt"]) {
    script.push([{ call: "run_command", with: { command } }], [{ say: "Done." }]);
    await opened.ask("go");
  }
  expect(await opened.session.command({ type: "undo", turn: 1, onConflict: "restore" })).toEqual({
    ok: true,
  });
  expect(await opened.session.command({ type: "undo", turn: 2 })).toMatchObject({
    ok: false,
    conflicts: [{ path: "a.txt", outside: false, because: "an undo or redo has changed it" }],
  });
});

test("when a file was replaced by a directory meanwhile, the command's version is kept aside and reported", async () => {
  let root = "";
  const outside = (): void => {
    rmSync(join(root, "a.txt"));
    mkdirSync(join(root, "a.txt"));
    writeFileSync(join(root, "a.txt/theirs"), "theirs\n");
  };
  const opened = await work("echo mine >>a.txt", { sandbox: () => meanwhile(outside, "before") });
  ({ root } = opened.workspace);
  await opened.ask("go");
  expect(readFileSync(join(root, "a.txt/theirs"), "utf8")).toBe("theirs\n");
  const said = JSON.stringify(opened.facts().find(({ type }) => type === "result"));
  const kept =
    /a\.txt was changed by somebody else[^[]*version is kept at ([^\]]+)\.\]/.exec(said)?.[1] ?? "none";
  expect(readFileSync(kept, "utf8")).toBe("one\ntwo\nmine\n");
});

test("files that somebody adds to a directory that a command removed or created are preserved", async () => {
  let root = "";
  const sandbox = () =>
    meanwhile(() => {
      mkdirSync(join(root, "src"), { recursive: true });
      writeFileSync(join(root, "src/mine"), "mine\n");
    });
  for (const command of ["rm -rf src", "mkdir new; echo n >new/n; rm -rf src; mkdir src; echo n >src/n"]) {
    const opened = await work(command, { sandbox });
    ({ root } = opened.workspace);
    const before = wholeTree(root);
    await opened.ask("go");
    expect(readFileSync(join(root, "src/mine"), "utf8")).toBe("mine\n");
    expect(await opened.session.command({ type: "undo" })).toEqual({ ok: true });
    const mine = { "src/mine": wholeTree(root)["src/mine"] };
    expect(wholeTree(root)).toEqual({ ...before, ...mine });
  }
});
