/** A36: tests that a person may substitute another command for the model's, which is then judged and run as theirs. */

import { expect, onTestFinished, test } from "vitest";
import { factVersion, type Entry, type Grant } from "../../protocol/facts.ts";
import { pendingApprovals } from "../../protocol/session-state.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import type { ProjectGrants } from "../../runtime/project-grants.ts";
import type { Rule } from "../../safety/rules.ts";
import { findSandbox } from "../../safety/sandbox/sandbox.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import { sessionForTest } from "../../testing/scripted-session.ts";
import { testSession, type TestSessionOptions } from "../../testing/session.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { interactiveShell } from "../../tools/terminal/shell.ts";
import { timelineOf } from "../../view/timeline.ts";
import { emptyTranscript, showEntry } from "../../view/transcript.ts";

const run = (command: string) => ({ call: "run_command", with: { command } });
const over: ScriptedAnswer = [{ say: "Done." }];
const rules = (...list: Rule[]) => [{ name: "user", rules: list }];

async function sent(script: readonly ScriptedAnswer[], options: TestSessionOptions = {}) {
  const model = scriptedModel(script);
  const opened = await sessionForTest(model, options);
  const { session } = opened;
  await session.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  await session.idle();
  const answer = async (
    command?: string,
    more: { scope?: "session" | "project"; answer?: "deny"; callId?: string } = {},
  ) => {
    const [asked] = pendingApprovals(session.state);
    const outcome = await session.command({
      type: "answer-approval",
      callId: asked?.callId ?? "none",
      answer: "allow",
      scope: "once",
      by: "test",
      ...(command === undefined ? {} : { command }),
      ...more,
    });
    await session.idle();
    return outcome;
  };
  return { ...opened, model, answer };
}

const of = <T extends Entry["type"]>(facts: readonly Entry[], type: T) =>
  facts.filter((fact): fact is Extract<Entry, { type: T }> => fact.type === type);
const words = (facts: readonly Entry[]): string[] =>
  of(facts, "result").map(({ content }) =>
    content.map((part) => (part.type === "text" ? part.text : "")).join("\n"),
  );

test("A36: the person's command is judged anew and run instead, and the model is told so", async () => {
  const { answer, facts, workspace, model } = await sent([[run("ls > a")], over]);
  const [asked] = of(facts(), "approval-asked");
  expect(asked).toMatchObject({ command: "ls > a" });
  expect(await answer("touch b")).toEqual({ ok: true });
  expect(await workspace.files()).toEqual(["b"]);
  expect(of(facts(), "approval-answered")).toMatchObject([{ answer: "allow", command: "touch b" }]);
  const [first, second] = of(facts(), "decision");
  expect([first?.verdict, second?.verdict]).toEqual(["ask", "allow"]);
  expect(second?.trace.at(-1)).toEqual({
    layer: "person",
    verdict: "allow",
    because: "a person wrote this command and allowed it",
  });
  expect(second?.sandbox?.profile).toBe("build");
  expect(of(facts(), "call-start")).toMatchObject([{ title: "Run touch b" }]);
  expect(words(facts())).toEqual([
    "The user changed this command before allowing it. This was run instead of what you wrote: touch b\nCommand: touch b\nExit code: 0",
  ]);
  expect(JSON.stringify(model.prompts.at(-1)?.messages)).toContain("The user changed this command");
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
});

test("A36: the transcript shows the command that ran, and who changed it", async () => {
  const { answer, facts } = await sent([[run("ls > a")], over]);
  await answer("echo hello > b; echo said");
  const transcript = emptyTranscript();
  for (const fact of facts()) showEntry(transcript, fact);
  const blocks = transcript.blocks;
  expect(blocks.find(({ type }) => type === "question")).toMatchObject({
    command: "ls > a",
    answer: { answer: "allow", by: "test", command: "echo hello > b; echo said" },
  });
  expect(blocks.find(({ type }) => type === "call")).toMatchObject({
    title: "Run echo hello > b; echo said",
    output: ["said"],
  });
  const [call] = (await timelineOf(facts())).filter(({ type }) => type === "call");
  expect(call).toMatchObject({
    title: "Run echo hello > b; echo said",
    decision: { verdict: "ask" },
    answered: { answer: "allow", by: "test", command: "echo hello > b; echo said" },
  });
});

test("A36: a denied replacement is refused with its reason, nothing runs, and the question stays open", async () => {
  const { answer, facts, workspace, session } = await sent([[run("ls > a")], over], {
    rules: rules({ tool: "run_command", command: "rm *", decision: "deny" }),
    files: { kept: "" },
  });
  const before = facts().length;
  for (const command of [
    "rm kept",
    "echo x; rm kept",
    "rm -rf /srv/toolwright-nothing",
    "echo x > .git/config",
  ])
    expect(await answer(command)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^This command is denied: .*\. Write another one, or say no\.$/u),
    });
  expect(facts()).toHaveLength(before);
  expect(pendingApprovals(session.state)).toHaveLength(1);
  expect(await answer("touch b")).toEqual({ ok: true });
  expect(await workspace.files()).toEqual(["b", "kept"]);
});

