/** Hook settings that change during a session: they apply from the next message on, and only if trusted. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Expected } from "../../base/expected.ts";
import type { Entry } from "../../protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { filesRunBy } from "../../safety/ran/ran.ts";
import { hookedSession, type HookedOptions, hooksRun, trustsAll } from "../../testing/hooked-session.ts";
import type { TrustItem, Trust } from "../trust.ts";
import { changesOf, changeWords } from "./hook-changes.ts";
import type { Hook } from "./hook.ts";
import { hooksOf } from "./own-form.ts";
import type { HooksSaid } from "./settings-read.ts";
import type { HookSettings } from "./settings.ts";

const done: ScriptedAnswer = [{ say: "Done." }];

async function start(options: HookedOptions, hooks: readonly HookSettings[] = []) {
  const opened = await hookedSession(
    scriptedModel(() => done),
    hooks,
    options,
  );
  onTestFinished(() => opened.close().catch(() => undefined));
  const write = async (path: string, text: string): Promise<void> => {
    const absolute = join(opened.workspace.root, path);
    await mkdir(dirname(absolute), { recursive: true });
    await writeFile(absolute, text);
  };
  return { ...opened, write };
}

const theirs = (...commands: string[]): string =>
  JSON.stringify({
    hooks: { UserPromptSubmit: [{ hooks: commands.map((command) => ({ type: "command", command })) }] },
  });
const path = ".claude/settings.json";
const ran = (facts: readonly Entry[]): string[] => hooksRun(facts).map(({ hook }) => hook);
const warned = (facts: readonly Entry[]): string[] =>
  facts.flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));

/** A person who trusts commands that contain this word. */
function trusts(
  word: string,
): Trust & { asked: TrustItem[]; gone: NonNullable<Trust["gone"]>; left: string[] } {
  const asked: TrustItem[] = [];
  const left: string[] = [];
  return {
    asked,
    left,
    allows: (thing) => asked.push(thing) > 0 && thing.shows.includes(word),
    filesRun: async () => filesRunBy,
    waiting: () => [],
    gone: (things) => void left.push(...things.map(({ name }) => name)),
  };
}

test("trusted hooks added to a session without hooks run from the next message on", async () => {
  const { ask, facts, write } = await start({ trust: trusts("good") });
  await ask("One");
  expect(warned(facts())).toEqual([]);
  await write(path, theirs("true good", "touch evil"));
  await ask("Two");
  expect(ran(facts())).toEqual(["true at UserPromptSubmit"]);
  expect(warned(facts())).toEqual([
    "The hooks have changed: from now on true at UserPromptSubmit runs; touch at UserPromptSubmit is not used until you agree: look with `toolwright trust`, or /trust in a conversation.",
  ]);
  await ask("Three");
  expect(warned(facts())).toHaveLength(1);
});

test("SAFETY 1: a trusted hook that changes does not run with its new content, and this is reported once", async () => {
  const trust = trusts("good");
  const { ask, facts, write, workspace } = await start({ trust, files: { [path]: theirs("true good") } });
  await ask("One");
  expect(ran(facts())).toEqual(["true at UserPromptSubmit"]);
  await write(path, theirs("touch evil"));
  await ask("Two");
  await ask("Three");
  expect(ran(facts())).toHaveLength(1);
  await expect(workspace.read("evil")).rejects.toThrow();
  expect(warned(facts())).toEqual([
    expect.stringMatching(
      /true at UserPromptSubmit does not run any more; touch .* is not used until you agree/u,
    ),
  ]);
  expect(trust.left).toEqual(["true at UserPromptSubmit"]);
});

test("a settings file that becomes invalid is reported and leaves its hooks in force", async () => {
  const { ask, facts, write } = await start({ trust: trustsAll, files: { [path]: theirs("true") } });
  await write(path, '{"hooks": ');
  await ask("One");
  expect(ran(facts())).toEqual(["true at UserPromptSubmit"]);
  expect(warned(facts())).toEqual([
    expect.stringMatching(/^\.claude\/settings\.json cannot be read .*: its hooks stay as they were\.$/u),
  ]);
  await write(path, "{}");
  await ask("Two");
  expect(ran(facts())).toHaveLength(1);
  expect(warned(facts()).at(-1)).toBe(
    "The hooks have changed: true at UserPromptSubmit does not run any more.",
  );
});

test("a settings file rewritten with the same hooks causes no warning", async () => {
  const { ask, facts, write } = await start({ trust: trustsAll, files: { [path]: theirs("true") } });
  await ask("One");
  await write(path, `${theirs("true")}\n`);
  await ask("Two");
  expect(ran(facts())).toHaveLength(2);
  expect(warned(facts())).toEqual([]);
});

test("a change of the user's own file takes effect; an invalid file leaves the previous hooks in force", async () => {
  const directory = await mkdtemp(join(tmpdir(), "toolwright-hooks-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "config.json");
  await writeFile(file, "1");
  const said = (name: string): HookSettings => ({ on: ["prompt", "turn-end"], name, command: "true" });
  let reads: Expected<HooksSaid> = { ok: true, value: { user: [said("old")] } };
  const { ask, facts } = await start({ from: { files: [file], read: async () => reads } }, [said("old")]);
  await ask("One");
  reads = { ok: true, value: { user: [said("new")] } };
  await writeFile(file, "22");
  await ask("Two");
  reads = { ok: false, problem: "config.json:1: not valid JSON" };
  await writeFile(file, "333");
  await ask("Three");
  expect(ran(facts())).toEqual(["old", "old", "new", "new", "new", "new"]);
  expect(warned(facts())).toEqual([
    "The hooks have changed: from now on new runs; old does not run any more.",
    "config.json:1: not valid JSON. The hooks stay as they were until that is fixed.",
  ]);
});

test("a changed hook of the same name is not reported as removed, and long lists are truncated", () => {
  const named = (name: string, command: string): Hook[] => hooksOf([{ on: "prompt", name, command }]);
  const [before, after] = [named("a", "true"), named("a", "false")];
  expect(changeWords(changesOf(before, after), new Set())).toBe(
    "The hooks have changed: from now on a runs.",
  );
  expect(changeWords(changesOf(before, before), new Set())).toBeUndefined();
  const many = Array.from({ length: 50 }, (_, at) => named(`${at} ${"x".repeat(5_000)}`, "true")).flat();
  expect(changeWords(changesOf([], many), new Set())?.length).toBeLessThan(500);
});
