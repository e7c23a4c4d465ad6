/** Calls as hooks of other agents receive them, under their argument names, and the effect of their answers (C7). */

import { expect, onTestFinished, test } from "vitest";
import { isJsonObject, type JsonObject, parseJson } from "../../base/json.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { hookedSession, trustsAll, wordsIn } from "../../testing/hooked-session.ts";
import { withOthersNames, withOwnNames } from "./others-arguments.ts";

const settings = (event: string, matcher: string, ...hooks: readonly object[]): string =>
  JSON.stringify({
    hooks: { [event]: [{ matcher, hooks: hooks.map((hook) => ({ type: "command", ...hook })) }] },
  });

async function start(script: Parameters<typeof scriptedModel>[0], files: Record<string, string>) {
  const model = scriptedModel(script);
  const opened = await hookedSession(model, [], { trust: trustsAll, files });
  onTestFinished(() => opened.close().catch(() => undefined));
  const told = async (): Promise<JsonObject[]> => {
    const lines = (await opened.workspace.read("told.jsonl")).trim().split("\n");
    return lines.flatMap((line) => {
      const json = parseJson(line);
      return json.ok && isJsonObject(json.value) ? [json.value] : [];
    });
  };
  return { ...opened, model, told };
}

const call = (name: string, input: JsonObject): ScriptedAnswer => [{ call: name, with: input }];
const done: ScriptedAnswer = [{ say: "Done." }];
const keep = { command: "tee -a told.jsonl >/dev/null" };

test("C7: a hook receives arguments under the tool's names, whatever the model called them", async () => {
  const { ask, told } = await start(
    [call("run_command", { cmd: "true" }), call("write_file", { file: "b.txt", text: "new" }), done],
    { ".claude/settings.json": settings("PreToolUse", "", keep) },
  );
  await ask("Go");
  expect((await told()).map(({ tool_input }) => tool_input)).toMatchObject([
    { command: "true" },
    { path: "b.txt", content: "new" },
  ]);
});

test("C7: an edit hook receives the file and both texts under other agents' argument names", async () => {
  const { ask, told, workspace } = await start(
    [
      call("edit_file", { path: "a.txt", old: "one", new: "two" }),
      call("edit_file", { path: "a.txt", edits: [{ old: "two", new: "three" }] }),
      done,
    ],
    { "a.txt": "one\n", ".claude/settings.json": settings("PreToolUse", "Edit", keep) },
  );
  await ask("Go");
  const file_path = `${workspace.root}/a.txt`;
  expect((await told()).map(({ tool_input }) => tool_input)).toMatchObject([
    { file_path, old_string: "one", new_string: "two" },
    { file_path, edits: [{ old_string: "two", new_string: "three" }] },
  ]);
});

const patch = `*** Begin Patch
*** Add File: a.txt
+a
*** Add File: secret.txt
+b
*** End Patch`;

test("C7: a multi-file patch is checked file by file, and a refusal of one file refuses the patch", async () => {
  const guard = `! grep -q '"file_path":"[^"]*/secret.txt"' || { echo "not that one" >&2; exit 2; }`;
  const { ask, workspace, facts } = await start([call("apply_patch", { patch }), done], {
    ".claude/settings.json": settings("PreToolUse", "Edit|Write", { command: guard }),
  });
  await ask("Go");
  const ran = facts().flatMap((fact) => (fact.type === "hook-ran" ? [fact.outcome] : []));
  expect(ran).toEqual(["ok", "vetoed"]);
  await expect(workspace.read("a.txt")).rejects.toThrow("ENOENT");
});

test("C7: a hook may rewrite an edit under other agents' argument names", async () => {
  const rewrite =
    'sed \'s/"new_string":"two"/"new_string":"four"/; s/.*"tool_input":\\({.*}\\),"tool_use_id".*/{"hookSpecificOutput":{"updatedInput":\\1}}/\'';
  const { ask, workspace } = await start(
    [call("edit_file", { path: "a.txt", old: "one", new: "two" }), done],
    { "a.txt": "one\n", ".claude/settings.json": settings("PreToolUse", "Edit", { command: rewrite }) },
  );
  await ask("Go");
  expect(await workspace.read("a.txt")).toBe("four\n");
});

test("C7: terminal input is passed as a command to hooks that match commands", async () => {
  const { ask, told } = await start(
    [
      call("terminal", { action: "start", command: "cat" }),
      call("terminal", { action: "write", input: "rm -rf x" }),
      call("terminal", { action: "kill" }),
      done,
    ],
    { ".claude/settings.json": settings("PreToolUse", "Bash", keep) },
  );
  await ask("Go");
  expect((await told()).map(({ tool_input }) => tool_input)).toMatchObject([
    { command: "cat" },
    { input: "rm -rf x", command: "rm -rf x" },
    { action: "kill" },
  ]);
});

test("C7: a failing hook with onFailure block refuses the call", async () => {
  const { ask, workspace } = await start([call("write_file", { path: "b.txt", content: "b" }), done], {
    ".claude/settings.json": settings("PreToolUse", "Write", { command: "exit 1", onFailure: "block" }),
  });
  await ask("Go");
  await expect(workspace.read("b.txt")).rejects.toThrow("ENOENT");
});

test("B15: a background hook neither delays nor refuses a call; its output goes into a later request", async () => {
  const background = {
    command:
      'read -r told; until [ -e b.txt ]; do :; done; echo \'{"decision":"block","reason":"seen"}\'; touch over',
    async: true,
  };
  const answers = [call("write_file", { path: "b.txt", content: "b" })];
  const { ask, model, workspace } = await start(() => answers.shift() ?? done, {
    ".claude/settings.json": settings("PreToolUse", "Write", background),
  });
  await ask("Go");
  expect(await workspace.read("b.txt")).toBe("b");
  await expect.poll(() => workspace.read("over").catch(() => undefined)).toBe("");
  await expect
    .poll(async () => {
      await ask("And now?");
      return wordsIn(model.prompts.at(-1)?.messages ?? []).join("\n");
    })
    .toMatch(/The hook ".*" says this, not the user:\]\n.*: seen/u);
});

test("B15: closing a session gives a background hook time to finish", async () => {
  const { ask, workspace, session } = await start([done], {
    ".claude/settings.json": settings("Stop", "", { command: "cat >/dev/null; touch bell", async: true }),
  });
  await ask("Go");
  await session.close();
  expect(await workspace.read("bell")).toBe("");
});

test("C7: a hook's attempt to change a result is recorded as a failure", async () => {
  const answer = '{"hookSpecificOutput":{"updatedToolOutput":"nothing to see"}}';
  const { ask, facts } = await start([call("list_files", { path: "." }), done], {
    ".claude/settings.json": settings("PostToolUse", "", { command: `echo '${answer}'` }),
  });
  await ask("Go");
  expect(facts()).toContainEqual(
    expect.objectContaining({
      type: "hook-ran",
      outcome: "failed",
      because: "its answer has updatedToolOutput, but no hook changes a result here",
    }),
  );
});

test("arguments survive translation to other agents' names and back", () => {
  const inputs: JsonObject[] = [
    { path: "a", old: "x", new: "y", all: true },
    { path: "a", edits: [{ old: "x", new: "y" }, 5, null] },
    { patch: "p" },
    { command: "c", cwd: "d" },
    { action: "write", input: "c" },
    { file_path: "a", path: 5 },
    {},
  ];
  for (const input of inputs)
    for (const besides of [{}, { file: "/w/a", command: "c" }]) {
      const told = withOthersNames(input, besides);
      expect(withOwnNames(told, input, besides)).toEqual(input);
    }
});
