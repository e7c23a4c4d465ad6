/** Tests messages sent during a turn: delivered at its next safe point, or after it; never lost or delivered twice. */

import { expect, test } from "vitest";
import type { Delivery, Entry } from "../protocol/facts.ts";
import type { ContentPart } from "../protocol/messages.ts";
import { ModelError } from "../protocol/model-events.ts";
import { conversation, pendingApprovals } from "../protocol/session-state.ts";
import type { Prompt } from "../providers/provider.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { sessionForTest } from "../testing/scripted-session.ts";
import type { TestSessionOptions } from "../testing/session.ts";

const words = (text: string): ContentPart[] => [{ type: "text", text }];
const send = (text: string, when?: Delivery) => ({
  type: "send" as const,
  content: words(text),
  ...(when === undefined ? {} : { when }),
});

const done = { ok: true };
const look: ScriptedAnswer[number] = { call: "list_files", with: { path: "." } };

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, open: () => resolve() };
}

async function start(script: readonly ScriptedAnswer[], options: TestSessionOptions = {}) {
  const first = gate();
  const model = scriptedModel((_, round) => {
    first.open();
    return script[round - 1] ?? [];
  });
  const opened = await sessionForTest(model, options);
  const { log } = opened.session;
  const until = (type: Entry["type"]) =>
    log.until((entry) => entry.type === type, new AbortController().signal);
  return { ...opened, model, until, speaking: first.wait };
}

/** People's messages as the model sees them. */
const told = ({ messages }: Prompt): string[] =>
  messages.flatMap(({ role, content }) =>
    role === "user" ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
  );

const requests = (facts: readonly Entry[]): string[] =>
  facts.flatMap((fact) =>
    fact.type === "user-message" || fact.type === "steer"
      ? [
          `${fact.type}: ${fact.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" | ")}`,
        ]
      : [],
  );

