/**
 * At any moment the live page equals a freshly loaded one and the chat view of an editor, whatever has happened, even in
 * the middle of an answer.
 */

import fc from "fast-check";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pendingApprovals, pendingQuestions, type SessionState } from "../../src/protocol/session-state.ts";
import type { ScriptedAnswer, ScriptedStep } from "../../src/providers/scripted-model.ts";
import { pageTest } from "./browser.ts";
import { openChatView } from "./chat-view.ts";
import { drive, type Driver } from "./driver.ts";
import { normalised } from "./normalised.ts";
import { acting, files, requests, type Scenes, story } from "./story.ts";

const runs = Math.ceil(Number(process.env["TOOLWRIGHT_RUNS"] ?? 1));

test("at any moment the live page equals a freshly loaded one, and the chat view of an editor", async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.nat(99), { minLength: 60, maxLength: 60 }), playThrough), {
    numRuns: runs,
    endOnFailure: true,
    markInterruptAsFailure: true,
  });
});

async function playThrough(dice: readonly number[]): Promise<void> {
  let thrown = 0;
  const dice100 = (): number => dice[thrown++ % dice.length] ?? 0;
  let compare: () => Promise<void> = async () => undefined;
  const scenes = held(story(Promise.resolve()), dice100, () => compare());
  const opened = await pageTest(acting(scenes), { files, flags: ["--max-rounds", "5"] });
  const driver = await drive(opened.gateway);
  try {
    const live = await opened.open({ session: driver.id });
    await live.getByLabel("Changes and requests").click();
    const other = await opened.open({ session: driver.id });
    const { page: view } = await openChatView(opened, { session: driver.id });
    await view.getByLabel("Changes and requests").click();
    compare = oneAtATime(async () => {
      await expectSame(live, other);
      await expectEqual(live, view);
    });
    for (const request of Object.values(requests)) {
      const isPlan = request === requests.plan;
      await driver.ask({ type: "set-mode", mode: isPlan ? "plan" : "ask" });
      await driver.ask({ type: "set-reasoning", reasoning: isPlan ? "high" : "default" });
      await driver.say(request);
      await playTurn(driver, dice100, compare);
      await compare();
    }
    await undoAndRedo(driver, compare);
    expect(opened.complaints).toEqual([]);
  } finally {
    await driver.close();
    await opened.close();
  }
}

/** Pauses within texts and thoughts, at places chosen by the dice. */
function held(scenes: Scenes, dice: () => number, stop: () => Promise<void>): Scenes {
  const cut = (step: ScriptedStep): ScriptedStep[] => {
    const text = "say" in step ? step.say : "think" in step ? step.think : "";
    const place = dice();
    if (text.length < 2 || place > 40) return [step];
    const at = 1 + Math.floor(((text.length - 1) * place) / 41);
    // A getter, evaluated when the model reaches this step.
    const hold = {
      get wait() {
        return stop();
      },
    };
    const parts = [text.slice(0, at), text.slice(at)] as const;
    return "say" in step
      ? [{ say: parts[0] }, hold, { say: parts[1] }]
      : [{ think: parts[0] }, hold, { think: parts[1] }];
  };
  const cutAnswer = (answer: ScriptedAnswer): ScriptedAnswer => answer.flatMap(cut);
  return Object.fromEntries(
    Object.entries(scenes).map(([request, answers]) => [request, answers.map(cutAnswer)]),
  );
}

/** Answers every question until the request is over. */
async function playTurn(driver: Driver, dice: () => number, compare: () => Promise<void>): Promise<void> {
  const { state } = driver;
  const { turn } = state;
  let steered = false;
  for (;;) {
    await driver.until(
      () => (state.status === "idle" && state.turn > turn - 1 && isOver(state)) || isAsked(state),
    );
    if (!isAsked(state)) return;
    await compare();
    if (!steered && dice() < 30) {
      steered = true;
      await driver.ask({ type: "send", content: [{ type: "text", text: "And be careful." }], when: "next" });
      await compare();
    }
    await answer(driver, dice);
  }
}

const isOver = ({ turns, queue }: SessionState): boolean =>
  turns.at(-1)?.stopped !== undefined && queue.length === 0;
const isAsked = (state: SessionState): boolean =>
  pendingApprovals(state).length + pendingQuestions(state).length > 0 || state.limitAsked !== undefined;

async function answer(driver: Driver, dice: () => number): Promise<void> {
  const { state } = driver;
  const { seq } = state;
  const [approval] = pendingApprovals(state);
  const [question] = pendingQuestions(state);
  // An interruption would leave queued messages in place.
  if (dice() < 6 && state.queue.length === 0) {
    await driver.ask({ type: "interrupt" });
    await driver.until(({ status }) => status === "idle");
    return;
  }
  const isYes = dice() < 75;
  if (approval)
    await driver.ask({
      type: "answer-approval",
      callId: approval.callId,
      answer: isYes ? "allow" : "deny",
      scope: "once",
      by: "test",
      ...(isYes ? {} : { note: "not now" }),
    });
  else if (question)
    await driver.ask({
      type: "answer-question",
      callId: question.callId,
      answer: isYes ? "given" : "declined",
      by: "test",
      ...(question.steps ? {} : isYes ? { chosen: [1] } : { text: "neither" }),
    });
  else
    await driver.ask({ type: "answer-limit", answer: isYes && dice() < 50 ? "extend" : "stop", by: "test" });
  await driver.until(() => state.seq > seq && !isSameAsked(state, approval?.callId ?? question?.callId));
}

const isSameAsked = (state: SessionState, callId: string | undefined): boolean =>
  [...pendingApprovals(state), ...pendingQuestions(state)].some((asked) => asked.callId === callId);

async function undoAndRedo(driver: Driver, compare: () => Promise<void>): Promise<void> {
  const { changes } = driver.state;
  const [turn] = [...changes.trails.keys()];
  if (turn === undefined) return;
  await driver.ask({ type: "undo", turn, paths: ["src/total.ts"], hunks: [1] }).catch(() => undefined);
  await compare();
  await driver.ask({ type: "redo", turn }).catch(() => undefined);
  await compare();
  await driver.ask({ type: "keep", turn }).catch(() => undefined);
  await driver.ask({ type: "rename", title: "Another name" });
  await compare();
}

function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let before = Promise.resolve();
  return () => (before = before.then(run));
}

async function expectSame(live: Page, other: Page): Promise<void> {
  await other.reload();
  await other.getByLabel("Changes and requests").click();
  await expectEqual(live, other);
  expect(await normalised(live)).not.toBe("");
}

const expectEqual = (live: Page, other: Page): Promise<void> =>
  expect.poll(async () => difference(await normalised(live), await normalised(other))).toBe("");

/** The lines around the first difference; empty when there is none. */
function difference(live: string, loaded: string): string {
  if (live === loaded) return "";
  const [one, two] = [live.split("\n"), loaded.split("\n")];
  const at = one.findIndex((line, index) => line !== two[index]);
  const from = Math.max(0, (at < 0 ? one.length : at) - 3);
  return `live:\n${one.slice(from, from + 8).join("\n")}\nloaded:\n${two.slice(from, from + 8).join("\n")}`;
}
