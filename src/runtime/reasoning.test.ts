/** How much a session's model thinks is a setting: recorded, sent with each request, and changed at any time. */

import { expect, onTestFinished, test } from "vitest";
import { forkSession } from "../archive/sessions.ts";
import type { Fact } from "../protocol/facts.ts";
import type { Model } from "../providers/provider.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { give, of, parentSession, promptOf, readFileCall } from "../testing/parent.ts";
import { testSession, type TestSessionOptions } from "../testing/session.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";

const says: () => ScriptedAnswer = () => [{ say: "Done." }];
const thoughtless = (name: string): Model => ({ ...scriptedModel(says), name, thinks: false });

async function place(script: Parameters<typeof scriptedModel>[0] = says) {
  const [store, workspace, model] = [
    openMemoryStore(),
    await temporaryWorkspace({ "a.txt": "one\n" }),
    scriptedModel(script),
  ];
  onTestFinished(() => workspace.remove());
  const open = async (options: TestSessionOptions = {}, asked: Model = model) => {
    const opened = await testSession(asked, { store, workspace, ...options });
    onTestFinished(() => opened.close());
    return opened;
  };
  return { store, open, efforts: () => model.prompts.map(({ reasoning }) => reasoning) };
}

test("reasoning set between turns is recorded once with who set it, and sent until it is the model's own again", async () => {
  const { open, efforts } = await place();
  const { session, ask, facts } = await open();
  await ask("One.");
  await session.command({ type: "set-reasoning", reasoning: "high", by: "page" });
  await session.command({ type: "set-reasoning", reasoning: "high" });
  await ask("Two.");
  await session.command({ type: "set-reasoning", reasoning: "default" });
  await ask("Three.");
  expect(efforts()).toEqual([undefined, "high", undefined]);
  expect(of(facts(), "reasoning-set")).toMatchObject([
    { reasoning: "high", by: "page" },
    { reasoning: "default", by: "user" },
  ]);
  expect(of(facts(), "turn-start")).toMatchObject([
    { reasoning: "default" },
    { reasoning: "high" },
    { reasoning: "default" },
  ]);
});

test("reasoning set in the middle of a turn counts from the next answer on", async () => {
  const [begun, set] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { open, efforts } = await place((_, round) => {
    begun.resolve();
    return round === 1 ? [{ wait: set.promise }, readFileCall("a.txt")] : [{ say: "It says one." }];
  });
  const { session, ask, facts } = await open({ reasoning: "low" });
  const asked = ask("What is in it?");
  await begun.promise;
  expect(await session.command({ type: "set-reasoning", reasoning: "high" })).toEqual({ ok: true });
  set.resolve();
  await asked;
  await ask("Really?");
  expect(efforts()).toEqual(["low", "high", "high"]);
  expect(of(facts(), "turn-end")).toHaveLength(2);
});

test("a turn that waits for a person, reopened elsewhere, goes on with the reasoning of its session", async () => {
  const edit = { call: "write_file", with: { path: "b.txt", content: "two\n" } };
  const { open, efforts } = await place((_, round) => (round === 1 ? [edit] : [{ say: "Made." }]));
  const first = await open();
  await first.session.command({ type: "set-reasoning", reasoning: "medium" });
  await first.session.command({ type: "send", content: [{ type: "text", text: "Make it." }] });
  await first.session.idle();
  const { id } = first.session;
  await first.session.close();
  const again = await open({ resume: id, chosen: { settings: "kept" } });
  const [callId = ""] = again.session.state.open;
  await again.session.command({
    type: "answer-approval",
    callId,
    answer: "allow",
    scope: "once",
    by: "test",
  });
  await again.session.idle();
  expect([again.session.reasoning, efforts()]).toEqual(["medium", ["medium", "medium"]]);
});

test("a session reopened with kept settings has its last reasoning; otherwise it has the program's own", async () => {
  const { open, efforts } = await place();
  const first = await open();
  await first.session.command({ type: "set-reasoning", reasoning: "low" });
  await first.ask("One.");
  const { id } = first.session;
  await first.session.close();
  const kept = await open({ resume: id, chosen: { settings: "kept" }, reasoning: "high" });
  await kept.ask("Two.");
  await kept.session.close();
  const own = await open({ resume: id, reasoning: "high" });
  await own.ask("Three.");
  await own.session.close();
  const chosen = await open({ resume: id, chosen: { settings: "kept", reasoning: "off", by: "page" } });
  await chosen.ask("Four.");
  expect(efforts()).toEqual(["low", "low", "high", "off"]);
  expect(of(chosen.facts(), "reasoning-set")).toMatchObject([
    { reasoning: "low" },
    { reasoning: "off", by: "page" },
  ]);
});

