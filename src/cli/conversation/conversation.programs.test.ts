/** Tests a conversation's output and commands through a simulated terminal. */

import { expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { testSession } from "../../testing/session.ts";
import { writes } from "../../testing/turns.ts";
import { testTerminal, type TestTerminal } from "../../tui/testing/terminal.ts";
import { testRuntime, testSettings } from "../testing/runtime.ts";
import { converseIn } from "./conversation.ts";
import { enter, controlD, stage, lines, types } from "./testing/conversation.ts";

test("a conversation shows its settings, answers, and exits at the end of the input", async () => {
  const { terminal, runtime, over } = await stage([
    [{ think: "Let me see." }, { say: "I look." }, { call: "list_files", with: { path: "." } }],
    [{ say: "Nothing is here." }],
  ]);
  await terminal.until("> ");
  terminal.type(`What is here?${enter}`);
  await terminal.until("Nothing is here.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);

  const shown = lines(terminal);
  expect(shown.slice(1, 9)).toEqual([
    "model      scripted/model",
    `workspace  ${runtime.workspace}`,
    "mode       ask",
    "sandbox    none",
    `session    ${runtime.session.id}`,
    "Say what to do. /help lists commands, Ctrl-C interrupts, Ctrl-D exits.",
    "! this is a test without one.",
    "! Until then commands run uncontained, and each one that does more than read asks first. In a container, --mode trusted asks nothing.",
  ]);
  const answer = shown.slice(shown.indexOf("Let me see."));
  expect(answer.slice(0, 6)).toEqual(["Let me see.", "", "I look.", "", "● List . … ok", ""]);
  expect(answer[6]).toBe("Nothing is here.");
  await runtime.close();
});

test("reasoning set while a request runs counts from its next answer on, and the greeting tells it", async () => {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const efforts: (string | undefined)[] = [];
  const { terminal, runtime, over } = await stage(
    ({ reasoning }) => {
      begun.resolve();
      if (efforts.push(reasoning) > 1) return [{ say: "Nothing." }];
      return [{ wait: gate.promise }, { call: "list_files", with: { path: "." } }];
    },
    { first: "Look", session: { reasoning: "low" } },
  );
  await terminal.until("reasoning  low");
  await begun.promise;
  terminal.type(`/reasoning off${enter}`);
  await terminal.until("The reasoning is off from the next answer on.");
  gate.resolve();
  await terminal.until("Nothing.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(efforts).toEqual(["low", "off"]);
  await runtime.close();
});

test("the prompt does not wait for the trial of the sandbox, but the first turn does", async () => {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const runtime = await testRuntime(scriptedModel([[{ say: "Hello." }]]));
  const trial = Promise.withResolvers<undefined>();
  const slow = { ...runtime, sandbox: () => trial.promise.then(() => runtime.sandbox()) };
  const over = converseIn({ terminal, settings: testSettings() }, slow, "");
  await terminal.until("> ");
  terminal.type("dra");
  await terminal.until("dra");
  expect(terminal.printed()).not.toContain("sandbox ");
  trial.resolve(undefined);
  await terminal.until("sandbox    none");
  await terminal.until("Until then commands run uncontained");
  await terminal.until("> ");
  await terminal.until("dra");
  terminal.type(`ft${enter}`);
  await terminal.until("Hello.");
  expect(JSON.stringify(runtime.test.facts())).toContain('"text":"draft"');
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  await runtime.close();

  const early = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const other = await testRuntime(scriptedModel([[{ say: "Hello again." }]]));
  const never = Promise.withResolvers<undefined>();
  const asked = converseIn(
    { terminal: early, settings: testSettings() },
    { ...other, sandbox: () => never.promise.then(() => other.sandbox()) },
    "Go",
  );
  await early.until("> Go");
  expect(types(other)).not.toContain("user-message");
  never.resolve(undefined);
  await early.until("sandbox    none");
  await early.until("Hello again.");
  await early.until("> ");
  early.type(controlD);
  expect(await asked).toBe(0);
  await other.close();
});

test.each([
  { leave: "Ctrl-D", how: (terminal: TestTerminal) => terminal.type(controlD), code: 0 },
  { leave: "/quit", how: (terminal: TestTerminal) => terminal.type(`/quit${enter}`), code: 0 },
  { leave: "a closed terminal", how: (terminal: TestTerminal) => terminal.raise("SIGHUP"), code: 130 },
  { leave: "SIGTERM", how: (terminal: TestTerminal) => terminal.raise("SIGTERM"), code: 130 },
])("$leave at a question leaves it open instead of answering for the person", async ({ how, code }) => {
  const script: ScriptedAnswer[] = [
    [{ call: "run_command", with: { command: "touch x" } }],
    [{ say: "I leave it." }],
  ];
  const { terminal, runtime, over } = await stage(script, { first: "Go" });
  await terminal.until("or type why not: ");
  how(terminal);
  expect(await over).toBe(code);
  expect(types(runtime).at(-1)).toBe("approval-asked");
  expect(runtime.session.state.status).toBe("running");
  await runtime.close();
});

test.each(["/quit", "exit"])(
  "%s while a request runs interrupts it, keeps all of it, and leaves",
  async (typed) => {
    const never = new Promise<void>(() => undefined);
    const { terminal, runtime, over } = await stage([[{ say: "I begin.\n\nAnd " }, { wait: never }]], {
      first: "Go",
    });
    await terminal.until("I begin.");
    terminal.type(`${typed}${enter}`);
    expect(await over).toBe(0);
    expect(lines(terminal)).toContain("Interrupting … (to leave)");
    const last = runtime.test.facts().at(-1);
    expect(last).toMatchObject({ type: "turn-end", stopped: "interrupted", by: "terminal" });
    expect(lines(terminal).at(-2)).toMatch(/^To go on with this session: toolwright --resume /u);
    await runtime.close();
  },
);

test("a resumed session shows how the last request ended", async () => {
  const first = await testSession(scriptedModel([writes("a"), [{ say: "Done." }]]), { mode: "accept-edits" });
  await first.session.command({ type: "send", content: [{ type: "text", text: "Go" }] });
  await first.session.idle();
  const { store, workspace } = first;
  const { terminal, runtime, over } = await stage([[{ say: "Never." }]], {
    session: { store, workspace, resume: first.session.id },
  });
  await terminal.until("> Go");
  await terminal.until("Changed a +1 −0 · not verified");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  await runtime.close();
});

test("lines pasted together are one message, and an unfinished last line joins it on Enter", async () => {
  const { terminal, runtime, over } = await stage([
    [{ say: "First, understood." }],
    [{ say: "Second, understood." }],
  ]);
  await terminal.until("> ");
  terminal.type(`one${enter}two${enter}three${enter}`);
  await terminal.until("First");
  await terminal.until("> ");
  terminal.type(`four${enter}five`);
  await new Promise(setImmediate);
  terminal.type(enter);
  await terminal.until("Second");
  await terminal.until("> ");
  terminal.type(controlD);
  await over;
  expect(runtime.session.state.turns.map(({ request }) => request)).toEqual([
    [{ type: "text", text: "one\ntwo\nthree" }],
    [{ type: "text", text: "four\nfive" }],
  ]);
  await runtime.close();
});

test("A30: background terminals are listed after the turn, by /status, and when they end on exit", async () => {
  const input = { action: "start", terminal: "dev", command: "echo ready; cat", pattern: "^ready" };
  const { terminal, runtime, over } = await stage(
    [[{ call: "terminal", with: input }], [{ say: "It runs." }], [{ say: "Still." }]],
    { first: "Go" },
  );
  await terminal.until("or type why not: ");
  terminal.type(`y${enter}`);
  await terminal.until("In the background: dev (echo ready; cat). It ends when you exit.");
  await terminal.until("> ");
  terminal.type(`/status${enter}`);
  await terminal.until("terminals  dev (echo ready; cat)");
  await terminal.until("> ");
  terminal.type(`And now?${enter}`);
  await terminal.until("Still.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  const shown = lines(terminal);
  expect(shown.filter((line) => line.startsWith("In the background"))).toHaveLength(1);
  expect(shown).toContain("Ended with the conversation: terminal dev (echo ready; cat)");
  await runtime.close();
});

test("slash commands show and change settings; an unknown one gets a hint and is not sent to the model", async () => {
  const { terminal, runtime, over } = await stage([]);
  for (const [typed, expected] of [
    ["/help", "/undo"],
    ["/mode", "The mode is ask; /mode MODE sets another."],
    ["/mode", "plan only reads; ask also runs commands in the sandbox (what unknown ones change"],
    ["/mode plan", "The mode is plan from here on."],
    ["/mode pln", 'There is no mode "pln" (did you mean "plan"?)'],
    ["/reasoning", "The reasoning is default; /reasoning EFFORT sets another."],
    ["/reasoning high", "The reasoning is high from the next answer on."],
    ["/reasoning high", "The reasoning is high already."],
    ["/reasoning huge", 'There is no reasoning "huge". There are: default, off, low, medium, high.'],
    ["/status", "reasoning  high"],
    ["/model", "The model is scripted/model."],
    ["/undo", "There are no changes to take back."],
    ["/redo", "There are no changes to bring back."],
    ["/keep", "There are no changes to keep."],
    ["/diff", "There are no changes to look at."],
    ["/diff 2", `There is no request 2 in session ${runtime.session.id}: it has none yet.`],
    ["/undo --hunk 0", "--hunk must be hunks by their numbers"],
    ["/checkpoints", `No request of session ${runtime.session.id} changed files.`],
    ["/sessions", `${runtime.session.id} *`],
    ["/status", "0 requests"],
    ["/stauts", 'There is no command /stauts (did you mean "/status"?): /help lists them.'],
    ["/doctor", "There is no command /doctor: it is `toolwright doctor` in a shell; /help lists those here."],
    ["/cost", "cost       free"],
  ]) {
    await terminal.until("> ");
    terminal.type(`${typed}${enter}`);
    await terminal.until(expected ?? "");
  }
  await terminal.until("plan> ");
  terminal.type(`/quit${enter}`);
  expect(await over).toBe(0);
  for (const line of lines(terminal).filter((each) => each.startsWith("  /")))
    expect(line.length).toBeLessThanOrEqual(80);
  expect(runtime.session.state.turns).toEqual([]);
  await runtime.close();
});

test("/undo reverts the changes and names the files", async () => {
  const { terminal, runtime, over } = await stage(
    [[{ call: "write_file", with: { path: "a.txt", content: "x\n" } }], [{ say: "Written." }]],
    { first: "Go", session: { mode: "accept-edits" } },
  );
  await terminal.until("Changed a.txt +1 −0");
  await terminal.until("> ");
  terminal.type(`/undo${enter}`);
  await terminal.until("↶ Undone (request 1): a.txt");
  terminal.type(controlD);
  await over;
  expect(await runtime.test.workspace.files()).toEqual([]);
  await runtime.close();
});

test.each([
  ["ask", "Continue it? [y/n] "],
  ["accept-edits", "Continue it, in accept-edits mode as before? [y/n] "],
] as const)(
  "a turn in %s mode that a crash left open continues after a confirmation",
  async (mode, question) => {
    const first = await testSession(scriptedModel([]));
    await first.session.log.append(
      { type: "user-message", content: [{ type: "text", text: "Tell me" }] },
      { type: "turn-start", model: "m", mode },
    );
    const { store, workspace } = first;
    const session = { store, workspace, resume: first.session.id };
    const { terminal, runtime, over } = await stage([[{ say: "Told after all." }]], { session });
    await terminal.until(question);
    terminal.type(`y${enter}`);
    await terminal.until("Told after all.");
    await terminal.until("> ");
    terminal.type(controlD);
    expect(await over).toBe(0);
    await runtime.close();
    await workspace.remove();
  },
);

test("a failing store is reported in one line, and the conversation goes on", async () => {
  const { terminal, runtime, over } = await stage([[{ say: "Never heard." }], [{ say: "Heard this time." }]]);
  await terminal.until("> ");
  const append = runtime.store.append.bind(runtime.store);
  runtime.store.append = () => Promise.reject(new Error("The disk is full: make room."));
  terminal.type(`Go${enter}`);
  await terminal.until("! The disk is full: make room.");
  await terminal.until("> ");
  runtime.store.append = append;
  terminal.type(`Go again${enter}`);
  await terminal.until("Never heard.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  await runtime.close();
});
