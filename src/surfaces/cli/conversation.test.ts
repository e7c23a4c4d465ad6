/** The conversation: what is shown, asked and obeyed, driven through a terminal that types and reads. */
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { scripted, type ScriptedAnswer } from "../../providers/scripted.ts";
import type { Config } from "../../runtime/config.ts";
import { testSession, type TestSessionOptions } from "../../testing/session.ts";
import { converseIn } from "./conversation.ts";
import { testRuntime, testSettings, type TestRuntime } from "./test-runtime.ts";
import { testTerminal, type TestTerminal } from "./test-terminal.ts";

const enter = "\r";
const controlC = "\u0003";
const controlD = "\u0004";

type Stage = { terminal: TestTerminal; runtime: TestRuntime; over: Promise<number> };
type Staging = { first?: string; settings?: Partial<Config>; session?: TestSessionOptions };

async function stage(
  script: readonly ScriptedAnswer[],
  { first = "", settings, session }: Staging = {},
): Promise<Stage> {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const runtime = await testRuntime(scripted(script, { pieces: 4 }), session);
  const over = converseIn({ terminal, settings: testSettings(settings) }, runtime, first);
  return { terminal, runtime, over };
}

/** What was printed, without what the line editor draws. */
const lines = (terminal: TestTerminal): string[] =>
  stripVTControlCharacters(terminal.printed()).split(/\r?\n/u);

const types = (runtime: TestRuntime): string[] => runtime.test.facts().map(({ type }) => type);

test("says what it runs with, answers, and leaves at the end of the input", async () => {
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
    "Say what to do. /help lists commands, Ctrl-C interrupts, Ctrl-D leaves.",
    "! this is a test without one.",
    "! Until then commands run uncontained, and each one that does more than read asks first.",
  ]);
  const answer = shown.slice(shown.indexOf("Let me see."));
  expect(answer.slice(0, 6)).toEqual(["Let me see.", "", "I look.", "", "● List . … ok", ""]);
  expect(answer[6]).toBe("Nothing is here.");
  await runtime.close();
});

test("a question shows the whole change; yes lets it be made, and the turn ends with what changed", async () => {
  const { terminal, runtime, over } = await stage(
    [[{ call: "write_file", with: { path: "a.txt", content: "one\ntwo\n" } }], [{ say: "Written." }]],
    { first: "Write a.txt" },
  );
  await terminal.until("or type why not: ");
  const asked = lines(terminal);
  expect(asked).toContain("> Write a.txt");
  expect(asked).toContain("    +one");
  expect(asked).toContain("    +two");
  expect(asked).toContain("  Why it asks: it changes files · risk: medium");
  terminal.type(`y${enter}`);
  await terminal.until("Changed a.txt +2 −0 · not verified");
  terminal.type(`/quit${enter}`);
  expect(await over).toBe(0);
  expect(await runtime.test.workspace.read("a.txt")).toBe("one\ntwo\n");
  await runtime.close();
});

