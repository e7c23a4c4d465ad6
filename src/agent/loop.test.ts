import { afterEach, expect, test } from "vitest";
import * as z from "zod/mini";
import { hermes } from "../dialects/hermes.ts";
import type { Entry } from "../protocol/facts.ts";
import { conversation, pendingApprovals } from "../protocol/session-state.ts";
import { ModelError } from "../protocol/model-events.ts";
import { scripted, type ScriptedAnswer } from "../providers/scripted.ts";
import { taught } from "../providers/taught-model.ts";
import { MemoryStore } from "../session/memory.ts";
import { testSession, type TestSession, type TestSessionOptions } from "../testing/session.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { tools } from "../tools/index.ts";
import { defineTool, ok } from "../tools/tool.ts";

const open: TestSession[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(script: readonly ScriptedAnswer[], options: TestSessionOptions = {}) {
  const model = scripted(script);
  const opened = await testSession(model, options);
  open.push(opened);
  return { ...opened, model };
}

const types = (facts: readonly Entry[]) => facts.map((fact) => fact.type);
/** The facts in order, with all that belongs to one call in one line: how calls and stream interleave is not fixed. */
function outline(facts: readonly Entry[]): string[] {
  return facts.flatMap((fact) => {
    if ("callId" in fact) return [];
    if (fact.type !== "call") return [fact.type];
    const about = facts
      .filter((other) => "callId" in other && other.callId === fact.call.id)
      .map((other) => other.type);
    return [`${fact.call.name}: ${["call", ...about].join(" ")}`];
  });
}
const resultsOf = (facts: readonly Entry[]) =>
  facts.flatMap((fact) => (fact.type === "result" ? [fact] : []));
const wordsOf = (fact: { content: readonly { type: string }[] } | undefined) => JSON.stringify(fact?.content);
const endOf = (facts: readonly Entry[]) => facts.findLast((fact) => fact.type === "turn-end");
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A tool that stops at a gate, and tells when it was started. */
function gated(name: string, does: "read" | "execute") {
  const started: string[] = [];
  const gates = new Map<string, () => void>();
  const begun = new Map<string, () => void>();
  const tool = defineTool({
    name,
    does,
    summary: "Waits.",
    input: { id: z.string() },
    title: ({ id }) => `${name} ${id}`,
    ...(does === "execute" ? { command: () => "touch x" } : {}),
    run: async ({ id }, room) => {
      started.push(id);
      begun.get(id)?.();
      await new Promise<void>((resolve, reject) => {
        gates.set(id, resolve);
        room.signal.addEventListener("abort", () => reject(room.signal.reason));
      });
      return ok(`${id} done`);
    },
  });
  return {
    tool,
    started,
    open: (id: string) => gates.get(id)?.(),
    begins: (id: string) =>
      started.includes(id) ? Promise.resolve() : new Promise<void>((resolve) => begun.set(id, resolve)),
  };
}

test("a turn goes from the request over a read and an approved edit to its last words", async () => {
  const { ask, facts, workspace, session } = await start(
    [
      [{ say: "I look." }, { call: "read_file", with: { path: "a.txt" } }],
      [{ call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } }],
      [{ say: "Changed one to two." }],
    ],
    { files: { "a.txt": "one\n" } },
  );
  await ask("Change it.");
  expect(await workspace.read("a.txt")).toBe("two\n");
  expect(outline(facts())).toEqual([
    "session-start", "user-message", "turn-start",
    "text", "read_file: call decision call-start result", "answer-end",
    "edit_file: call decision approval-asked approval-answered call-start change-applied result", "answer-end",
    "text", "answer-end", "turn-end",
  ]); // prettier-ignore
  expect(endOf(facts())).toMatchObject({
    stopped: "done",
    changed: ["a.txt"],
    verified: [],
    text: "Changed one to two.",
  });
  expect(conversation(session.state)).toEqual([
    { role: "user", text: "Change it." },
    { role: "assistant", text: "I look.\n\nChanged one to two." },
  ]);
});

