/** Tests that a person's presence is checked when it matters: they may come and go while a turn runs. */

import { expect, onTestFinished, test } from "vitest";
import { pendingApprovals, pendingQuestions } from "../protocol/session-state.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { testSession } from "../testing/session.ts";

const write = (path: string) => ({ call: "write_file", with: { path, content: "x" } });
const asks = { call: "ask_user", with: { question: "Which?", choices: [{ label: "red" }] } };
const over: ScriptedAnswer = [{ say: "Done." }];

/** A session that a person watches only while `there.is`. */
async function watched(script: readonly ScriptedAnswer[], limits = {}) {
  const there = { is: true, asked: new Set<string>() };
  const opened = await testSession(scriptedModel(script), {
    limits,
    interactive: (session) => {
      there.asked.add(session);
      return there.is;
    },
  });
  onTestFinished(() => opened.close());
  const { session } = opened;
  const send = async () => {
    await session.command({ type: "send", content: [{ type: "text", text: "Go." }] });
    await session.idle();
  };
  const allow = async () => {
    const [asked] = pendingApprovals(session.state);
    const callId = asked?.callId ?? "none";
    await session.command({ type: "answer-approval", callId, answer: "allow", scope: "once", by: "test" });
    await session.idle();
  };
  const outcomes = () => opened.facts().flatMap((fact) => (fact.type === "result" ? [fact.outcome] : []));
  return { ...opened, there, send, allow, outcomes };
}

test("B13: a call decided while nobody is present is denied; an approval asked before stays open and counts", async () => {
  const { there, send, allow, outcomes, session, workspace, facts } = await watched([
    [write("a")],
    [write("b")],
    over,
    [write("c")],
    over,
  ]);
  await send();
  expect(pendingApprovals(session.state)).toHaveLength(1);
  there.is = false;
  await session.command({ type: "go-on" });
  await session.idle();
  expect(pendingApprovals(session.state)).toHaveLength(1);
  await allow(); // from another process
  expect(outcomes()).toEqual(["ok", "denied"]);
  const last = facts().findLast((fact) => fact.type === "decision");
  expect(last).toMatchObject({
    verdict: "deny",
    because: "it changes files, and there is nobody to ask",
  });
  there.is = true;
  await send();
  await allow();
  expect(outcomes()).toEqual(["ok", "denied", "ok"]);
  expect(await workspace.files()).toEqual(["a", "c"]);
  expect([...there.asked]).toEqual([session.id]);
});

test("a question of the model is asked only while somebody is present; once asked, it stays open", async () => {
  const { there, send, session, facts } = await watched([[asks], over, [asks], over]);
  there.is = false;
  await send();
  expect(facts().some(({ type }) => type === "question-asked")).toBe(false);
  expect(session.state.status).toBe("idle");
  there.is = true;
  await send();
  there.is = false;
  await session.command({ type: "go-on" });
  await session.idle();
  expect(pendingQuestions(session.state)).toHaveLength(1);
});

test("at a limit the turn asks if somebody is present, and stops if nobody is", async () => {
  const reads = [{ call: "read_file", with: { path: "a" } }];
  const { there, send, session, facts } = await watched([reads, reads, reads, over], {
    maxRounds: 2,
    onLimit: "ask",
  });
  await send();
  expect(session.state.limitAsked).toMatchObject({ limit: "rounds" });
  there.is = false;
  await session.command({ type: "answer-limit", answer: "extend", by: "elsewhere" });
  await session.idle();
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "limit" });
});

test("a person who leaves while the model still streams is not asked about its later calls", async () => {
  const gate = Promise.withResolvers<void>();
  const { there, session, outcomes } = await watched([
    [{ say: "One moment." }, { wait: gate.promise }, write("a")],
    over,
  ]);
  await session.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  there.is = false;
  gate.resolve();
  await session.idle();
  expect(outcomes()).toEqual(["denied"]);
});
