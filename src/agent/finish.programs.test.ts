import { expect, test } from "vitest";
import type { Fact } from "../protocol/facts.ts";
import { ModelError } from "../protocol/model-events.ts";
import { conversation } from "../protocol/session-state.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { endOf, sessionForTest } from "../testing/scripted-session.ts";
import type { TestSessionOptions } from "../testing/session.ts";
import { tools } from "../tools/index.ts";
import { defineTool, ok } from "../tools/tool.ts";

async function run(script: readonly ScriptedAnswer[], options: TestSessionOptions = {}) {
  const opened = await sessionForTest(scriptedModel(script), { mode: "auto", ...options });
  await opened.ask("Do it.");
  return { ...opened, end: endOf(opened.facts()) };
}

const write = (path: string) => ({ call: "write_file", with: { path, content: "x" } });
const command = (line: string, id: string) => ({ call: "run_command", with: { command: line }, id });
const edit = { call: "edit_file", with: { path: "a.txt", old: "nowhere", new: "x" } };

test.each<[string, ScriptedAnswer]>([
  ["nothing at all", []],
  ["only white space", [{ say: "\n \n" }]],
  ["only a thought", [{ think: "Hm." }]],
  [
    "a failure before the first word",
    [{ fail: new ModelError("auth", "The key was refused. Set another one.") }],
  ],
])(
  "E5: a turn of %s ends with a closing text of our own, in the log and in the conversation",
  async (_, answer) => {
    const { facts, session, end } = await run([answer]);
    const closing = facts().at(-2);
    expect(closing).toMatchObject({ type: "text", by: "toolwright" });
    expect(end?.text).not.toBe("");
    expect(conversation(session.state)).toEqual([
      { role: "user", text: "Do it." },
      { role: "assistant", text: end?.text },
    ]);
  },
);

test("E6: the closing text is general, and the details stay with the results", async () => {
  const { end, facts } = await run([[edit], []], { files: { "a.txt": "secret line\n" } });
  expect(end?.text).toBe(
    "The model returned no text, and the last change failed (Edit a.txt). What was done:\n- Edit a.txt: failed",
  );
  expect(JSON.stringify(facts().find((fact) => fact.type === "result"))).toContain("was not found");
});

test("A13: the closing text lists the last six results and counts the ones before", async () => {
  const files = Array.from({ length: 8 }, (_, at) => `${at}.txt`);
  const { end } = await run([files.map(write), []]);
  expect(end?.text).toBe(
    `The model returned no text. What was done:\n${files
      .slice(2)
      .map((path) => `- Write ${path}: ok`)
      .join("\n")}\n- and 2 more before`,
  );
});

test("E4: the conversation text of an answer contains no calls", async () => {
  const { session } = await run([[{ say: "I write." }, write("a.txt")], [{ say: "Written." }]]);
  expect(conversation(session.state)).toEqual([
    { role: "user", text: "Do it." },
    { role: "assistant", text: "I write.\n\nWritten." },
  ]);
});

test("A13: a claim of success after a failed last change or command is not believed", async () => {
  const claim: ScriptedAnswer = [{ say: "All done!" }];
  const becauseOf = async (...answers: ScriptedAnswer[]) =>
    (await run([...answers, claim], { files: { "a.txt": "a" } })).end?.because;
  expect(await becauseOf([edit])).toBe("the last change failed (Edit a.txt)");
  expect(await becauseOf([{ call: "edit_file", with: {} }])).toBe("the last change failed (edit_file)");
  expect(await becauseOf([command("test -f nothing", "c")])).toBe(
    "the last command failed (Run test -f nothing)",
  );
  // Fixed since, only a read, or refused by a person or rule.
  expect(await becauseOf([edit], [write("b.txt")])).toBeUndefined();
  expect(await becauseOf([{ call: "read_file", with: { path: "missing" } }])).toBeUndefined();
  expect(await becauseOf([write("b.txt"), write(".git/x")])).toBeUndefined();
});