test("E3: the second prompt holds the first answer", async () => {
  const { ask, model } = await start([[{ say: "First." }], [{ say: "Second." }]]);
  await ask("one");
  await ask("two");
  expect(model.prompts[1]?.messages.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
});

test("C5: reads of one answer overlap, and an answer's block of reads is done when the slowest is", async () => {
  const slow = gated("wait", "read");
  const ids = ["1", "2", "3", "4", "5", "6"];
  const { ask } = await start([ids.map((id) => ({ call: "wait", with: { id } })), [{ say: "ok" }]], {
    tools: [slow.tool],
  });
  const asked = ask("go");
  await Promise.all(ids.map((id) => slow.begins(id)));
  expect(slow.started).toEqual(ids);
  ids.forEach(slow.open);
  await asked;
});

test("C5: a change or command between reads is a barrier", async () => {
  const read = gated("look", "read");
  const run = gated("act", "execute");
  const calls = [
    { call: "look", with: { id: "before" } },
    { call: "act", with: { id: "between" } },
    { call: "look", with: { id: "after" } },
  ];
  const rules = [{ name: "user", rules: [{ tool: "*", decision: "allow" as const }] }];
  const { ask } = await start([calls, [{ say: "ok" }]], { tools: [read.tool, run.tool], rules });
  const asked = ask("go");
  await read.begins("before");
  await settle();
  expect(run.started).toEqual([]);
  read.open("before");
  await run.begins("between");
  await settle();
  expect(read.started).toEqual(["before"]);
  run.open("between");
  await read.begins("after");
  read.open("after");
  await asked;
});

test("C6: a complete call starts while the answer is still streaming", async () => {
  const slow = gated("wait", "read");
  const more = Promise.withResolvers<void>();
  const { ask, facts } = await start(
    [
      [{ call: "wait", with: { id: "early" } }, { wait: more.promise }, { say: "And more." }],
      [{ say: "ok" }],
    ],
    { tools: [slow.tool] },
  );
  const asked = ask("go");
  await slow.begins("early");
  expect(types(facts())).not.toContain("answer-end");
  slow.open("early");
  more.resolve();
  await asked;
  const all = types(facts());
  expect(all.indexOf("result")).toBeLessThan(all.indexOf("answer-end"));
});

test("a call read from text changes nothing before its answer is over, and reads at once", async () => {
  const more = Promise.withResolvers<void>();
  const model = scripted([
    [
      { call: "read_file", with: { path: "a.txt" } },
      { call: "write_file", with: { path: "b.txt", content: "x" } },
      { wait: more.promise },
      { say: "." },
    ],
    [{ say: "ok" }],
  ]);
  const asText = {
    ...model,
    async *ask(...args: Parameters<typeof model.ask>) {
      for await (const event of model.ask(...args))
        yield event.type === "call-end" ? { ...event, call: { ...event.call, source: "hermes" } } : event;
    },
  };
  const opened = await testSession(asText, { mode: "auto", files: { "a.txt": "a" } });
  open.push(opened);
  const asked = opened.ask("go");
  await opened.session.log.until((entry) => entry.type === "result", new AbortController().signal, 0);
  await settle();
  expect(await opened.workspace.files()).toEqual(["a.txt"]);
  more.resolve();
  await asked;
  expect(await opened.workspace.files()).toEqual(["a.txt", "b.txt"]);
});

test("C8: unknown tools, bad arguments, denials and failures are results, and the turn goes on", async () => {
  const { ask, facts } = await start(
    [
      [
        { call: "no_such_tool", with: {} },
        { call: "read_file", with: { nonsense: 1 } },
        { call: "read_file", with: { path: "missing.txt" } },
        { call: "write_file", with: { path: ".git/config", content: "x" } },
        { call: "run_command", with: { command: "rm -rf x" } },
      ],
      [{ say: "I give up." }],
    ],
    { mode: "auto", interactive: false },
  );
  await ask("go");
  expect(
    resultsOf(facts())
      .map((fact) => fact.outcome)
      .toSorted(),
  ).toEqual(["denied", "denied", "failed", "invalid", "invalid"]);
  expect(endOf(facts())).toMatchObject({ stopped: "done", text: "I give up." });
});

test("D8: nobody is asked about an invalid call, and a denied tool does not report a schema error", async () => {
  const rules = [{ name: "user", rules: [{ tool: "write_file", decision: "deny" as const }] }];
  const { ask, facts } = await start(
    [
      [
        { call: "write_file", with: {} },
        { call: "edit_file", with: {} },
      ],
      [{ say: "ok" }],
    ],
    { rules },
  );
  await ask("go");
  expect(types(facts())).not.toContain("approval-asked");
  expect(resultsOf(facts()).map((fact) => fact.outcome)).toEqual(["denied", "invalid"]);
});

test("a refused change is not made, and the model is told what the person said", async () => {
  const { ask, workspace, facts, model } = await start([
    [{ call: "write_file", with: { path: "a.txt", content: "x" } }],
    [{ say: "Ok." }],
  ]);
  await ask("go", "deny");
  expect(await workspace.files()).toEqual([]);
  expect(resultsOf(facts())[0]?.outcome).toBe("denied");
  expect(JSON.stringify(model.prompts[1]?.messages)).toContain("The user said no.");
});

test("two edits of one file in one answer are asked about one after the other, each with its true diff", async () => {
  const { ask, workspace, facts } = await start(
    [
      [
        { call: "edit_file", with: { path: "a.txt", old: "one", new: "1" } },
        { call: "edit_file", with: { path: "a.txt", old: "two", new: "2" } },
      ],
      [{ say: "ok" }],
    ],
    { files: { "a.txt": "one\ntwo\n" } },
  );
  await ask("go");
  expect(await workspace.read("a.txt")).toBe("1\n2\n");
  const previews = facts().flatMap((fact) => (fact.type === "approval-asked" ? [fact.preview] : []));
  expect(previews).toHaveLength(2);
  expect(previews[1]).toContain(" 1\n-two\n+2");
});

test("a turn that waits for a person holds nothing, and goes on in another process when the answer comes", async () => {
  const store = new MemoryStore();
  const workspace = await temporaryWorkspace({ "a.txt": "one\n" });
  const script: ScriptedAnswer[] = [
    [
      { call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } },
      { call: "read_file", with: { path: "a.txt" } },
    ],
    [{ say: "Done." }],
  ];
  const first = await testSession(scripted(script), { store, workspace });
  await first.session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await first.session.idle();
  const asked = pendingApprovals(first.session.state);
  expect(asked).toHaveLength(1);
  expect(resultsOf(first.facts())).toEqual([]);

  const second = await testSession(scripted(script.slice(1)), { store, workspace, resume: first.session.id });
  expect(second.session.state.status).toBe("running");
  const answer = {
    type: "answer-approval",
    callId: asked[0]?.callId ?? "",
    answer: "allow",
    scope: "once",
    by: "later",
  } as const;
  expect(await second.session.command(answer)).toEqual({ ok: true });
  await second.session.idle();
  expect(await workspace.read("a.txt")).toBe("two\n");
  expect(resultsOf(second.facts()).map((fact) => fact.outcome)).toEqual(["ok", "ok"]);
  expect(endOf(second.facts())).toMatchObject({ stopped: "done", text: "Done." });
  expect(await first.session.command({ type: "interrupt" }).catch((error: Error) => error.name)).toBe(
    "StaleEpoch",
  );
  await workspace.remove();
});

