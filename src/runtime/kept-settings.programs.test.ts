/** A session's settings are facts, so that whoever reopens it can continue with them. */

import { expect, onTestFinished, test } from "vitest";
import { forkSession } from "../archive/sessions.ts";
import type { Expected } from "../base/expected.ts";
import type { Entry } from "../protocol/facts.ts";
import { step } from "../protocol/fold.ts";
import { emptyState, settingsTold } from "../protocol/session-state.ts";
import type { Model } from "../providers/provider.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { testSession, type TestSessionOptions } from "../testing/session.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { timelineOf } from "../view/timeline.ts";
import { emptyTranscript, showEntry } from "../view/transcript.ts";
import type { ChosenSettings } from "./kept-settings.ts";

const says = (name: string) => ({ ...scriptedModel(() => [{ say: `I am ${name}.` }]), name });
const known = new Map<string, Model>(["box/a", "box/b"].map((name) => [name, says(name)]));
const openModel = async (name: string): Promise<Expected<Model>> => {
  const model = known.get(name);
  return model ? { ok: true, value: model } : { ok: false, problem: `${name} does not answer.` };
};

/** Sessions on one store; each may be opened again. */
async function place() {
  const store = openMemoryStore();
  const workspace = await temporaryWorkspace({});
  onTestFinished(() => workspace.remove());
  const open = async (chosen: ChosenSettings & { resume?: string } = {}, more: TestSessionOptions = {}) => {
    const { resume, ...rest } = chosen;
    const which = resume === undefined ? {} : { resume };
    const opened = await testSession(says("box/own"), {
      store,
      workspace,
      openModel,
      chosen: rest,
      ...which,
      ...more,
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  return { store, open };
}

const told = (facts: readonly Entry[]) =>
  facts.flatMap((fact) =>
    fact.type === "mode-set" ? [fact.mode] : fact.type === "model-set" ? [fact.model] : [],
  );

test("a mode or model set between turns is recorded once, with who set it", async () => {
  const { session, facts } = await (await place()).open();
  const command = session.command.bind(session);
  expect(await command({ type: "set-mode", mode: "ask" })).toEqual({ ok: true });
  await command({ type: "set-model", model: "box/a", by: "page" });
  await command({ type: "set-mode", mode: "plan", by: "page" });
  await command({ type: "set-mode", mode: "plan" });
  await command({ type: "set-model", model: "box/a" });
  expect(facts().slice(1)).toMatchObject([
    { type: "model-set", model: "box/a", by: "page", seq: 2, turn: 0 },
    { type: "mode-set", mode: "plan", by: "page", seq: 3, turn: 0 },
  ]);
  await command({ type: "set-mode", mode: "ask" });
  expect(facts().at(-1)).toMatchObject({ type: "mode-set", mode: "ask", by: "user" });
  expect(await command({ type: "set-model", model: "nowhere/x" })).toMatchObject({ ok: false });
  expect(facts()).toHaveLength(4);
});

test("a session reopened with kept settings has its last mode and model; otherwise it has the program's own", async () => {
  const { open } = await place();
  const first = await open();
  await first.session.command({ type: "set-mode", mode: "plan" });
  await first.session.command({ type: "set-model", model: "box/a" });
  const { id } = first.session;
  await first.session.close();
  const kept = await open({ resume: id, settings: "kept" });
  expect([kept.session.mode, kept.session.model.name]).toEqual(["plan", "box/a"]);
  await kept.ask("Who?");
  expect(kept.facts().find(({ type }) => type === "turn-start")).toMatchObject({
    model: "box/a",
    mode: "plan",
  });
  await kept.session.close();
  const again = await open({ resume: id, settings: "kept" });
  expect([again.session.mode, again.session.model.name]).toEqual(["plan", "box/a"]);
  expect(told(again.facts())).toEqual(["plan", "box/a"]);
  await again.session.close();
  const own = await open({ resume: id });
  expect([own.session.mode, own.session.model.name]).toEqual(["ask", "box/own"]);
  await own.ask("And now?");
  await own.session.close();
  const last = await open({ resume: id, settings: "kept" }); // the last used settings apply
  expect([last.session.mode, last.session.model.name]).toEqual(["ask", "box/own"]);
});

test("a session whose log records no settings uses the program's", async () => {
  const { open } = await place();
  const first = await open();
  await first.session.close();
  const kept = await open({ resume: first.session.id, settings: "kept" }, { mode: "staged" });
  expect([kept.session.mode, kept.session.model.name]).toEqual(["staged", "box/own"]);
  expect(kept.facts()).toHaveLength(1);
});

test("a new session can start with its own mode and model, which its log records", async () => {
  const { open, store } = await place();
  const opened = await open({ mode: "ask", model: "box/b", by: "page" });
  expect(opened.facts().slice(1)).toMatchObject([
    { type: "mode-set", mode: "ask", by: "page", turn: 0 },
    { type: "model-set", model: "box/b", by: "page", turn: 0 },
  ]);
  const { id } = opened.session;
  await opened.session.close();
  const kept = await open({ resume: id, settings: "kept" }, { mode: "auto" });
  expect([kept.session.mode, kept.session.model.name]).toEqual(["ask", "box/b"]);
  await kept.session.close();
  const changed = await open({ resume: id, settings: "kept", mode: "auto" });
  expect([changed.session.mode, told(changed.facts())]).toEqual(["auto", ["ask", "box/b", "auto"]]);
  await expect(open({ model: "nowhere/x" })).rejects.toThrow("nowhere/x does not answer.");
  expect(await store.list()).toHaveLength(1);
});

test("a model that can no longer be opened is reported once, and is used again when it can be opened", async () => {
  const { open } = await place();
  const first = await open({ model: "box/b" });
  const { id } = first.session;
  await first.session.close();
  const gone = { openModel: async () => ({ ok: false as const, problem: "box does not answer." }) };
  for (const _ of [1, 2]) {
    const fallen = await open({ resume: id, settings: "kept" }, gone);
    expect(fallen.session.model.name).toBe("box/own");
    expect(fallen.facts().filter(({ type }) => type === "warning")).toMatchObject([
      {
        code: "model-gone",
        text: "The model of this session, box/b, cannot be opened: box does not answer. Until it can, requests go to box/own; choose another model if that is not wanted.",
      },
    ]);
    await fallen.session.close();
  }
  expect((await open({ resume: id, settings: "kept" })).session.model.name).toBe("box/b");
});

test("settings made before the first request are shown in one line, copied by a fork, and are no turn", async () => {
  const { open, store } = await place();
  const opened = await open({ mode: "plan", model: "box/a", reasoning: "low" });
  await opened.ask("Hello");
  await opened.session.command({ type: "set-mode", mode: "auto" });
  await opened.ask("Again");
  const facts = opened.facts();
  const transcript = emptyTranscript();
  for (const fact of facts) showEntry(transcript, fact);
  expect(transcript.blocks.flatMap((block) => (block.type === "event" ? [block.text] : []))).toEqual([
    "The mode is plan from here on.",
    "The model is box/a from the next request on.",
    "The reasoning is low from the next answer on.",
    "The mode is auto from here on.",
  ]);
  const notes = (await timelineOf(facts)).flatMap((item) => (item.type === "note" ? [item.text] : []));
  expect(notes.filter((note) => /^The [mr]/u.test(note))).toEqual([
    "The mode is plan from here on (user).",
    "The model is box/a from the next request on (user).",
    "The reasoning is low from the next answer on (user).",
    "The model was told: Plan mode is on: read and search, but change nothing and run nothing. When you know enough, propose a plan of concrete steps, with the tool for that where there is one.",
    "The mode is auto from here on (user).",
    expect.stringContaining("The model was told: The mode plan is off"),
  ]);
  for (const [before, mode] of [
    [1, "plan"],
    [2, "auto"],
  ] as const) {
    const forked = await forkSession(store, opened.session.id, { before });
    if (!forked.ok) throw new Error(forked.problem);
    const state = (await store.read(forked.value.id, 0)).reduce(step, emptyState());
    expect([state.turn, settingsTold(state)]).toEqual([
      before - 1,
      { mode, model: "box/a", reasoning: "low" },
    ]);
    const copy = await open({ resume: forked.value.id, settings: "kept" });
    expect([copy.session.mode, copy.session.model.name]).toEqual([mode, "box/a"]);
  }
});

test("a mode set during a turn remains the session's after reopening", async () => {
  const { open } = await place();
  const gate = Promise.withResolvers<void>();
  const slow = { ...scriptedModel([[{ wait: gate.promise }, { say: "Done." }]]), name: "box/a" };
  const opened = await open({}, { openModel: async () => ({ ok: true, value: slow }) });
  await opened.session.command({ type: "set-model", model: "box/a" });
  const asked = opened.ask("Go.");
  await opened.session.log.until(({ type }) => type === "turn-start", AbortSignal.timeout(60_000), 0);
  await opened.session.command({ type: "set-mode", mode: "accept-edits" });
  gate.resolve();
  await asked;
  await opened.session.close();
  const kept = await open({ resume: opened.session.id, settings: "kept" });
  expect([kept.session.mode, kept.session.model.name]).toEqual(["accept-edits", "box/a"]);
});

const inContainer = { mayTrust: () => ({ ok: true as const, value: "this is a container" }) };
const elsewhere = { mayTrust: () => ({ ok: false as const, problem: "Not on this machine." }) };
const saysTrusted = (facts: readonly Entry[]) =>
  facts.filter((fact) => fact.type === "warning" && fact.text.includes("this is a container"));

test("a session in the mode trusted says so in its log, once, and so does one that changes to it", async () => {
  const { open } = await place();
  const first = await open({}, { ...inContainer, mode: "trusted" });
  expect(saysTrusted(first.facts())).toHaveLength(1);
  const { id } = first.session;
  await first.session.close();
  expect(saysTrusted((await open({ resume: id, mode: "trusted" }, inContainer)).facts())).toHaveLength(1);
  const other = await open({}, inContainer);
  await other.session.command({ type: "set-mode", mode: "trusted", by: "page" });
  expect(other.facts().at(-2)).toMatchObject({ type: "mode-set", mode: "trusted", by: "page" });
  expect(saysTrusted(other.facts())).toHaveLength(1);
});

test("where the mode trusted may not be used, nobody can choose it", async () => {
  const { open, store } = await place();
  await expect(open({ mode: "trusted" }, elsewhere)).rejects.toThrow("Not on this machine.");
  expect(await store.list()).toEqual([]);
  const { session, facts } = await open({}, elsewhere);
  expect(await session.command({ type: "set-mode", mode: "trusted" })).toEqual({
    ok: false,
    problem: "Not on this machine.",
  });
  expect([session.mode, facts().length]).toEqual(["ask", 1]);
});

test("a session that was in the mode trusted goes on in the mode ask where it may not be used", async () => {
  const { open } = await place();
  const first = await open({ mode: "trusted" }, inContainer);
  await first.ask("Who?");
  const { id } = first.session;
  await first.session.close();
  const kept = await open({ resume: id, settings: "kept" }, elsewhere);
  expect([kept.session.mode, kept.session.state.mode]).toEqual(["ask", "ask"]);
  expect(kept.facts().slice(-2)).toMatchObject([
    { type: "mode-set", mode: "ask", by: "toolwright" },
    { type: "warning", text: "The mode of this session is ask now. Not on this machine." },
  ]);
});

test("a turn that was left open in the mode trusted is not gone on with in it elsewhere", async () => {
  const store = openMemoryStore();
  const workspace = await temporaryWorkspace({});
  onTestFinished(() => workspace.remove());
  const model = scriptedModel([
    [{ call: "run_command", with: { command: "echo 1" } }],
    [{ call: "run_command", with: { command: "touch made" } }],
    [{ say: "Done." }],
  ]);
  const rules = [
    { name: "user", rules: [{ tool: "run_command", command: "echo 1", decision: "ask" as const }] },
  ];
  const first = await testSession(model, { store, workspace, rules, mode: "trusted", ...inContainer });
  await first.session.command({ type: "send", content: [{ type: "text", text: "Go" }] });
  await first.session.idle();
  const { id } = first.session;
  await first.session.close();
  const again = await testSession(model, { store, workspace, rules, resume: id, ...elsewhere });
  onTestFinished(() => again.close());
  const asked = [...again.session.state.calls.values()].at(-1);
  await again.session.command({
    type: "answer-approval",
    callId: asked?.call.id ?? "",
    answer: "allow",
    scope: "once",
    by: "test",
  });
  await again.session.idle();
  expect(again.session.state.status).toBe("running");
  expect(again.facts().findLast(({ type }) => type === "approval-asked")).toMatchObject({
    because: expect.stringContaining("the sandbox is off (this session was started without one)"),
  });
  expect(await workspace.files()).toEqual([]);
});

test("a turn left open in the mode trusted goes on in it only where that is the mode now", async () => {
  const store = openMemoryStore();
  const workspace = await temporaryWorkspace({});
  onTestFinished(() => workspace.remove());
  const rules = [
    { name: "user", rules: [{ tool: "run_command", command: "echo 1", decision: "ask" as const }] },
  ];
  const model = scriptedModel([[{ call: "run_command", with: { command: "echo 1" } }]]);
  const about = { store, workspace, rules, ...inContainer };
  const first = await testSession(model, { ...about, mode: "trusted" });
  await first.session.command({ type: "send", content: [{ type: "text", text: "Go" }] });
  await first.session.idle();
  const { id } = first.session;
  await first.session.close();
  const same = await testSession(model, { ...about, resume: id, mode: "trusted" });
  expect([same.session.state.status, same.session.state.mode]).toEqual(["running", "trusted"]);
  await same.session.close();
  const other = await testSession(model, { ...about, resume: id, mode: "accept-edits" });
  onTestFinished(() => other.close());
  expect([other.session.state.status, other.session.state.mode]).toEqual(["running", "accept-edits"]);
  expect(other.facts().at(-1)).toMatchObject({
    text: "The mode of this session is accept-edits now. It was trusted.",
  });
});
