import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, Fact, Signal } from "../protocol/facts.ts";
import { editorStage, messageChecker, newSession, prompt } from "../testing/editor.ts";
import { events } from "../view/testing/events.ts";
import { SessionUpdates } from "./session-updates.ts";

const none = { notices: false, compactions: false, terminals: false };
const updatesFor = (shows: Partial<typeof none> = {}) =>
  new SessionUpdates({ workspace: "/project", shows: { ...none, ...shows }, isOwn: () => false });

const delta = (block: number, offset: number, text: string): Signal => ({
  type: "text-delta",
  block,
  offset,
  text,
});
const fact = (seq: number, rest: Fact): Entry => ({ v: 1, seq, at: 0, turn: 1, ...rest });

test("a text is told once, however its pieces are repeated, lost or late", () => {
  const updates = updatesFor();
  const told = [
    ...updates.signal(delta(1, 0, "Hel")),
    ...updates.signal(delta(1, 0, "Hello")), // again from its start
    ...updates.signal(delta(1, 9, "lost")), // what is between them has not come
    ...updates.fact(fact(1, { type: "text", block: 1, text: "Hello world", by: "model" })),
    ...updates.signal(delta(2, 0, "Next")),
    ...updates.fact(fact(2, { type: "text", block: 2, text: "Next", by: "model" })),
  ];
  expect(told).toMatchObject([
    { content: { text: "Hel" }, messageId: "block-1" },
    { content: { text: "lo" }, messageId: "block-1" },
    { content: { text: " world" }, messageId: "block-1" },
    { content: { text: "Next" }, messageId: "block-2" },
  ]);
});

test("of an output that grows its end is told, and how much was before", () => {
  const updates = updatesFor();
  const call = { id: "c", name: "run_command", input: { command: "make" }, source: "native" };
  updates.fact(fact(1, { type: "call", call }));
  for (let at = 0; at < 20; at += 1)
    updates.signal({
      type: "output-delta",
      callId: "c",
      offset: at * 10_000,
      text: `${at}`.padEnd(10_000, "."),
    });
  const [update, more] = updates.printed();
  const text = JSON.stringify(update);
  expect(text).toContain("… 134464 characters before");
  expect(text.length).toBeLessThan(70_000);
  expect(more).toBeUndefined();
  expect(updates.printed()).toEqual([]);
});

test("a call that the model never finished writing ends with its turn", () => {
  const updates = updatesFor();
  const written: Signal = { type: "call-delta", callId: "c", name: "edit_file", characters: 9 };
  expect([...updates.signal(written), ...updates.signal(written)]).toHaveLength(1);
  const end: Fact = { type: "turn-end", stopped: "interrupted", text: "", changed: [], verified: [] };
  expect(updates.fact(fact(1, end))).toEqual([
    { sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" },
  ]);
});

test("a warning is a notice where the client shows notices, and a line of the answer elsewhere", () => {
  const warning = fact(1, { type: "warning", code: "x", text: "Mind the gap." });
  expect(updatesFor({ notices: true, compactions: false }).fact(warning)).toEqual([
    { sessionUpdate: "notice", severity: "warning", title: "Mind the gap." },
  ]);
  expect(updatesFor().fact(warning)).toMatchObject([
    { sessionUpdate: "agent_message_chunk", content: { text: expect.stringContaining("> Mind the gap.") } },
  ]);
});

test("a shortened conversation is told in the protocol's own words where the client has them", () => {
  const updates = updatesFor({ notices: false, compactions: true });
  const compaction = {
    type: "compaction" as const,
    summary: "They counted.",
    keep: 1,
    because: "person" as const,
    tokensBefore: 900,
    tokensAfter: 90,
    model: "m",
  };
  const told = [
    ...updates.signal({ type: "compacting", state: "begun", because: "person", tokens: 900 }),
    ...updates.fact(fact(1, compaction)),
    ...updates.signal({ type: "compacting", state: "begun", because: "person", tokens: 90 }),
    ...updates.signal({ type: "compacting", state: "given-up", because: "person", tokens: 90 }),
  ];
  expect(told).toMatchObject([
    { compactionId: "compaction-1", status: "in_progress" },
    { compactionId: "compaction-1", status: "completed", summary: [{ text: "They counted." }] },
    { compactionId: "compaction-2", status: "in_progress" },
    { compactionId: "compaction-2", status: "failed" },
  ]);
});

test("to-dos are a plan, and what a command prints is shown while it runs", async () => {
  const items = [{ text: "Look", state: "doing" }];
  const stage = await editorStage([
    [{ call: "todos", with: { items } }],
    [{ call: "run_command", with: { command: "echo begun; sleep 0.3; echo done" } }],
    [{ say: "Fine." }],
  ]);
  const editor = await stage.connect({ permit: () => "once" });
  await prompt(editor, await newSession(editor, stage), "go");
  expect(editor.updates).toContainEqual({
    sessionUpdate: "plan",
    entries: [{ content: "Look", priority: "medium", status: "in_progress" }],
  });
  const shown = editor.updates.filter((update) => update.sessionUpdate === "tool_call_update");
  expect(
    JSON.stringify(
      shown.find((update) => JSON.stringify(update).includes("begun") && update.status === undefined),
    ),
  ).not.toContain("done\\n");
  expect(JSON.stringify(shown.at(-1))).toContain("done");
});

test("whatever happens in whatever order, each update follows the protocol's schema", () => {
  const check = messageChecker();
  fc.assert(
    fc.property(events, fc.boolean(), fc.boolean(), (all, notices, compactions) => {
      const updates = updatesFor({ notices, compactions });
      for (const event of all)
        for (const update of "seq" in event ? updates.fact(event) : updates.signal(event))
          check({ method: "session/update", params: { sessionId: "s", update } }, "agent");
    }),
  );
});