test("a change that a crash cut off invalidates the verification before it", async () => {
  const changes = [{ path: "b.txt", before: null, after: "1", added: 1, removed: 0 }];
  const call = (id: string, name: string): Fact => ({
    type: "call",
    call: { id, name, input: { command: "true", path: "b.txt", content: "x" }, source: "native" },
  });
  const facts: Fact[] = [
    { type: "session-start", session: "s", workspace: "/w", version: "0" },
    { type: "user-message", content: [{ type: "text", text: "go" }] },
    { type: "turn-start", model: "m", mode: "auto" },
    call("check", "run_command"),
    call("change", "write_file"),
    { type: "answer-end", reason: "tool-calls", model: "m" },
    { type: "call-start", callId: "check", title: "Run true", does: "execute" },
    { type: "result", callId: "check", outcome: "ok", content: [] },
    { type: "call-start", callId: "change", title: "Write b.txt", does: "change", changes },
  ];
  const store = openMemoryStore();
  await store.create({ id: "s", workspace: "/w", createdAt: 0 });
  const entries = facts.map((fact, at) => ({ ...fact, v: 1, seq: at + 1, at: 1, turn: at === 0 ? 0 : 1 }));
  await store.append("s", await store.claim("s"), entries);
  const opened = await sessionForTest(scriptedModel([[{ say: "Done." }]]), { store, resume: "s" });
  await opened.session.command({ type: "go-on" });
  await opened.session.idle();
  expect(endOf(opened.facts())).toMatchObject({ stopped: "done", verified: [] });
});

test("A34: a terminal command that outlasts its call's wait has not failed", async () => {
  const start = { action: "start", command: "while :; do echo on; sleep 0.1; done", timeoutSeconds: 1 };
  const { end, facts } = await run([[{ call: "terminal", with: start }], [{ say: "It runs." }]]);
  expect(facts().find((fact) => fact.type === "result")).toMatchObject({ outcome: "timeout" });
  expect(end).toMatchObject({ stopped: "done", text: "It runs." });
  expect(end?.because).toBeUndefined();
});

test("a command that changes existing files does not verify them, one that leaves a new report does", async () => {
  const script: ScriptedAnswer[] = [
    [command("rm a.txt", "remove")],
    [command("node ok.test.js > report.txt", "check")],
    [command("echo x >> report.txt; cat report.txt", "again")],
    [{ say: "Done." }],
  ];
  const files = { "a.txt": "a", "ok.test.js": "" };
  const { end } = await run(script, { files });
  expect(end).toMatchObject({ changed: ["a.txt", "report.txt"], verified: [] });
  const { end: checked } = await run([script[0] ?? [], script[1] ?? [], [{ say: "Done." }]], {
    files,
  });
  expect(checked).toMatchObject({ verified: ["check"] });
});

test("a command that only deletes verifies nothing, whatever was changed before it", async () => {
  const script: ScriptedAnswer[] = [
    [command("echo fine > report.txt", "first")],
    [command("rm a.txt", "remove")],
    [{ say: "Done." }],
  ];
  const { end } = await run(script, { files: { "a.txt": "a" } });
  expect(end).toMatchObject({ changed: ["report.txt", "a.txt"], verified: [] });
});

test("undoing changes in the middle of a turn invalidates their verification", async () => {
  const change = { path: "a.txt", added: 1, removed: 0 };
  const called = (id: string, name: string): Fact => ({
    type: "call",
    call: {
      id,
      name,
      input: name === "run_command" ? { command: "npm test" } : { path: "a.txt", content: "x" },
      source: "native",
    },
  });
  const ran = (callId: string, does: "change" | "execute", ...applied: Fact[]): Fact[] => [
    { type: "call-start", callId, title: callId, does },
    ...applied,
    { type: "result", callId, outcome: "ok", content: [{ type: "text", text: "ok" }] },
  ];
  const applied: Fact = {
    type: "change-applied",
    callId: "change",
    changes: [{ ...change, before: null, after: "1" }],
  };
  const facts: Fact[] = [
    { type: "session-start", session: "s", workspace: "/w", version: "0" },
    { type: "user-message", content: [{ type: "text", text: "go" }] },
    { type: "turn-start", model: "m", mode: "auto" },
    called("change", "write_file"),
    called("check", "run_command"),
    { type: "answer-end", reason: "tool-calls", model: "m" },
    ...ran("change", "change", applied),
    ...ran("check", "execute"),
  ];
  const undone: Fact = {
    type: "changes-undone",
    undoneTurn: 1,
    changes: [{ ...change, before: "1", after: null }],
  };
  expect(await endAfter(facts)).toMatchObject({ stopped: "done", changed: ["a.txt"], verified: ["check"] });
  expect(await endAfter([...facts, undone])).toMatchObject({ stopped: "done", changed: [], verified: [] });
});