test("a change that was approved is not made when the file became another meanwhile", async () => {
  const store = new MemoryStore();
  const workspace = await temporaryWorkspace({ "a.txt": "one\n" });
  const first = await testSession(
    scripted([[{ call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } }]]),
    { store, workspace },
  );
  await first.session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await first.session.idle();
  const callId = pendingApprovals(first.session.state)[0]?.callId ?? "";
  const { writeFile } = await import("node:fs/promises");
  await writeFile(`${workspace.root}/a.txt`, "one\nand somebody's work\n");
  const second = await testSession(scripted([[{ say: "I see." }]]), {
    store,
    workspace,
    resume: first.session.id,
  });
  await second.session.command({
    type: "answer-approval",
    callId,
    answer: "allow",
    scope: "once",
    by: "test",
  });
  await second.session.idle();
  expect(await workspace.read("a.txt")).toBe("one\nand somebody's work\n");
  expect(wordsOf(resultsOf(second.facts())[0])).toContain("changed after this change was shown");
  await workspace.remove();
});

const write = (path: string): ScriptedAnswer => [{ call: "write_file", with: { path, content: "x" } }];

test("a session-wide yes covers the next change, a turn-wide one ends with its turn", async () => {
  const { session, facts } = await start([
    write("1"),
    write("2"),
    [{ say: "ok" }],
    write("3"),
    [{ say: "ok" }],
  ]);
  const send = async () => {
    await session.command({ type: "send", content: [{ type: "text", text: "go" }] });
    await session.idle();
  };
  await send();
  const [asked] = pendingApprovals(session.state);
  await session.command({
    type: "answer-approval",
    callId: asked?.callId ?? "",
    answer: "allow",
    scope: "turn",
    by: "test",
  });
  await session.idle();
  expect(types(facts()).filter((type) => type === "approval-asked")).toHaveLength(1);
  expect(types(facts()).at(-1)).toBe("turn-end");
  await send();
  expect(pendingApprovals(session.state)).toHaveLength(1);
});

