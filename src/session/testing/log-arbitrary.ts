/** Generates random valid sessions for property tests: logs the agent could have written, with everything finished. */

import fc from "fast-check";
import { factVersion, type Does, type Entry, type Fact, type CallOutcome } from "../../protocol/facts.ts";
import { reasonings } from "../../protocol/messages.ts";

type PlannedCall = { does: Does; early: boolean; asked: boolean; outcome: CallOutcome };
type PlannedAnswer = {
  blocks: { kind: "text" | "reasoning"; text: string }[];
  calls: PlannedCall[];
  ending: "whole" | "interrupted" | "failed";
};
type PlannedTurn = { before: Fact[]; request: string; answers: PlannedAnswer[]; closing: boolean };

const plannedCall: fc.Arbitrary<PlannedCall> = fc.record({
  does: fc.constantFrom("read", "change", "execute", "delegate"),
  early: fc.boolean(),
  asked: fc.boolean(),
  outcome: fc.constantFrom("ok", "failed", "timeout", "denied"),
});

const plannedAnswer: fc.Arbitrary<PlannedAnswer> = fc.record({
  blocks: fc.array(
    fc.record({
      kind: fc.constantFrom("text", "reasoning"),
      text: fc.string({ unit: "grapheme", minLength: 1 }),
    }),
    { maxLength: 3 },
  ),
  calls: fc.array(plannedCall, { maxLength: 4 }),
  ending: fc.constantFrom("whole", "whole", "whole", "interrupted", "failed"),
});

/** Settings a person changes between two turns, or before the first. */
const setting: fc.Arbitrary<Fact> = fc.oneof(
  fc
    .constantFrom("ask" as const, "plan" as const)
    .map((mode) => ({ type: "mode-set" as const, mode, by: "me" })),
  fc.constantFrom("model-a", "model-b").map((model) => ({ type: "model-set" as const, model, by: "me" })),
  fc
    .constantFrom(...reasonings)
    .map((reasoning) => ({ type: "reasoning-set" as const, reasoning, by: "me" })),
);

const plannedTurn: fc.Arbitrary<PlannedTurn> = fc
  .record({
    before: fc.array(setting, { maxLength: 2 }),
    request: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
    answers: fc.array(plannedAnswer, { maxLength: 3 }),
  })
  .map(({ before, request, answers }) => {
    const last = answers.findIndex(({ ending, calls }) => ending === "whole" && calls.length === 0);
    const given = last === -1 ? answers : answers.slice(0, last + 1);
    return { before, request, answers: given, closing: !given.some(isHeard) };
  });

/** A broken answer without calls is dropped when the model is asked again; a turn never ends without text (E5). */
function isHeard(
  { blocks, calls, ending }: PlannedAnswer,
  at: number,
  all: readonly PlannedAnswer[],
): boolean {
  const isForgotten = ending !== "whole" && calls.length === 0 && at < all.length - 1;
  return !isForgotten && blocks.some(({ kind, text }) => kind === "text" && text.trim() !== "");
}

/** Whole sessions: every call has its result, every turn its end. Any prefix is a state that a crash can leave. */
export const wholeLog: fc.Arbitrary<Entry[]> = fc
  .array(plannedTurn, { minLength: 1, maxLength: 4 })
  .map((turns) => {
    const numbering = { block: 0, call: 0 };
    const start: Entry = {
      type: "session-start",
      session: "s",
      workspace: "/w",
      version: "0",
      ...stamp(1, 0),
    };
    const perTurn = turns.map((turn, index) => [
      ...turn.before.map((fact) => ({ fact, turn: index })),
      ...turnFacts(turn, numbering).map((fact) => ({ fact, turn: index + 1 })),
    ]);
    return [
      start,
      ...perTurn.flat().map(({ fact, turn }, index) => ({ ...fact, ...stamp(index + 2, turn) })),
    ];
  });

function stamp(seq: number, turn: number): { v: number; seq: number; at: number; turn: number } {
  return { v: factVersion, seq, at: 1000 + seq, turn };
}

type Numbering = { block: number; call: number };

function turnFacts({ request, answers, closing }: PlannedTurn, numbering: Numbering): Fact[] {
  const end: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };
  return [
    { type: "user-message", content: [{ type: "text", text: request }] },
    { type: "turn-start", model: "model-a", mode: "ask" },
    ...answers.flatMap((answer) => answerFacts(answer, numbering)),
    ...(closing
      ? [
          {
            type: "text" as const,
            block: (numbering.block += 1),
            text: "Closing.",
            by: "toolwright" as const,
          },
        ]
      : []),
    end,
  ];
}

/** Blocks, then calls; early calls run during the answer, the others after it, unless it was cut off. */
function answerFacts({ blocks, calls, ending }: PlannedAnswer, numbering: Numbering): Fact[] {
  const facts: Fact[] = blocks.map(({ kind, text }): Fact => {
    const block = (numbering.block += 1);
    return kind === "text" ? { type: kind, block, text, by: "model" } : { type: kind, block, text };
  });
  const later: Fact[] = [];
  for (const call of calls) {
    const id = `c${(numbering.call += 1)}`;
    facts.push({ type: "call", call: { id, name: call.does, input: {}, source: "native" } });
    if (call.early) facts.push(...callFacts(id, call));
    else later.push(...(ending === "whole" ? callFacts(id, call) : [cancelledResult(id)]));
  }
  const reason = ending !== "whole" ? ending : calls.length > 0 ? "tool-calls" : "stop";
  return [...facts, { type: "answer-end", reason, model: "model-a" }, ...later];
}

function callFacts(callId: string, { does, asked, outcome }: PlannedCall): Fact[] {
  const verdict = asked ? "ask" : "allow";
  const decision: Fact = { type: "decision", callId, verdict, because: "a rule", risk: "none", trace: [] };
  const isDenied = outcome === "denied";
  const questions: Fact[] = asked
    ? [
        { type: "approval-asked", callId, title: "t", because: "b", risk: "none", preview: "p", grant: "g" },
        { type: "approval-answered", callId, answer: isDenied ? "deny" : "allow", scope: "once", by: "me" },
      ]
    : [];
  const start: Fact[] = isDenied ? [] : [{ type: "call-start", callId, title: "t", does }];
  const child = does === "delegate" && !isDenied ? childFacts(callId, outcome) : [];
  return [decision, ...questions, ...start, ...child, { type: "result", callId, outcome, content: [] }];
}

function cancelledResult(callId: string): Fact {
  return { type: "result", callId, outcome: "cancelled", content: [] };
}

/** The call gives a task to a session of its own, which may fail to open. */
function childFacts(callId: string, outcome: CallOutcome): Fact[] {
  if (outcome === "failed") return [];
  const usage = { inputTokens: 10, outputTokens: 1 };
  return [
    { type: "child-started", callId, session: `of ${callId}`, task: "t" },
    { type: "child-ended", callId, session: `of ${callId}`, outcome: "ok", usage, cost: 0.5 },
  ];
}
