/**
 * Tests questions in a conversation: their display, the accepted answers, and that text typed ahead never counts as
 * one.
 */

import { expect, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testSession } from "../../testing/session.ts";
import { writes } from "../../testing/turns.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { testRuntime, testSettings } from "../testing/runtime.ts";
import { converseIn } from "./conversation.ts";
import { enter, controlC, controlD, stage, lines, types } from "./testing/conversation.ts";

test("an approval shows the whole change; yes applies it, and the turn ends with a summary of it", async () => {
  const { terminal, runtime, over } = await stage(
    [[{ call: "write_file", with: { path: "a.txt", content: "one\ntwo\n" } }], [{ say: "Written." }]],
    { first: "Write a.txt" },
  );
  await terminal.until("or type why not: ");
  const asked = lines(terminal);
  expect(asked).toContain("> Write a.txt");
  expect(asked).toContain("    +one");
  expect(asked).toContain("    +two");
  expect(asked).toContain("  Reason: it changes files · risk: medium");
  terminal.type(`y${enter}`);
  await terminal.until("Changed a.txt +2 −0 · not verified");
  terminal.type(`/quit${enter}`);
  expect(await over).toBe(0);
  expect(await runtime.test.workspace.read("a.txt")).toBe("one\ntwo\n");
  await runtime.close();
});

test("a longer answer is a denial with that reason, and after a typo the question is asked again", async () => {
  const { terminal, runtime, over } = await stage(
    [[{ call: "run_command", with: { command: "touch x" } }], [{ say: "I leave it." }]],
    { first: "Go" },
  );
  await terminal.until("or type why not: ");
  terminal.type(`u${enter}`);
  await terminal.until("Please answer y, t, s, p, e or n");
  await terminal.until("or type why not: ");
  terminal.type(`no, use make instead${enter}`);
  await terminal.until("I leave it.");
  await terminal.until("> ");
  terminal.type(controlD);
  await over;
  expect(runtime.test.facts().find(({ type }) => type === "approval-answered")).toMatchObject({
    answer: "deny",
    note: "use make instead",
    by: "terminal",
  });
  expect(lines(terminal)).toContain("● Run touch x … denied: a person said no: use make instead");
  await runtime.close();
});

test("after an approval for this turn the same question is not asked again", async () => {
  const { terminal, runtime, over } = await stage([writes("a"), writes("b"), [{ say: "Both." }]], {
    first: "Go",
  });
  await terminal.until("or type why not: ");
  terminal.type(`t${enter}`);
  await terminal.until("Changed 2 files");
  terminal.type(controlD);
  await over;
  expect(types(runtime).filter((type) => type === "approval-asked")).toHaveLength(1);
  await runtime.close();
});

test("text typed before a question was shown does not answer it and is not lost", async () => {
  const gate = Promise.withResolvers<void>();
  const { terminal, runtime, over } = await stage(
    [
      [
        { say: "Wait a moment please." },
        { wait: gate.promise },
        { call: "run_command", with: { command: "touch x" } },
      ],
      [{ say: "You said y." }],
      [{ say: "And you said yes." }],
    ],
    { first: "Go" },
  );
  await terminal.until("Wait a");
  terminal.type(`y${enter}`);
  await terminal.until("» y (told at the next step)");
  terminal.type("ye");
  await terminal.until("» ye");
  gate.resolve();
  await terminal.until("or type why not: ");
  terminal.type(`n${enter}`);
  await terminal.until("> y");
  await terminal.until("You said y.");
  await terminal.until("> ye");
  terminal.type(`s${enter}`);
  await terminal.until("And you said yes.");
  await terminal.until("> ");
  terminal.type(controlD);
  await over;
  const said = runtime.session.state.turns.map(({ request, steers }) => [request, ...steers]);
  expect(said).toEqual([
    [[{ type: "text", text: "Go" }], [{ type: "text", text: "y" }]],
    [[{ type: "text", text: "yes" }]],
  ]);
  expect(runtime.test.facts().find(({ type }) => type === "approval-answered")).toMatchObject({
    answer: "deny",
  });
  await runtime.close();
});

