/** Tests command files and skills, typed in a conversation and passed to a headless run. */

import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { testRuntime, testSettings } from "../testing/runtime.ts";
import { converseIn } from "./conversation.ts";

const files = {
  ".claude/commands/review.md":
    "---\ndescription: Look it over\nargument-hint: PR\n---\nReview #$1 with @notes.txt. $2",
  ".claude/commands/help.md": "Never: our own command wins.",
  ".claude/commands/with-head.md": "---\nmodel: opus\nallowed-tools: Edit\n---\nHello $ARGUMENTS",
  ".claude/commands/git/commit.md": "/not-a-command\n$ARGUMENTS",
  ".toolwright/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Forms\n---\nFill it in.",
  ".toolwright/skills/run/SKILL.md": "---\nname: run\ndescription: Runs\n---\nRun it.",
  ".toolwright/skills/run/x.sh": "#!/bin/sh\n",
  "notes.txt": "the notes",
};

/** Types the lines one by one, each after the previous one is finished; `marks` are the output that shows it. */
async function typed(
  lines: readonly string[],
  script: readonly ScriptedAnswer[],
  marks: readonly string[] = [],
) {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const runtime = await testRuntime(scriptedModel(script), { files });
  const over = converseIn({ terminal, settings: testSettings() }, runtime, lines[0] ?? "");
  for (const [at, line] of lines.slice(1).entries()) {
    await terminal.until(marks[at] ?? "> ");
    terminal.type(`${line}\r`);
  }
  await terminal.until("> ");
  terminal.type("\u0004");
  await over;
  const told = runtime.session.state.turns.map(({ request }) =>
    request.map((part) => (part.type === "text" ? part.text : part.type)),
  );
  await runtime.close();
  return { told, printed: stripVTControlCharacters(terminal.printed()) };
}

test("a command file is sent as its text with arguments and files, and its path is shown", async () => {
  const { told, printed } = await typed([`/review 12 "and more"`], [[{ say: "Fine." }]]);
  expect(told[0]?.[0]).toBe("Review #12 with @notes.txt. and more");
  expect(told[0]?.[1]).toContain("the notes");
  expect(printed).toContain("/review: ");
  expect(printed).toContain(".claude/commands/review.md");
});

test("lines after a command's name are its arguments; its text is never taken for a built-in command", async () => {
  const { told } = await typed(["/git:commit one\ntwo"], [[{ say: "Fine." }]]);
  expect(told).toEqual([["/not-a-command\none\ntwo"]]);
});

test("a skill is loaded by its name, with its arguments", async () => {
  const { told } = await typed(["/pdf page 3"], [[{ say: "Fine." }]]);
  expect(told[0]?.[0]).toMatch(/^# Skill: pdf\n\nFill it in\.[\s\S]*\n\nArguments: page 3$/u);
});

test("/help lists file commands and skills in groups, without a skill whose code is not yet trusted", async () => {
  const { told, printed } = await typed(["/help"], []);
  expect(told).toEqual([]);
  expect(printed).toMatch(/From files:\s+\/git:commit +\S.*\s+\/review PR +Look it over/u);
  expect(printed).toMatch(/Skills:\s+\/pdf +Forms/u);
  expect(printed).not.toContain("/run");
});

test("a mistyped file command gets a suggestion", async () => {
  const { told, printed } = await typed(["/reviw 12"], []);
  expect(told).toEqual([]);
  expect(printed).toContain('There is no command /reviw (did you mean "/review"?)');
});

test("a file named like a built-in command does not replace it, and /help says so", async () => {
  const { told, printed } = await typed(["/help\nme with this", "/help"], [[{ say: "Fine." }]]);
  expect(told).toEqual([["/help\nme with this"]]);
  expect(printed).toMatch(/\/help is a command of our own, so \S+help\.md is not called by it/u);
  expect(printed).not.toContain("Never: our own");
});

test("attached files stay when a message is refused, and go with the next command that is sent", async () => {
  const lines = ["/attach notes.txt", "/nosuch", "/git:commit it"];
  const marks = ["Attached to your next message", "There is no command /nosuch"];
  const { told } = await typed(lines, [[{ say: "Fine." }]], marks);
  expect(told[0]?.[0]).toBe("/not-a-command\nit");
  expect(told[0]?.[1]).toContain("the notes");
});

test("settings in a command's head that are not followed are listed in one line when it is called", async () => {
  const { told, printed } = await typed(
    ["/with-head now", "/review 1"],
    [[{ say: "Fine." }], [{ say: "Fine." }]],
    ["Fine."],
  );
  expect(told[0]).toEqual(["Hello now"]);
  expect(printed.match(/! Its head is not followed in this: .*/gu)).toEqual([
    "! Its head is not followed in this: model opus (the session's own answers; /model changes it); allowed-tools Edit (your own rules say what may run).",
  ]);
});