test("a message sent while the model streams is delivered with the results of its calls", async () => {
  const { wait, open } = gate();
  const { session, speaking, model, facts } = await start([
    [{ say: "I look." }, { wait }, look],
    [{ say: "As you like." }],
  ]);
  await session.command(send("Go"));
  await speaking;
  expect(await session.command(send("Only the tests"))).toEqual(done);
  open();
  await session.idle();
  expect(model.prompts.map(told)).toEqual([["Go"], ["Go", "Only the tests"]]);
  expect(model.prompts[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  expect(requests(facts())).toEqual(["user-message: Go", "steer: Only the tests"]);
  expect(session.state.queue).toEqual([]);
  expect(conversation(session.state)).toEqual([
    { role: "user", text: "Go\n\nOnly the tests" },
    { role: "assistant", text: "I look.\n\nAs you like." },
  ]);
});

test("A12: changes requested by a message during the turn count as requested", async () => {
  const { wait, open } = gate();
  const { session, speaking, facts } = await start(
    [[{ say: "It is a parser." }, { wait }], [{ say: "Fixed." }]],
    { completion: "writes" },
  );
  await session.command(send("What is this?"));
  await speaking;
  await session.command(send("Fix the bug in a.txt."));
  open();
  await session.idle();
  const nudges = facts().flatMap((fact) => (fact.type === "nudge" ? [fact.code] : []));
  expect(nudges).toEqual(["nothing-written", "nothing-written"]);
});

test("messages sent during the last words are answered before the turn ends", async () => {
  const { wait, open } = gate();
  const { session, speaking, model, facts } = await start([
    [{ say: "Done." }, { wait }],
    [{ say: "That too." }],
  ]);
  await session.command(send("Go"));
  await speaking;
  await session.command(send("And the docs"));
  await session.command(send("and the tests"));
  open();
  await session.idle();
  expect(model.prompts.map(told)).toEqual([["Go"], ["Go", "And the docs", "and the tests"]]);
  expect(facts().filter(({ type }) => type === "turn-end")).toHaveLength(1);
});

test("messages queued for afterwards open turns of their own, in the order in which they came", async () => {
  const { wait, open } = gate();
  const { session, speaking, model, facts } = await start([
    [{ say: "Done." }, { wait }],
    [{ say: "Second." }],
    [{ say: "Third." }],
  ]);
  await session.command(send("Go"));
  await speaking;
  await session.command(send("second", "next"));
  await session.command(send("third", "next"));
  open();
  await session.idle();
  expect(requests(facts())).toEqual(["user-message: Go", "user-message: second", "user-message: third"]);
  expect(session.state.turns.map(({ stopped }) => stopped)).toEqual(["done", "done", "done"]);
  expect(model.prompts.map(told).at(-1)).toEqual(["Go", "second", "third"]);
});

test("a withdrawn message is not delivered; a delivered one cannot be withdrawn", async () => {
  const { wait, open } = gate();
  const { session, speaking, facts } = await start([[{ say: "Done." }, { wait }], [{ say: "Fine." }]]);
  await session.command(send("Go"));
  await speaking;
  await session.command(send("no, wait"));
  await session.command(send("this"));
  const [first, second] = session.state.queue;
  expect(await session.command({ type: "withdraw", id: first?.id ?? "" })).toEqual(done);
  open();
  await session.idle();
  expect(requests(facts())).toEqual(["user-message: Go", "steer: this"]);
  expect(await session.command({ type: "withdraw", id: second?.id ?? "" })).toMatchObject({
    ok: false,
    problem: "That message is no longer queued: the model already has it.",
  });
});

test("a broken answer is requested again together with a message sent meanwhile", async () => {
  const { wait, open } = gate();
  const broken = new ModelError("network", "The line broke.");
  const { session, speaking, model } = await start([
    [{ say: "Half" }, { wait }, { fail: broken }],
    [{ say: "Whole." }],
  ]);
  await session.command(send("Go"));
  await speaking;
  await session.command(send("shorter"));
  open();
  await session.idle();
  expect(model.prompts.map(told)).toEqual([["Go"], ["Go", "shorter"]]);
  expect(session.state.turns.at(-1)).toMatchObject({ stopped: "done", text: "Whole." });
});

test("a failed turn is retried once with a message sent meanwhile", async () => {
  const { wait, open } = gate();
  const refused = new ModelError("bad-request", "Too large.");
  const { session, speaking, model } = await start([
    [{ say: "I" }, { wait }, { fail: refused }],
    [{ say: "Now it fits." }],
  ]);
  await session.command(send("Go"));
  await speaking;
  await session.command(send("without the picture"));
  open();
  await session.idle();
  expect(model.prompts).toHaveLength(2);
  expect(session.state.turns.at(-1)?.stopped).toBe("done");
});

test("a message sent while an approval is open waits for its answer", async () => {
  const { session, model, until } = await start([
    [{ call: "write_file", with: { path: "a", content: "x" } }],
    [{ say: "Ok." }],
  ]);
  const asked = until("approval-asked");
  await session.command(send("Go"));
  await asked;
  await session.idle();
  await session.command(send("and b"));
  expect(model.prompts).toHaveLength(1);
  const [open] = pendingApprovals(session.state);
  await session.command({
    type: "answer-approval",
    callId: open?.callId ?? "",
    answer: "allow",
    scope: "once",
    by: "test",
  });
  await session.idle();
  expect(told(model.prompts[1] ?? { system: "", messages: [], tools: [] })).toEqual(["Go", "and b"]);
});

test("A29: queued messages survive an interruption and are sent along with the next message", async () => {
  const never = gate();
  const { session, speaking, facts } = await start([
    [{ say: "Slow." }, { wait: never.wait }],
    [{ say: "Both." }],
  ]);
  await session.command(send("Go"));
  await speaking;
  await session.command(send("first"));
  await session.command(send("second", "next"));
  await session.command({ type: "interrupt" });
  await session.idle();
  expect(session.state.queue.map(({ content }) => content)).toEqual([words("first"), words("second")]);
  await session.command(send("third"));
  await session.idle();
  expect(requests(facts())).toEqual([
    "user-message: Go",
    "user-message: first",
    "steer: second",
    "steer: third",
  ]);
  expect(session.state.queue).toEqual([]);
});

test("A29: after an interruption a queued message can be sent by itself", async () => {
  const never = gate();
  const { session, speaking, facts } = await start([
    [{ say: "Slow." }, { wait: never.wait }],
    [{ say: "Now." }],
  ]);
  await session.command(send("Go"));
  await speaking;
  await session.command(send("first"));
  await session.command({ type: "interrupt" });
  expect(await session.command({ type: "go-on" })).toEqual(done);
  await session.idle();
  expect(requests(facts())).toEqual(["user-message: Go", "user-message: first"]);
});

test("a turn that is at its limit leaves queued messages to the next one", async () => {
  const { wait, open } = gate();
  const { session, speaking, facts } = await start(
    [[{ say: "I look." }, { wait }, look], [{ say: "Told." }]],
    {
      maxRounds: 1,
    },
  );
  await session.command(send("Go"));
  await speaking;
  await session.command(send("and this"));
  open();
  await session.idle();
  if (session.state.limitAsked) await session.command({ type: "answer-limit", answer: "stop", by: "test" });
  await session.idle();
  expect(requests(facts())).toEqual(["user-message: Go", "user-message: and this"]);
  expect(session.state.turns.map(({ stopped }) => stopped)).toEqual(["limit", "done"]);
});

test("a turn that is done when its limit is reached ends as done, and a queued message opens the next one", async () => {
  const { wait, open } = gate();
  const { session, speaking, facts } = await start(
    [[{ say: "All is well." }, { wait }], [{ say: "Told." }]],
    {
      maxRounds: 1,
    },
  );
  await session.command(send("Go"));
  await speaking;
  await session.command(send("and this"));
  open();
  await session.idle();
  expect(facts().map(({ type }) => type)).not.toContain("limit-asked");
  expect(requests(facts())).toEqual(["user-message: Go", "user-message: and this"]);
  expect(session.state.turns.map(({ stopped }) => stopped)).toEqual(["done", "done"]);
});

test("A29: a compaction after an interruption does not send queued messages", async () => {
  const { wait } = gate();
  const { session, speaking, facts } = await start([[{ say: "I look." }, { wait }]]);
  await session.command(send("Go"));
  await speaking;
  await session.command(send("first"));
  await session.command({ type: "interrupt" });
  expect(await session.command({ type: "compact" })).toEqual(done);
  await session.idle();
  expect(requests(facts())).toEqual(["user-message: Go"]);
  expect(session.state.queue).toHaveLength(1);
});