test("without a terminal, the end of the input denies an open question", async () => {
  const terminal = testTerminal({ terminal: false, env: { NO_COLOR: "1" } });
  const runtime = await testRuntime(scriptedModel([writes("a"), [{ say: "I leave it." }]]));
  const over = converseIn({ terminal, settings: testSettings() }, runtime, "Go");
  await terminal.until("or type why not: ");
  terminal.input.end();
  expect(await over).toBe(0);
  expect(runtime.test.facts().find(({ type }) => type === "approval-answered")).toMatchObject({
    answer: "deny",
  });
  await runtime.close();
});

test("a slash command typed at a question does not answer it", async () => {
  const { terminal, runtime, over } = await stage([writes("a"), [{ say: "Done." }]], { first: "Go" });
  await terminal.until("or type why not: ");
  terminal.type(`/mode accept-edits${enter}`);
  await terminal.until("· The mode is accept-edits from here on.");
  await terminal.until("or type why not: ");
  terminal.type(`/undo${enter}`);
  await terminal.until("/undo has to wait");
  await terminal.until("or type why not: ");
  terminal.type(`/etc is no place for it${enter}`);
  await terminal.until("accept-edits> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  const answers = runtime.test.facts().filter(({ type }) => type === "approval-answered");
  expect(answers).toMatchObject([{ answer: "deny", note: "/etc is no place for it" }]);
  expect(runtime.session.mode).toBe("accept-edits");
  expect(terminal.printed().split("The mode is accept-edits")).toHaveLength(2);
  await runtime.close();
});

test("Ctrl-D at a question says that it stays open and how to be asked again", async () => {
  const { terminal, runtime, over } = await stage(
    [[{ call: "ask_user", with: { question: "Which?" } }], [{ say: "Never." }]],
    { first: "Go" },
  );
  await terminal.until("Your answer");
  terminal.type(controlD);
  await terminal.until("The request waits for your answer: toolwright --continue asks again.");
  expect(await over).toBe(0);
  expect(types(runtime).at(-1)).toBe("question-asked");
  await runtime.close();
});

test("Ctrl-C at a question interrupts the turn and leaves the question unanswered", async () => {
  const { terminal, runtime, over } = await stage([[{ call: "run_command", with: { command: "touch x" } }]], {
    first: "Go",
  });
  await terminal.until("or type why not: ");
  terminal.type(controlC);
  await terminal.until("> ");
  terminal.type(controlD);
  await over;
  expect(types(runtime)).not.toContain("approval-answered");
  expect(runtime.test.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "interrupted" });
  await runtime.close();
});

test("Ctrl-C at a question starts a new line", async () => {
  const { terminal, runtime, over } = await stage([writes("a"), [{ say: "Never." }]], { first: "Go" });
  await terminal.until("or type why not: ");
  terminal.type(controlC);
  await terminal.until("Interrupted");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  const shown = lines(terminal);
  expect(shown.slice(shown.indexOf("Interrupting … (again to exit)")).slice(0, 3)).toEqual([
    "Interrupting … (again to exit)",
    "● Write a … cancelled",
    "",
  ]);
  await runtime.close();
});

test("an approval left open by an earlier run is asked again at the start", async () => {
  const first = await testSession(
    scriptedModel([[{ call: "write_file", with: { path: "a.txt", content: "x\n" } }]]),
  );
  await first.session.command({ type: "send", content: [{ type: "text", text: "Write a" }] });
  await first.session.idle();

  const { store, workspace } = first;
  const session = { store, workspace, resume: first.session.id };
  const { terminal, runtime, over } = await stage([[{ say: "Written." }]], { session });
  await terminal.until("The last request waits for your answer.");
  await terminal.until("    +x");
  await terminal.until("or type why not: ");
  terminal.type(`y${enter}`);
  await terminal.until("Changed a.txt +1 −0");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(await workspace.read("a.txt")).toBe("x\n");
  expect(lines(terminal)).toContain("> Write a");
  await runtime.close();
  await workspace.remove();
});