test("a longer answer is a no with its reason, and a slip is asked again", async () => {
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

const write = (path: string): ScriptedAnswer => [{ call: "write_file", with: { path, content: "x" } }];

test("a yes for this turn is not asked again", async () => {
  const { terminal, runtime, over } = await stage([write("a"), write("b"), [{ say: "Both." }]], {
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

test("what was typed before a question was shown is no answer to it, and is not lost", async () => {
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

test.each([
  { leave: "Ctrl-D", how: (terminal: TestTerminal) => terminal.type(controlD), code: 0 },
  { leave: "/quit", how: (terminal: TestTerminal) => terminal.type(`/quit${enter}`), code: 0 },
  { leave: "a closed terminal", how: (terminal: TestTerminal) => terminal.raise("SIGHUP"), code: 130 },
  { leave: "SIGTERM", how: (terminal: TestTerminal) => terminal.raise("SIGTERM"), code: 130 },
])("$leave at a question leaves it open: nothing is answered in the person's name", async ({ how, code }) => {
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

test("who goes on is told how the last request ended", async () => {
  const first = await testSession(scripted([write("a"), [{ say: "Done." }]]), { mode: "accept-edits" });
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

test("where no person can be left to answer, the end of the input is a no", async () => {
  const terminal = testTerminal({ terminal: false, env: { NO_COLOR: "1" } });
  const runtime = await testRuntime(scripted([write("a"), [{ say: "I leave it." }]]));
  const over = converseIn({ terminal, settings: testSettings() }, runtime, "Go");
  await terminal.until("or type why not: ");
  terminal.input.end();
  expect(await over).toBe(0);
  expect(runtime.test.facts().find(({ type }) => type === "approval-answered")).toMatchObject({
    answer: "deny",
  });
  await runtime.close();
});

test("a command of ours at a question is no answer to it", async () => {
  const { terminal, runtime, over } = await stage([write("a"), [{ say: "Done." }]], { first: "Go" });
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

test("Ctrl-D at a question says what becomes of it", async () => {
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

test("Ctrl-D while a request runs leaves when it is done, and says so", async () => {
  const { promise: wait, resolve: open } = Promise.withResolvers<void>();
  const { terminal, runtime, over } = await stage(
    [[{ say: "One moment please." }, { wait }, { say: "So." }]],
    {
      first: "Go",
    },
  );
  await terminal.until("One");
  terminal.type(controlD);
  await terminal.until("Leaves when the request is done; Ctrl-C interrupts it.");
  open();
  expect(await over).toBe(0);
  expect(runtime.test.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
  await runtime.close();
});

test("A29: Ctrl-C interrupts the turn and keeps the conversation; pressed again soon it leaves", async () => {
  const never = new Promise<void>(() => undefined);
  const { terminal, runtime, over } = await stage(
    [
      [{ say: "One moment please." }, { wait: never }],
      [{ say: "Here again, as before." }, { wait: never }],
    ],
    { first: "Go" },
  );
  await terminal.until("One");
  terminal.type(controlC);
  await terminal.until("Interrupting");
  await terminal.until("> ");
  terminal.type(`Again${enter}`);
  await terminal.until("Here again");
  terminal.type(controlC);
  terminal.type(controlC);
  await terminal.until("> ");
  expect(terminal.exits).toEqual([130]);
  terminal.type(controlC);
  expect(await over).toBe(0);
  const ends = runtime.test.facts().filter((fact) => fact.type === "turn-end");
  expect(ends.map(({ stopped }) => stopped)).toEqual(["interrupted", "interrupted"]);
  await runtime.close();
});

test("Ctrl-C at a question gives it up with the turn", async () => {
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

test("Ctrl-C at the prompt clears what was typed; where nothing was it leaves when pressed twice", async () => {
  const { terminal, runtime, over } = await stage([[{ say: "You said b." }]]);
  await terminal.until("> ");
  terminal.type("aaa");
  terminal.type(controlC);
  terminal.type(`b${enter}`);
  await terminal.until("You said b.");
  await terminal.until("> ");
  terminal.type(controlC);
  await terminal.until("Ctrl-C again leaves");
  await terminal.until("> ");
  terminal.type(controlC);
  expect(await over).toBe(0);
  expect(runtime.session.state.turns.map(({ request }) => request)).toEqual([[{ type: "text", text: "b" }]]);
  await runtime.close();
});

test("lines that are pasted together are one message, with the last one when Enter comes", async () => {
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

test("a signal that ends programs interrupts the turn and leaves", async () => {
  const never = new Promise<void>(() => undefined);
  const { terminal, runtime, over } = await stage([[{ say: "One moment please." }, { wait: never }]], {
    first: "Go",
  });
  await terminal.until("One");
  terminal.raise("SIGTERM");
  expect(await over).toBe(130);
  expect(runtime.test.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "interrupted" });
  await runtime.close();
});

test("a terminal that is closed tells so several times; the turn is still ended in order", async () => {
  const never = new Promise<void>(() => undefined);
  const { terminal, runtime, over } = await stage([[{ say: "One moment please." }, { wait: never }]], {
    first: "Go",
  });
  await terminal.until("One");
  terminal.raise("SIGHUP"); // from the kernel
  terminal.raise("SIGHUP"); // from the shell
  terminal.breakOutput(new Error("EIO"));
  expect(await over).toBe(130);
  expect(terminal.exits).toEqual([]);
  expect(runtime.test.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "interrupted" });
  await runtime.close();
});

test("a second SIGTERM leaves at once", async () => {
  const never = new Promise<void>(() => undefined);
  const { terminal, runtime, over } = await stage([[{ say: "One moment please." }, { wait: never }]], {
    first: "Go",
  });
  await terminal.until("One");
  terminal.raise("SIGTERM");
  terminal.raise("SIGTERM");
  expect(terminal.exits).toEqual([130]);
  await over;
  await runtime.close();
});

test("Ctrl-C at a question begins a line of its own", async () => {
  const { terminal, runtime, over } = await stage([write("a"), [{ say: "Never." }]], { first: "Go" });
  await terminal.until("or type why not: ");
  terminal.type(controlC);
  await terminal.until("Interrupted");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  const shown = lines(terminal);
  expect(shown.slice(shown.indexOf("Interrupting … (again to leave)")).slice(0, 3)).toEqual([
    "Interrupting … (again to leave)",
    "● Write a … cancelled",
    "",
  ]);
  await runtime.close();
});

test("A30: what runs on in the background is told after the turn, by /status, and when it ends with us", async () => {
  const input = { action: "start", terminal: "dev", command: "echo ready; cat", pattern: "^ready" };
  const { terminal, runtime, over } = await stage(
    [[{ call: "terminal", with: input }], [{ say: "It runs." }], [{ say: "Still." }]],
    { first: "Go" },
  );
  await terminal.until("or type why not: ");
  terminal.type(`y${enter}`);
  await terminal.until("In the background: dev (echo ready; cat). It ends when you leave.");
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

test("slash commands show and set; an unknown one gets a hint and goes to no model", async () => {
  const { terminal, runtime, over } = await stage([]);
  for (const [typed, expected] of [
    ["/help", "/undo"],
    ["/mode", "The mode is ask. There are: ask, accept-edits, plan, auto, deny, staged."],
    ["/mode plan", "The mode is plan from here on."],
    ["/mode pln", 'There is no mode "pln" (did you mean "plan"?)'],
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

test("/undo takes the changes back and says which", async () => {
  const { terminal, runtime, over } = await stage(
    [[{ call: "write_file", with: { path: "a.txt", content: "x\n" } }], [{ say: "Written." }]],
    { first: "Go", session: { mode: "accept-edits" } },
  );
  await terminal.until("Changed a.txt +1 −0");
  await terminal.until("> ");
  terminal.type(`/undo${enter}`);
  await terminal.until("↶ Taken back (request 1): a.txt");
  terminal.type(controlD);
  await over;
  expect(await runtime.test.workspace.files()).toEqual([]);
  await runtime.close();
});

test("a question that an earlier run left open is asked again at once", async () => {
  const first = await testSession(
    scripted([[{ call: "write_file", with: { path: "a.txt", content: "x\n" } }]]),
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

test("a turn that a crash left open goes on when the person wants it to", async () => {
  const first = await testSession(scripted([]));
  await first.session.log.append(
    { type: "user-message", content: [{ type: "text", text: "Tell me" }] },
    { type: "turn-start", model: "m", mode: "ask" },
  );
  const { store, workspace } = first;
  const session = { store, workspace, resume: first.session.id };
  const { terminal, runtime, over } = await stage([[{ say: "Told after all." }]], { session });
  await terminal.until("Go on with it? [y/n] ");
  terminal.type(`y${enter}`);
  await terminal.until("Told after all.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  await runtime.close();
  await workspace.remove();
});

test("a store that fails is one line, and the conversation goes on", async () => {
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
