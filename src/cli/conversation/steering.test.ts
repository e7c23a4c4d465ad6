/** Tests input typed while a turn runs, and answers to the model's questions. */

import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { Config } from "../../configuration/config.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { testSession, type TestSessionOptions } from "../../testing/session.ts";
import { testTerminal, type TestTerminal } from "../../tui/testing/terminal.ts";
import { testRuntime, testSettings } from "../testing/runtime.ts";
import { converseIn } from "./conversation.ts";
import { enter } from "./testing/conversation.ts";

const altEnter = "\u001B\r";
const controlC = "\u0003";
const controlD = "\u0004";

type Staging = { first?: string; settings?: Partial<Config>; session?: TestSessionOptions };

async function stage(script: readonly ScriptedAnswer[], { first = "", settings, session }: Staging = {}) {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const runtime = await testRuntime(scriptedModel(script, { pieces: 4 }), session);
  const over = converseIn({ terminal, settings: testSettings(settings) }, runtime, first);
  return { terminal, runtime, over };
}

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, open: () => resolve() };
}

const lines = (terminal: TestTerminal): string[] =>
  stripVTControlCharacters(terminal.printed()).split(/\r?\n|\r/u);

const never = new Promise<void>(() => undefined);

/** The messages of each turn, in order. */
const told = ({ session }: Awaited<ReturnType<typeof testRuntime>>): string[][] =>
  session.state.turns.map(({ request, steers }) =>
    [request, ...steers].map((content) =>
      content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("|"),
    ),
  );