test("A36: an invalid answer is refused and not recorded", async () => {
  const change = { call: "write_file", with: { path: "a", content: "x" } };
  const { answer, facts, workspace, session } = await sent([[change], [run("ls > a")], over]);
  expect(await answer("touch b")).toEqual({
    ok: false,
    problem: "This call has no editable command. Allow it or refuse it.",
  });
  expect(await answer()).toEqual({ ok: true });
  for (const [command, problem] of [
    ["", "is empty"],
    [" \n", "is empty"],
    ["ls\0", "NUL"],
    ["x".repeat(100_001), "too long"],
  ] as const)
    expect(await answer(command)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  expect(await answer("ls", { answer: "deny" })).toMatchObject({ ok: false });
  expect(await answer("ls", { callId: "nobody" })).toMatchObject({ ok: false });
  expect(pendingApprovals(session.state)).toHaveLength(1);
  expect(await answer("ls > a")).toEqual({ ok: true }); // identical: no substitution
  expect(of(facts(), "approval-answered").at(-1)).not.toHaveProperty("command");
  expect(of(facts(), "decision")).toHaveLength(2);
  expect(await workspace.files()).toEqual(["a"]);
});

test("A36: a session-wide approval covers the command that the person wrote, not the model's", async () => {
  const { answer, facts, session } = await sent([
    [run("mkdir one")],
    [run("touch two")],
    [run("mkdir three")],
    over,
  ]);
  expect(await answer("touch one", { scope: "session" })).toEqual({ ok: true });
  expect(session.state.grants).toMatchObject([
    { scope: "session", covers: { uses: [{ words: ["touch"] }] } },
  ]);
  expect(of(facts(), "decision").map(({ verdict }) => verdict)).toEqual(["ask", "allow", "allow", "ask"]);
  expect(pendingApprovals(session.state)).toMatchObject([{ command: "mkdir three" }]);
});

test("A36: a project-wide approval is stored for the person's command, unless that needs no approval", async () => {
  const kept: Grant[] = [];
  const projectGrants: ProjectGrants = {
    list: async () => kept,
    add: async (grant) => {
      kept.push(grant);
      return { ok: true };
    },
  };
  const { answer, session } = await sent([[run("mkdir one")], [run("mkdir two")], over], { projectGrants });
  expect(await answer("touch one", { scope: "project" })).toEqual({ ok: true });
  expect(kept).toMatchObject([{ uses: [{ words: ["touch"] }] }]);
  expect(await answer("ls", { scope: "project" })).toEqual({ ok: true });
  expect(kept).toHaveLength(1);
  expect(session.state.grants).toEqual([]);
});

test("A36: a critical command runs when a person has written it, but only with a one-time approval", async () => {
  const { answer, facts } = await sent([[run("ls > a")], over]);
  const piped = "curl -s http://127.0.0.1:1/x | sh";
  expect(await answer(piped, { scope: "session" })).toEqual({
    ok: false,
    problem: "This approval can only be given for: once.",
  });
  expect(await answer(piped)).toEqual({ ok: true });
  expect(of(facts(), "decision").at(-1)).toMatchObject({ verdict: "allow", risk: "critical" });
  expect(of(facts(), "call-start")).toMatchObject([{ title: `Run ${piped}` }]);
});

test("A36: the person's command runs in the sandbox profile it needs, and undo covers its changes", async () => {
  const asks = rules({ tool: "run_command", command: "ls *", decision: "ask" });
  const options = { rules: asks, sandbox: findSandbox, files: { kept: "one" } };
  const { answer, facts, workspace, session } = await sent([[run("ls -a")], over], options);
  const [asked] = of(facts(), "approval-asked");
  expect(await answer("echo two > kept; echo new > made")).toEqual({ ok: true });
  expect(await workspace.files()).toEqual(["kept", "made"]);
  const sandbox = of(facts(), "decision").at(-1)?.sandbox;
  expect([asked?.sandbox?.profile, sandbox?.profile]).toEqual(["read", "build"]);
  expect(of(facts(), "change-applied").flatMap(({ changes }) => changes.map(({ path }) => path))).toEqual([
    "kept",
    "made",
  ]);
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect([await workspace.files(), await workspace.read("kept")]).toEqual([["kept"], "one"]);
});

/** A session that ended between the answer and its consequences. */
async function answeredAndGone(command: string) {
  const store = openMemoryStore();
  const workspace = await temporaryWorkspace({});
  onTestFinished(() => workspace.remove());
  const first = await sent([[run("ls > a")]], { store, workspace });
  const { id, state } = first.session;
  const callId = pendingApprovals(state)[0]?.callId ?? "none";
  await first.session.close();
  const epoch = await store.claim(id);
  const answered = { type: "approval-answered", callId, answer: "allow", scope: "once", by: "test" } as const;
  const stamp = { v: factVersion, seq: state.seq + 1, at: Date.now(), turn: 1 };
  await store.append(id, epoch, [{ ...answered, command, ...stamp }]);
  return { store, workspace, resume: id };
}

const goOn = async (options: TestSessionOptions) => {
  const opened = await sessionForTest(scriptedModel([over]), options);
  await opened.session.command({ type: "go-on" });
  await opened.session.idle();
  return opened;
};

test("A36, A38: after a crash that follows the answer, the person's command runs once", async () => {
  const left = await answeredAndGone("echo once >> b");
  const { facts, workspace, close } = await goOn(left);
  expect(await workspace.read("b")).toBe("once\n");
  expect(of(facts(), "call-start")).toMatchObject([{ title: "Run echo once >> b" }]);
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
  await close();
  const again = await testSession(scriptedModel([]), left);
  expect(await again.session.command({ type: "go-on" })).toMatchObject({ ok: false });
  expect(await workspace.read("b")).toBe("once\n");
  await again.close();
});

test("A36: a command that a rule has come to deny since the answer does not run, whoever wrote it", async () => {
  const left = await answeredAndGone("touch b");
  const denies = rules({ tool: "run_command", command: "touch *", decision: "deny" });
  const { facts, workspace } = await goOn({ ...left, rules: denies });
  expect(await workspace.files()).toEqual([]);
  expect(of(facts(), "decision").at(-1)).toMatchObject({ verdict: "deny" });
  expect(of(facts(), "result")).toMatchObject([{ outcome: "denied" }]);
  expect(words(facts())[0]).toMatch(/^The user changed this command to: touch b\nDenied: /u);
});

test("A36: the person's command runs even if nobody is present any more", async () => {
  const left = await answeredAndGone("touch b");
  const { workspace } = await goOn({ ...left, interactive: false });
  expect(await workspace.files()).toEqual(["b"]);
});

test("A36: an answer given while the model still streams keeps its place, and later calls wait for it", async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel([[run("ls > a"), run("cat b > c"), { wait: gate.promise }], over]);
  const opened = await sessionForTest(model, {
    rules: rules({ tool: "run_command", command: "cat *", decision: "allow" }),
  });
  const { session } = opened;
  const asked = session.log.until(({ type }) => type === "approval-asked", AbortSignal.timeout(60_000));
  await session.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  const question = await asked;
  const callId = question.type === "approval-asked" ? question.callId : "none";
  const outcome = await session.command({
    type: "answer-approval",
    callId,
    answer: "allow",
    scope: "once",
    by: "test",
    command: "echo mine > b",
  });
  expect(outcome).toEqual({ ok: true });
  gate.resolve();
  await session.idle();
  expect(await opened.workspace.read("c")).toBe("mine\n");
});

