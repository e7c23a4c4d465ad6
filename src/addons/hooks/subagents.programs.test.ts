/** Hooks of other agents that apply to subagents: loaded in every session, run only in a subagent's. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { filesRunBy } from "../../safety/ran/ran.ts";
import { hookedSession, hooksRun } from "../../testing/hooked-session.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import type { TrustItem, Trust } from "../trust.ts";
import { foreignHooks } from "./foreign-form.ts";

const keeps = (file: string) => ({ hooks: [{ type: "command", command: `cat >> ${file}` }] });
const settings = {
  hooks: {
    SubagentStart: [{ matcher: "*", hooks: [{ type: "command", command: "cat >> start; echo Be kind." }] }],
    SubagentStop: [keeps("stop")],
    Stop: [keeps("person-stop")],
    SessionStart: [keeps("person-start")],
  },
};

test("B15: SubagentStart and SubagentStop hooks, trusted in the parent session, run only in the subagent's", async () => {
  const asked: TrustItem[] = [];
  const trust: Trust = {
    allows: (thing) => (asked.push(thing), true),
    filesRun: async () => filesRunBy,
    waiting: () => [],
  };
  const model = scriptedModel([
    [{ call: "delegate", with: { task: "Look." } }],
    [{ say: "Seen." }],
    [{ say: "Done." }],
  ]);
  const opened = await hookedSession(model, [], {
    trust,
    subagents: {},
    files: { ".claude/settings.json": JSON.stringify(settings) },
  });
  onTestFinished(() => opened.close());
  expect(new Set(asked.map(({ shows }) => shows)).size).toBe(4);
  await opened.ask("Go");
  const read = async (file: string) => JSON.parse(await opened.workspace.read(file));
  expect(await read("stop")).toMatchObject({
    hook_event_name: "SubagentStop",
    stop_hook_active: false,
    last_assistant_message: "Seen.",
    parent: opened.session.id,
    agent_id: expect.any(String),
  });
  expect(await read("start")).toMatchObject({ hook_event_name: "SubagentStart" });
  expect(JSON.stringify(model.prompts[1])).toContain("Be kind.");
  expect(JSON.stringify([model.prompts[0], model.prompts[2]])).not.toContain("Be kind.");
  expect(await read("person-stop")).toMatchObject({ hook_event_name: "Stop", session: opened.session.id });
  expect(await read("person-start")).toMatchObject({ hook_event_name: "SessionStart" });
  expect(hooksRun(opened.facts()).map(({ hook }) => hook)).toEqual(["cat at SessionStart", "cat at Stop"]);
});

test("each kind of invalid entry in a settings file is reported in its own words", async () => {
  const command = { type: "command", command: "true" };
  const entries = [
    { hooks: "nolist" },
    "str",
    { matcher: 5, hooks: [command] },
    { matcher: "Bash(git:*)", hooks: [command] },
    { matcher: "Bash(git *)", hooks: [command] },
    { hooks: ["true"] },
    { matcher: "Bash", hooks: [{ ...command, if: "Bash(git push *)" }] },
    { matcher: "(Edit|Write)", hooks: [command] },
    { matcher: "Notebook(Edit)?|Write", hooks: [command] },
    { matcher: "mcp__(a|b)", hooks: [command] },
  ];
  const workspace = await temporaryWorkspace({
    ".claude/settings.json": JSON.stringify({ hooks: { PreToolUse: entries } }),
  });
  onTestFinished(() => workspace.remove());
  const { hooks, problems } = foreignHooks(workspace.root);
  expect(hooks.flatMap(({ tools = [] }) => tools)).toEqual([
    "(Edit|Write)",
    "Notebook(Edit)?|Write",
    "mcp__(a|b)",
  ]);
  const rule =
    "fits no tool's name, which is all that it is tried on: name the tool alone, and look at its arguments in the hook; it does not run.";
  expect(problems.map((words) => words.replace(".claude/settings.json: ", ""))).toEqual([
    'an entry of PreToolUse whose "hooks" is no list; it does not run.',
    'an entry of PreToolUse that is no object with "matcher" and "hooks"; it does not run.',
    "an entry of PreToolUse whose matcher is no text (5); it does not run.",
    `a hook of PreToolUse whose matcher Bash(git:*) ${rule}`,
    `a hook of PreToolUse whose matcher Bash(git *) ${rule}`,
    'a hook of PreToolUse that is no object with "type" and "command"; it does not run.',
    'a hook of PreToolUse with the condition "if": "Bash(git push *)", which is not looked at here: leave it out, and look at the arguments in the hook; it does not run.',
  ]);
});