test("A29: interrupting stops the stream and the running tool at once, and every call has a result", async () => {
  const slow = gated("wait", "read");
  const never = new Promise<void>(() => undefined);
  const { session, facts } = await start(
    [
      [
        { say: "Half a " },
        { call: "wait", with: { id: "1" } },
        { call: "write_file", with: { path: "b", content: "" } },
        { wait: never },
      ],
    ],
    { tools: [slow.tool, ...tools] },
  );
  await session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await slow.begins("1");
  await session.log.until((entry) => entry.type === "approval-asked", new AbortController().signal, 0);
  expect(await session.command({ type: "interrupt" })).toEqual({ ok: true });
  expect(session.state.open.size).toBe(0);
  expect(resultsOf(facts()).map((fact) => fact.outcome)).toEqual(["cancelled", "cancelled"]);
  expect(endOf(facts())).toMatchObject({ stopped: "interrupted" });
  expect(facts().find((fact) => fact.type === "answer-end")).toMatchObject({ reason: "interrupted" });
});

test("an interrupted session takes the next request", async () => {
  const never = new Promise<void>(() => undefined);
  const { session, ask, facts } = await start([[{ say: "Half" }, { wait: never }], [{ say: "Whole." }]]);
  const sent = session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await sent;
  await settle();
  await session.command({ type: "interrupt" });
  await ask("again");
  expect(endOf(facts())).toMatchObject({ stopped: "done", text: "Whole." });
});

test("an answer that breaks off is asked for again, and what had started keeps its result", async () => {
  const broken = new ModelError("network", "The connection was lost.", { midStream: true });
  const { ask, facts, model } = await start(
    [
      [{ say: "I read." }, { call: "read_file", with: { path: "a.txt" } }, { fail: broken }],
      [{ say: "Done." }],
    ],
    { files: { "a.txt": "a" } },
  );
  await ask("go");
  expect(
    facts()
      .filter((fact) => fact.type === "answer-end")
      .map((fact) => fact.reason),
  ).toEqual(["failed", "stop"]);
  expect(model.prompts).toHaveLength(2);
  expect(endOf(facts())).toMatchObject({ stopped: "done" });
});

test("an answer that keeps breaking off ends the turn with its reason, after three more tries", async () => {
  const broken: ScriptedAnswer = [
    { say: "x" },
    { fail: new ModelError("network", "The connection was lost.", { midStream: true }) },
  ];
  const { ask, facts, model } = await start([broken, broken, broken, broken, broken]);
  await ask("go");
  expect(model.prompts).toHaveLength(4);
  expect(endOf(facts())).toMatchObject({ stopped: "failed", because: "The connection was lost." });
});

test("E5, E6: a refused key fails the turn with one clear line, told before the end and kept", async () => {
  const { ask, facts, session } = await start([
    [{ fail: new ModelError("auth", "The provider refused the key (401). Check the key.") }],
  ]);
  await ask("go");
  expect(types(facts()).slice(-3)).toEqual(["answer-end", "text", "turn-end"]);
  expect(conversation(session.state).at(-1)?.text).toContain("refused the key");
});

test("E5: a mute model ends with words of ours that claim nothing", async () => {
  const { ask, facts } = await start([[{ call: "run_command", with: { command: "exit 3" } }], []]);
  await ask("go");
  const text = facts().findLast((fact) => fact.type === "text");
  expect(text).toMatchObject({ by: "toolwright" });
  expect(JSON.stringify(text)).toContain("did not succeed");
});

test("A11: the limit of rounds ends the turn and says so", async () => {
  const again: ScriptedAnswer = [{ call: "list_files", with: {} }];
  const { ask, facts } = await start([again, again, again, again, again, again], { maxRounds: 5 });
  await ask("go");
  expect(endOf(facts())).toMatchObject({ stopped: "limit", because: "the limit of 5 rounds was reached" });
});