test("text typed while the model answers is shown below the answer and sent at the next step", async () => {
  const { wait, open } = gate();
  const { terminal, runtime, over } = await stage(
    [[{ say: "A long sentence that" }, { wait }, { say: " goes on." }], [{ say: "The tests, then." }]],
    { first: "Go" },
  );
  await terminal.until("A long");
  terminal.type("only the tests");
  await terminal.until("» only the tests");
  terminal.type(enter);
  await terminal.until("» only the tests (told at the next step)");
  open();
  await terminal.until("goes on.");
  await terminal.until("> only the tests");
  await terminal.until("The tests, then.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(told(runtime)).toEqual([["Go", "only the tests"]]);
  await runtime.close();
});

test("Alt+Enter queues a message until the request is done; /queue lists and withdraws it", async () => {
  const { wait, open } = gate();
  const { terminal, runtime, over } = await stage(
    [[{ say: "One moment please." }, { wait }], [{ say: "Second, then." }]],
    { first: "Go" },
  );
  await terminal.until("One");
  terminal.type(`second${altEnter}`);
  await terminal.until("» second (waits until this request is done)");
  terminal.type(`/queue third${enter}`);
  await terminal.until("» third (waits until this request is done)");
  terminal.type(`/queue${enter}`);
  await terminal.until("  1. second (after this request)");
  await terminal.until("  2. third (after this request)");
  terminal.type(`/queue drop 3${enter}`);
  await terminal.until("Which one? /queue drop 1 … 2, or all.");
  terminal.type(`/queue drop 2${enter}`);
  await terminal.until("» withdrawn: third");
  terminal.type(`/undo${enter}`);
  await terminal.until("/undo has to wait until the request is done");
  open();
  await terminal.until("> second");
  await terminal.until("Second, then.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(told(runtime)).toEqual([["Go"], ["second"]]);
  await runtime.close();
});

test("A29: Ctrl-C keeps queued messages and the draft; /go-on sends the queued ones", async () => {
  const { terminal, runtime, over } = await stage(
    [[{ say: "One moment please." }, { wait: never }], [{ say: "All of it, then." }]],
    { first: "Go" },
  );
  await terminal.until("One");
  terminal.type(`first${enter}`);
  await terminal.until("» first (told");
  terminal.type("half");
  await terminal.until("» half");
  terminal.type(controlC);
  await terminal.until("1 message waits (/queue). Your next one takes it along; /go-on sends it now.");
  await terminal.until("> half");
  terminal.type(`\u0015/go-on${enter}`);
  await terminal.until("> first");
  await terminal.until("All of it, then.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(told(runtime)).toEqual([["Go"], ["first"]]);
  await runtime.close();
});

test("messages still queued when the program ended are announced at the next start", async () => {
  const first = await testSession(scriptedModel([[{ wait: never }]]));
  await first.session.command({ type: "send", content: [{ type: "text", text: "Go" }] });
  await first.session.command({ type: "send", content: [{ type: "text", text: "and this" }] });
  await first.session.command({ type: "interrupt" });
  const { store, workspace } = first;
  const { terminal, runtime, over } = await stage([[{ say: "Both, then." }]], {
    session: { store, workspace, resume: first.session.id },
  });
  await terminal.until("1 message waits (/queue).");
  terminal.type(`that too${enter}`);
  await terminal.until("> and this");
  await terminal.until("Both, then.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(told(runtime).at(-1)).toEqual(["and this", "that too"]);
  await runtime.close();
  await workspace.remove();
});

const question = { question: "Which way?", choices: [{ label: "left" }, { label: "right" }] };

test("a choice is answered by its number, and a wrong number repeats the question", async () => {
  const { terminal, runtime, over } = await stage(
    [[{ call: "ask_user", with: question }], [{ say: "Right it is." }]],
    { first: "Go" },
  );
  await terminal.until("? Which way?");
  await terminal.until("   2. right");
  await terminal.until("or your own words");
  terminal.type(`5${enter}`);
  await terminal.until("There is no choice 5");
  await terminal.until("or your own words");
  terminal.type(`2${enter}`);
  await terminal.until("Right it is.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(runtime.test.facts().find(({ type }) => type === "question-answered")).toMatchObject({
    answer: "given",
    chosen: [1],
    by: "terminal",
  });
  await runtime.close();
});

test("a question left open by an earlier run is asked again", async () => {
  const first = await testSession(scriptedModel([[{ call: "ask_user", with: question }]]));
  await first.session.command({ type: "send", content: [{ type: "text", text: "Go" }] });
  await first.session.idle();
  const { store, workspace } = first;
  const { terminal, runtime, over } = await stage([[{ say: "As you say." }]], {
    session: { store, workspace, resume: first.session.id },
  });
  await terminal.until("The last request waits for your answer.");
  await terminal.until("or your own words");
  terminal.type(`straight on${enter}`);
  await terminal.until("As you say.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(runtime.test.facts().find(({ type }) => type === "question-answered")).toMatchObject({
    text: "straight on",
  });
  await runtime.close();
  await workspace.remove();
});

test("a question answered from elsewhere is closed in the terminal", async () => {
  const { terminal, runtime, over } = await stage(
    [[{ call: "ask_user", with: question }], [{ say: "Heard it." }]],
    { first: "Go" },
  );
  await terminal.until("or your own words");
  const asked = runtime.test.facts().find((fact) => fact.type === "question-asked");
  const callId = asked?.type === "question-asked" ? asked.callId : "";
  await runtime.session.command({
    type: "answer-question",
    callId,
    answer: "given",
    chosen: [0],
    by: "page",
  });
  await terminal.until("Heard it.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  await runtime.close();
});

test("a plan is edited and approved with a mode, which stays in force", async () => {
  const steps = [{ title: "Read" }, { title: "Change" }, { title: "Test" }];
  const { terminal, runtime, over } = await stage(
    [[{ call: "propose_plan", with: { summary: "Mend it.", steps } }], [{ say: "Doing it." }]],
    { first: "Go", session: { mode: "plan" } },
  );
  await terminal.until("? Mend it.");
  await terminal.until("or type why not: ");
  terminal.type(`drop 2${enter}`);
  await terminal.until("   2. Test");
  terminal.type(`a${enter}`);
  await terminal.until("The mode is accept-edits from here on.");
  await terminal.until("Doing it.");
  await terminal.until("accept-edits> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(runtime.test.facts().find(({ type }) => type === "question-answered")).toMatchObject({
    answer: "given",
    steps: [{ title: "Read" }, { title: "Test" }],
  });
  await runtime.close();
});

const look: ScriptedAnswer = [{ call: "list_files", with: { path: "." } }];

test("D11: at a limit a higher figure lets the request continue, and no stops it", async () => {
  const { terminal, runtime, over } = await stage([look, look, look, look, look], {
    first: "Go",
    session: { limits: { maxRounds: 2, onLimit: "ask" } },
  });
  await terminal.until("? This request has used all of its 2 rounds.");
  await terminal.until("or up to how much: ");
  terminal.type(`2${enter}`);
  await terminal.until("The new limit must be above the 2");
  await terminal.until("or up to how much: ");
  terminal.type(`3${enter}`);
  await terminal.until("? This request has used all of its 3 rounds.");
  await terminal.until("or up to how much: ");
  terminal.type(`n${enter}`);
  await terminal.until("limit");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(runtime.session.state.turns.map(({ stopped, answers }) => [stopped, answers])).toEqual([
    ["limit", 3],
  ]);
  await runtime.close();
});

test("100 KB pasted while a turn runs are one message, shown as a mark", async () => {
  const { wait, open } = gate();
  const pasted = Array.from({ length: 2500 }, (_, at) => `line ${at} of something pasted, 40 wide`).join(
    "\n",
  );
  const { terminal, runtime, over } = await stage(
    [[{ say: "One moment please." }, { wait }], [{ say: "Read it." }]],
    { first: "Go" },
  );
  await terminal.until("One");
  terminal.type(`look: \u001B[200~${pasted.replaceAll("\n", "\r")}\u001B[201~`);
  await terminal.until("» look: [pasted #1: 2500 lines]");
  terminal.type(enter);
  await terminal.until("(told at the next step)");
  open();
  await terminal.until("Read it.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(told(runtime)).toEqual([["Go", `look: ${pasted}`]]);
  expect(
    lines(terminal)
      .filter((line) => line.startsWith("» "))
      .every((line) => line.length < 250),
  ).toBe(true);
  await runtime.close();
});