test("a log from before there was such a setting leaves it to the program", async () => {
  const { store, open, efforts } = await place();
  const { session } = await open();
  const { id } = session;
  const old: Fact[] = [
    { type: "user-message", content: [{ type: "text", text: "Hello" }] },
    { type: "turn-start", model: "scripted/model", mode: "plan" },
    { type: "turn-end", stopped: "done", changed: [], verified: [], text: "Yes." },
  ];
  await session.log.append(...old);
  await session.close();
  const kept = await open({ resume: id, chosen: { settings: "kept" }, reasoning: "high" });
  expect([kept.session.mode, kept.session.state.reasoning]).toEqual(["plan", undefined]);
  await kept.ask("Go on.");
  expect(efforts()).toEqual(["high"]);
  expect(await store.list()).toHaveLength(1);
});

test("a fork has the reasoning of the place where it was made", async () => {
  const { store, open, efforts } = await place();
  const { session, ask } = await open();
  await session.command({ type: "set-reasoning", reasoning: "low" });
  await ask("One.");
  await session.command({ type: "set-reasoning", reasoning: "high" });
  await ask("Two.");
  for (const before of [1, 2]) {
    const forked = await forkSession(store, session.id, { before });
    if (!forked.ok) throw new Error(forked.problem);
    const copy = await open({ resume: forked.value.id, chosen: { settings: "kept" } });
    await copy.ask("Again.");
  }
  expect(efforts()).toEqual(["low", "high", "low", "high"]);
});

test("a model that is known not to think refuses reasoning in plain words", async () => {
  const { open } = await place();
  const { session, facts } = await open({}, thoughtless("box/plain"));
  expect(await session.command({ type: "set-reasoning", reasoning: "high" })).toEqual({
    ok: false,
    problem:
      "box/plain does not think before it answers, so there is no reasoning to set. Choose a model that does.",
  });
  expect(await session.command({ type: "set-reasoning", reasoning: "off" })).toEqual({ ok: true });
  expect(await session.command({ type: "set-reasoning", reasoning: "default" })).toEqual({ ok: true });
  expect(of(facts(), "reasoning-set")).toHaveLength(2);
});

test("a new session that asks for reasoning of a model that does not think is not made", async () => {
  const { open, store } = await place();
  const openModel = async (name: string) => ({ ok: true as const, value: thoughtless(name) });
  await expect(open({ openModel, chosen: { model: "box/plain", reasoning: "low" } })).rejects.toThrow(
    "no reasoning to set",
  );
  await expect(open({ chosen: { reasoning: "low" } }, thoughtless("box/own"))).rejects.toThrow(
    "no reasoning to set",
  );
  expect(await store.list()).toEqual([]);
});

test("reasoning that a newly chosen model cannot have is reported, and counts again with one that can", async () => {
  const { open } = await place();
  const known = new Map([["box/plain", thoughtless("box/plain")]]);
  const own = scriptedModel(says, { name: "box/own" });
  const openModel = async (name: string) => ({ ok: true as const, value: known.get(name) ?? own });
  const { session, ask, facts } = await open({ openModel, reasoning: "high" });
  await session.command({ type: "set-model", model: "box/plain" });
  expect(facts().at(-1)).toMatchObject({
    type: "warning",
    code: "no-reasoning",
    text: "box/plain does not think before it answers: the reasoning set here (high) counts again with a model that does.",
  });
  await session.command({ type: "set-model", model: "box/own" });
  await ask("Think.");
  expect(own.prompts.map(({ reasoning }) => reasoning)).toEqual(["high"]);
});

test("a session whose model cannot have the program's reasoning says so when it is opened, once", async () => {
  const { open } = await place();
  const first = await open({ reasoning: "low" }, thoughtless("box/plain"));
  const { id } = first.session;
  await first.session.close();
  const again = await open({ resume: id, reasoning: "low" }, thoughtless("box/plain"));
  expect(of(again.facts(), "warning")).toMatchObject([{ code: "no-reasoning" }]);
});

test("a subagent thinks as much as its parent, also when that changes while it works", async () => {
  const [begun, set] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const context = await parentSession(
    {
      Ask: (round) => (round === 1 ? [give({ task: "Look" })] : [{ say: "Told." }]),
      Look: (round) => {
        begun.resolve();
        return round === 1 ? [{ wait: set.promise }, readFileCall("a.txt")] : [{ say: "Found." }];
      },
    },
    { reasoning: "low", files: { "a.txt": "one\n" } },
  );
  const asked = context.ask("Ask it.");
  await begun.promise;
  expect(promptOf(context.model, "Look")?.reasoning).toBe("low");
  await context.session.command({ type: "set-reasoning", reasoning: "high" });
  set.resolve();
  await asked;
  const efforts = context.model.prompts.map(({ reasoning }) => reasoning);
  expect(efforts).toEqual(["low", "low", "high", "high"]);
});

test("a conversation is summed up with the reasoning of its session", async () => {
  const { open, efforts } = await place((_, round) => [{ say: `Answer ${round}. `.repeat(400) }]);
  const { session, ask, facts } = await open({ reasoning: "low" });
  for (const text of ["One.", "Two.", "Three.", "Four."]) await ask(text);
  await session.command({ type: "compact" });
  await session.idle();
  expect(of(facts(), "compaction")).toHaveLength(1);
  expect(efforts()).toEqual(Array.from({ length: 5 }, () => "low"));
});