test("D8: a model whose calls stay invalid after five corrections ends the turn as failed", async () => {
  const invalid: ScriptedAnswer = [
    { call: "read_file", with: { nothing: 1 } },
    { call: "no_such_tool", with: {} },
  ];
  const { facts, ask, model } = await start(Array.from({ length: 9 }, () => invalid));
  await ask("go");
  expect(model.prompts).toHaveLength(6);
  expect(endOf(facts())).toMatchObject({
    stopped: "failed",
    because: expect.stringMatching(/^the model's calls could not be used 6 times in a row\. Try again/),
  });
});

test("D8: calls that cannot even be read count half: the model may be taught to write them in another way", async () => {
  const unreadable = taught(
    scripted(() => [{ say: '<tool_call>\n{"name": "read_file", "arguments": {"path": }}\n</tool_call>' }]),
    hermes,
  );
  const opened = await testSession(unreadable);
  open.push(opened);
  await opened.ask("go");
  expect(opened.facts().filter(({ type }) => type === "answer-end")).toHaveLength(12);
  expect(endOf(opened.facts())).toMatchObject({ because: expect.stringContaining("could not be used") });
});

test("D8: calls that are cut off every time count whole: no other way of writing makes them shorter", async () => {
  const cut = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt", "content": "on';
  const opened = await testSession(
    taught(
      scripted(() => [{ say: cut }, { end: "length" }]),
      hermes,
    ),
  );
  open.push(opened);
  await opened.ask("go");
  expect(opened.facts().filter(({ type }) => type === "answer-end")).toHaveLength(6);
  expect(endOf(opened.facts())).toMatchObject({ because: expect.stringContaining("ask for less at a time") });
});

test("D8: one call that can be used between invalid ones starts the count anew", async () => {
  const invalid: ScriptedAnswer = [{ call: "read_file", with: {} }];
  const mixed: ScriptedAnswer = [
    { call: "read_file", with: {} },
    { call: "list_files", with: {} },
  ];
  const { facts, ask } = await start([
    ...Array.from({ length: 12 }, (_, at) => (at % 5 === 4 ? mixed : invalid)),
    [{ say: "done" }],
  ]);
  await ask("go");
  expect(endOf(facts())).toMatchObject({ stopped: "done", text: "done" });
});

test("an answer cut off at its length is told as such", async () => {
  const { ask, facts } = await start([[{ say: "And then" }, { end: "length" }]]);
  await ask("go");
  expect(endOf(facts())).toMatchObject({ stopped: "limit", text: "And then" });
});

test("what was verified is a command that succeeded after the last change", async () => {
  const { ask, facts } = await start([
    [{ call: "run_command", with: { command: "true" } }],
    [{ call: "write_file", with: { path: "a", content: "x" } }],
    [{ call: "run_command", with: { command: "test -f a" }, id: "check" }],
    [{ say: "ok" }],
  ]);
  await ask("go");
  expect(endOf(facts())).toMatchObject({ changed: ["a"], verified: ["check"] });
});

test("D10: ids that a provider repeats become unique in the session", async () => {
  const { ask, facts } = await start([
    [{ call: "list_files", with: {}, id: "call_0" }],
    [{ call: "list_files", with: {}, id: "call_0" }],
    [{ say: "ok" }],
  ]);
  await ask("go");
  const ids = facts().flatMap((fact) => (fact.type === "call" ? [fact.call.id] : []));
  expect(new Set(ids).size).toBe(2);
  expect(resultsOf(facts()).map((fact) => fact.callId)).toEqual(ids);
});

test("/undo takes a turn's changes back, and refuses when later work would be lost", async () => {
  const { ask, session, workspace } = await start(
    [
      [
        { call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } },
        { call: "write_file", with: { path: "n/b.txt", content: "b" } },
      ],
      [{ say: "ok" }],
    ],
    { files: { "a.txt": "one\n" } },
  );
  await ask("go");
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await workspace.files()).toEqual(["a.txt"]);
  expect(await workspace.read("a.txt")).toBe("one\n");
  expect(await session.command({ type: "undo" })).toMatchObject({ ok: false });
});

test("an answer to no question is refused in words", async () => {
  const gate = Promise.withResolvers<void>();
  const { session } = await start([[{ wait: gate.promise }, { say: "ok" }]]);
  await session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  const answer = {
    type: "answer-approval",
    callId: "none",
    answer: "allow",
    scope: "once",
    by: "test",
  } as const;
  expect(await session.command(answer)).toEqual({
    ok: false,
    problem: "That question is not open any more.",
  });
  gate.resolve();
  await session.idle();
});

test("what a provider notices while it answers is told as a warning, once", async () => {
  const script = scripted([[{ say: "a" }], [{ say: "b" }]]);
  let notice: string | undefined;
  const model = {
    name: script.name,
    get notice() {
      return notice;
    },
    async *ask(...asked: Parameters<typeof script.ask>) {
      yield* script.ask(...asked);
      notice = "The server read only half of the prompt.";
    },
  };
  const opened = await testSession(model);
  open.push(opened);
  await opened.ask("one");
  await opened.ask("two");
  const warnings = opened.facts().filter((fact) => fact.type === "warning");
  expect(warnings.map((fact) => fact.text)).toEqual(["The server read only half of the prompt."]);
});
