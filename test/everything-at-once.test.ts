/** Everything that can happen to a turn, in any order, in small windows: it ends, and every prompt is valid. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Command } from "../src/protocol/commands.ts";
import { ModelError } from "../src/protocol/model-events.ts";
import {
  conversation,
  pendingApprovals,
  pendingQuestions,
  type SessionState,
} from "../src/protocol/session-state.ts";
import { scriptedModel, type ScriptedStep } from "../src/providers/scripted-model.ts";
import type { LiveSession } from "../src/runtime/live-session.ts";
import { scale } from "../src/testing/scale.ts";
import { testSession } from "../src/testing/session.ts";
import { complaints } from "./support/all-wires.ts";

const runs = Math.ceil(150 * scale);

const steps = fc.constantFrom<ScriptedStep>(
  { call: "read_file", with: { path: "long.txt" } },
  { call: "read_file", with: {} },
  { call: "write_file", with: { path: "new.txt", content: "x" }, id: "same" },
  { call: "ask_user", with: { question: "Which?" } },
  { call: "propose_plan", with: { steps: [{ title: "One" }] } },
  { call: "todos", with: { items: ["a"] } },
  { call: "read_result", with: { call: "call_1" } },
  { call: "no such tool", with: {} },
  { say: "word " },
  { say: "日本語".repeat(200) },
  { say: "[TASK_COMPLETE]" },
  { think: "Hm." },
  { fail: new ModelError("network", "The line broke.", { midStream: true }) },
  { fail: new ModelError("context-overflow", "Too long.") },
  { end: "length" },
  { usage: { inputTokens: 5_000, outputTokens: 10 } },
);

const acts = fc.constantFrom<Command>(
  { type: "send", content: [{ type: "text", text: "More." }], when: "steer" },
  { type: "send", content: [{ type: "text", text: "word ".repeat(300) }] },
  { type: "set-mode", mode: "plan" },
  { type: "set-mode", mode: "ask" },
  { type: "set-reasoning", reasoning: "high" },
  { type: "compact" },
  { type: "interrupt" },
  { type: "undo", onConflict: "restore" },
);

/** The answer to the open question; undefined if there is none. */
function answerTo(state: SessionState, isYes: boolean): Command | undefined {
  const by = "test";
  const [approval] = pendingApprovals(state);
  if (approval)
    return {
      type: "answer-approval",
      callId: approval.callId,
      answer: isYes ? "allow" : "deny",
      scope: "once",
      by,
    };
  const [question] = pendingQuestions(state);
  if (question)
    return {
      type: "answer-question",
      callId: question.callId,
      answer: isYes ? "given" : "declined",
      by,
      text: "Yes.",
    };
  return state.limitAsked && { type: "answer-limit", answer: isYes ? "extend" : "stop", by };
}

/** Denies every question until the session rests. */
async function finish(session: LiveSession): Promise<void> {
  for (let left = 100; left > 0; left -= 1) {
    await session.idle();
    const next = answerTo(session.state, false);
    if (next) await session.command(next);
    else if (!(await session.command({ type: "go-on" })).ok) return;
  }
  throw new Error("It never ends.");
}

test("whatever the model and the user do in a small window, the turn ends, and every provider accepts every prompt", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(steps, { maxLength: 5 }), { minLength: 3, maxLength: 25 }),
      fc.array(fc.oneof(acts, fc.boolean()), { maxLength: 30 }),
      fc.constantFrom(2_300, 3_000, 4_096, 12_000),
      async (answers, happening, contextTokens) => {
        let asked = 0;
        let summaries = 0;
        const model = scriptedModel(
          ({ tools }) => {
            if (tools.length > 0) return answers[asked++] ?? [{ say: "Done. [TASK_COMPLETE]" }];
            if (++summaries > 200) throw new Error("It is summed up again and again.");
            return [{ say: "Little was done." }];
          },
          { contextTokens, pieces: 9 },
        );
        const { session, close, facts } = await testSession(model, {
          files: { "long.txt": "a line of text\n".repeat(150) },
          completion: "marker",
          limits: { maxRounds: 6, onLimit: "ask" },
        });
        try {
          await session.command({ type: "send", content: [{ type: "text", text: "Begin." }] });
          for (const act of happening) {
            if (typeof act !== "boolean") await session.command(act);
            else {
              await session.idle();
              const answer = answerTo(session.state, act);
              if (answer) await session.command(answer);
            }
          }
          await finish(session);
          for (const { messages } of model.prompts) expect(complaints(messages)).toEqual([]);
          const told = conversation(session.state);
          expect(told.map(({ role }) => role)).toEqual(
            told.map((_, at) => (at % 2 === 0 ? "user" : "assistant")),
          );
          const said = facts().filter(({ type }) => ["text", "turn-end", "compaction"].includes(type));
          expect(JSON.stringify(said)).not.toContain("[TASK_COMPLETE]");
        } finally {
          await close();
        }
      },
    ),
    { numRuns: runs },
  );
});