async function endAfter(facts: readonly Fact[]) {
  const store = openMemoryStore();
  await store.create({ id: "s", workspace: "/w", createdAt: 0 });
  const entries = facts.map((fact, at) => ({ ...fact, v: 1, seq: at + 1, at: 1, turn: at === 0 ? 0 : 1 }));
  await store.append("s", await store.claim("s"), entries);
  const opened = await sessionForTest(scriptedModel([[{ say: "Done." }]]), { store, resume: "s" });
  await opened.session.command({ type: "go-on" });
  await opened.session.idle();
  return endOf(opened.facts());
}

test("a file edited back to its former content does not count as changed", async () => {
  const { end } = await run(
    [
      [write("new.txt")],
      [command("rm new.txt", "remove")],
      [{ call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } }],
      [{ call: "edit_file", with: { path: "a.txt", old: "two", new: "one" } }],
      [write("b.txt")],
      [{ say: "Done." }],
    ],
    { files: { "a.txt": "one" } },
  );
  expect(end?.changed).toContain("b.txt");
  expect(end?.changed).not.toContain("a.txt");
});

test("a check that ran twice verifies by its last run only", async () => {
  const once = "require('node:fs').mkdirSync('once')";
  const script = [
    [write("a.txt")],
    [command("node once.test.js", "green")],
    [command("node ok.test.js", "other")],
    [command("node once.test.js", "red")],
    [{ say: "All green!" }],
  ];
  const { end } = await run(script, { files: { "once.test.js": once, "ok.test.js": "" } });
  expect(end).toMatchObject({
    verified: ["other"],
    because: "the last command failed (Run node once.test.js)",
  });
});

test("only a check verifies a change: no other command, and no check that looked at nothing or changed nothing", async () => {
  const package_ = JSON.stringify({ scripts: { test: "node ok.test.js" } });
  const files = {
    "ok.test.js": "",
    "none.test.js": "console.log('no tests found')",
    "package.json": package_,
  };
  const { end } = await run(
    [
      [command("node ok.test.js", "before")],
      [write("a.txt")],
      [command("seq 1 3", "seq"), command("echo fine", "echo"), command("node none.test.js", "none")],
      [command("node ok.test.js | cat", "piped")],
      [{ say: "Done." }],
    ],
    { files },
  );
  expect(end).toMatchObject({ changed: ["a.txt"], verified: [], check: "npm test" });
  const { end: nothing } = await run([[command("node ok.test.js", "check")], [{ say: "Done." }]], { files });
  expect(nothing).toMatchObject({ changed: [], verified: [] });
  expect(nothing).not.toHaveProperty("check");
});

test("a call without a command, as a tool server's, verifies nothing", async () => {
  const echo = defineTool({
    name: "everything__echo",
    does: "execute",
    summary: "Echoes.",
    input: {},
    title: () => "everything: Echo Tool",
    run: async () => ok("1 test passed"),
  });
  const { end } = await run(
    [[write("a.txt")], [{ call: "everything__echo", with: {} }], [{ say: "Done." }]],
    {
      tools: [...tools, echo],
    },
  );
  expect(end).toMatchObject({ changed: ["a.txt"], verified: [] });
});

test("input typed into a shell verifies nothing; a terminal command that has ended does", async () => {
  const start = { action: "start" };
  const typed = { action: "write", input: "false" };
  const script = [
    [write("a.txt")],
    [{ call: "terminal", with: start, id: "start" }],
    [{ call: "terminal", with: typed, id: "typed" }],
    [
      {
        call: "terminal",
        with: { action: "start", terminal: "other", command: "node ok.test.js" },
        id: "ended",
      },
    ],
    [{ say: "Done." }],
  ];
  const { end, facts } = await run(script, { files: { "ok.test.js": "" } });
  const outcomes = facts().flatMap((fact) => (fact.type === "result" ? [[fact.callId, fact.outcome]] : []));
  expect(outcomes).toContainEqual(["typed", "ok"]);
  expect(outcomes).toContainEqual(["ended", "ok"]);
  expect(end?.verified).toEqual(["ended"]);
});
