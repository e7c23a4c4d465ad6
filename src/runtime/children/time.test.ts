/** A subagent's time limit when its parent's request has one too. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { requestOf } from "../../testing/parent.ts";
import { testSession } from "../../testing/session.ts";

const minute = 60_000;

/** Rounded, which hides the time that opening the session took. */
const roughly = (ms: number): number => Math.round(ms / 2_000) * 2_000;

/** A request with one subagent, which hangs; the clock goes on by what its timer was set to. */
async function hanging(maxMs: number | undefined, passed = 0) {
  let now = 0;
  const given: number[] = [];
  const reached = Promise.withResolvers<void>();
  const hang = (): ScriptedAnswer => {
    reached.resolve();
    return [{ say: "I begin." }, { wait: new Promise<never>(() => {}) }];
  };
  const model = scriptedModel((prompt) => {
    if (requestOf(prompt) === "Hang") return hang();
    if (prompt.messages.length > 1) return [{ say: "This is what there is." }];
    now += passed;
    return [{ call: "delegate", with: { task: "Hang" } }];
  });
  const timer = (late: () => void, ms: number) => {
    given.push(roughly(ms));
    const pass = async (): Promise<void> => {
      await reached.promise;
      now += ms;
      late();
    };
    void pass();
    return () => undefined;
  };
  const { ask, facts, close } = await testSession(model, {
    now: () => now,
    subagents: { timer },
    ...(maxMs === undefined ? {} : { limits: { maxMs } }),
  });
  onTestFinished(close);
  await ask("Ask it.");
  const result = facts().find((fact) => fact.type === "result");
  const words = result?.content.map((part) => (part.type === "text" ? part.text : "")).join("") ?? "";
  const end = facts().at(-1);
  return { given, words, outcome: result?.outcome, end };
}

const spoken = { type: "turn-end", stopped: "done", text: "This is what there is." };

test.each([
  { limit: "none", maxMs: undefined, given: 10 * minute },
  { limit: "a minute", maxMs: minute, given: 40_000 },
  { limit: "four minutes", maxMs: 4 * minute, given: 3 * minute },
  { limit: "twelve seconds", maxMs: 12_000, given: 6_000 },
  { limit: "an hour", maxMs: 60 * minute, given: 10 * minute },
  { limit: "an hour, most of which is gone", maxMs: 60 * minute, passed: 55 * minute, given: 3 * minute },
])(
  "a subagent that hangs in a request whose time limit is $limit leaves its parent time to answer",
  async ({ maxMs, passed, given }) => {
    const ran = await hanging(maxMs, passed);
    expect(ran).toMatchObject({ given: [given], outcome: "timeout", end: spoken });
    expect(ran.words).toMatch(/^\[Partial: [^\n]* its time was over .*I begin\./su);
    expect(ran.words.includes("what is left of this request's time is for its end")).toBe(
      given < 10 * minute,
    );
  },
);

test("no subagent starts in the time reserved for its parent's end, and the parent is told why", async () => {
  const ran = await hanging(minute, 41_000);
  expect(ran).toMatchObject({ given: [], outcome: "failed", end: spoken });
  expect(ran.words).toContain("There is no time left for a subagent in this request");
});