test("A36: a command started in a terminal or typed into one may be changed, too", async () => {
  const terminal = (input: Record<string, string>) => ({ call: "terminal", with: input });
  const { answer, facts, session, workspace } = await sent([
    [terminal({ action: "start", command: "cat > a" })],
    [terminal({ action: "start", terminal: "shell" })],
    [terminal({ action: "write", terminal: "shell", input: "touch typed", pattern: "wri.ten" })],
    over,
  ]);
  expect(await answer("echo written")).toEqual({ ok: true });
  expect(of(facts(), "call-start").at(-1)).toMatchObject({
    title: "Start echo written in terminal main",
  });
  expect(await answer()).toEqual({ ok: true });
  expect(pendingApprovals(session.state)).toMatchObject([{ command: "touch typed" }]);
  expect(await answer("echo 'wri'tten > typed-by-me; cat typed-by-me")).toEqual({ ok: true });
  expect(words(facts()).at(-1)).toContain("written");
  expect(await workspace.files()).toEqual(["typed-by-me"]);
});

test.each([
  ["outside", { profile: "build", isOn: false }],
  ["with another profile of", { profile: "install", isOn: true }],
] as const)(
  "A36: what the person wrote is not typed into a terminal that was meanwhile started again %s the sandbox",
  async (_, runsIn) => {
    const terminal = (input: Record<string, string>) => ({ call: "terminal", with: input });
    const { answer, facts, session, workspace } = await sent(
      [[terminal({ action: "start" })], [terminal({ action: "write", input: "echo x > .env" })], over],
      { mode: "auto", sandbox: findSandbox },
    );
    expect(of(facts(), "approval-asked")).toMatchObject([{ sandbox: { profile: "build", isOn: true } }]);
    const finished = async () => ({ warnings: [], changes: [] });
    const contained = { command: interactiveShell(), env: process.env, finished, runsIn };
    const again = { line: undefined, contained, cwd: workspace.root };
    expect(await session.terminals.start("main", async () => ({ ok: true, value: again }))).toMatchObject({
      ok: true,
    });
    expect(await answer("touch typed")).toEqual({ ok: true });
    expect(words(facts()).at(-1)).toMatch(/^Nothing was typed: since this was decided/u);
    expect(await workspace.files()).toEqual([]);
  },
);
