/**
 * Compares the pattern detectors with a plain implementation of the rules, for arbitrary call outcomes and from the log
 * alone.
 */

import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import type { Entry, Fact, CallOutcome, FailurePattern } from "../../protocol/facts.ts";
import { step } from "../../protocol/fold.ts";
import { currentTurn, emptyState, type SessionState } from "../../protocol/session-state.ts";
import { scale } from "../../testing/scale.ts";
import { defineTool, ok } from "../../tools/tool.ts";
import { defaultTurnLimits } from "../turn-context.ts";
import type { LookBack } from "./past-calls.ts";
import { patternMove } from "./patterns.ts";

type Call = { tool: "look" | "do"; input: number; outcome: CallOutcome; result: number; changes: boolean };
type Round = readonly Call[];

const tools = (["look", "do"] as const).map((name) =>
  defineTool({
    name,
    does: name === "look" ? "read" : "change",
    summary: "Something.",
    input: { input: z.number() },
    title: () => name,
    run: async () => ok("done"),
  }),
);

const limits = { ...defaultTurnLimits, maxRounds: 100 };
const ran = (outcome: CallOutcome): boolean =>
  outcome === "ok" || outcome === "failed" || outcome === "timeout";

class Story {
  readonly entries: Entry[] = [];
  state: SessionState = emptyState();

  add(...facts: Fact[]): void {
    for (const fact of facts) {
      const seq = this.entries.length + 1;
      const entry: Entry = { ...fact, v: 1, seq, at: seq, turn: 1 };
      this.entries.push(entry);
      this.state = step(this.state, entry);
    }
  }
}

function tell(story: Story, round: Round, at: number): void {
  const idOf = (index: number): string => `${at}.${index}`;
  for (const [index, { tool, input }] of round.entries())
    story.add({ type: "call", call: { id: idOf(index), name: tool, input: { input }, source: "native" } });
  story.add({ type: "answer-end", reason: "tool-calls", model: "m" });
  for (const [index, { tool, outcome, result, changes }] of round.entries()) {
    const callId = idOf(index);
    const does = tool === "look" ? ("read" as const) : ("change" as const);
    if (ran(outcome)) story.add({ type: "call-start", callId, title: tool, does });
    if (changes && ran(outcome))
      story.add({
        type: "change-applied",
        callId,
        changes: [{ path: "a", before: null, after: "1", added: 1, removed: 0 }],
      });
    story.add({ type: "result", callId, outcome, content: [{ type: "text", text: String(result) }] });
  }
}

const roomOf = (state: SessionState): LookBack => ({
  log: { state },
  tools,
  limits,
  interactive: () => false,
});

type Verdict = FailurePattern | "over" | undefined;

function found(state: SessionState): { verdict: Verdict; facts: Fact[] } {
  const turn = currentTurn(state);
  let asked = 0;
  const context: LookBack = {
    ...roomOf(state),
    get tools() {
      asked += 1;
      return tools;
    },
  };
  const move = turn && patternMove(turn, context);
  expect(asked, "what is on offer is looked up once, not for each call").toBeLessThanOrEqual(1);
  if (move?.type === "finish") return { verdict: "over", facts: [] };
  const facts = move?.type === "tell" ? move.facts : [];
  return {
    verdict: facts.flatMap((fact) => (fact.type === "failure-detected" ? [fact.pattern] : []))[0],
    facts,
  };
}

/** The rules implemented naively, over all rounds so far and the guidance given after each. */
class Reference {
  readonly told: { pattern: FailurePattern; round: number }[] = [];

  verdict(rounds: readonly Round[]): Verdict {
    if (rounds.at(-1)?.length === 0) return undefined;
    if (this.again(rounds, 0) >= 10) return "over";
    const order: [FailurePattern, (from: number) => boolean][] = [
      ["repeated-tool-error", (from) => this.errors(rounds, from)],
      ["tool-rejection-loop", (from) => this.refusals(rounds, from)],
      ["no-progress", (from) => this.again(rounds, from) >= 3],
      ["all-failed", (from) => this.failing(rounds, from)],
    ];
    for (const [place, [pattern, holds]] of order.entries()) {
      const settling = order.slice(0, place + 1).map(([name]) => name);
      const from = Math.max(
        0,
        ...this.told.filter((each) => settling.includes(each.pattern)).map((each) => each.round),
      );
      if (!holds(from)) continue;
      this.told.push({ pattern, round: rounds.length });
      return pattern;
    }
    return undefined;
  }

  private since(rounds: readonly Round[], from: number): (Call & { round: number })[] {
    return rounds.flatMap((round, at) => (at < from ? [] : round.map((call) => ({ ...call, round: at }))));
  }

  private errors(rounds: readonly Round[], from: number): boolean {
    const calls = this.since(rounds, from).filter(
      ({ outcome }) => !["cancelled", "interrupted"].includes(outcome),
    );
    const last = calls.at(-1);
    let length = 0;
    while (length < calls.length) {
      const call = calls[calls.length - 1 - length];
      if (!call || call.tool !== last?.tool || !["failed", "timeout", "invalid"].includes(call.outcome))
        break;
      length += 1;
    }
    const row = calls.slice(calls.length - length);
    return length >= 3 && row[0]?.round !== last?.round && last?.round === rounds.length - 1;
  }

  private refusals(rounds: readonly Round[], from: number): boolean {
    const denied: number[] = [];
    for (const { tool, outcome, round } of this.since(rounds, from)) {
      if (outcome === "denied") denied.push(round);
      else if (tool === "do" && ["ok", "failed", "timeout", "invalid"].includes(outcome)) denied.length = 0;
    }
    const isNew = denied.at(-1) === rounds.length - 1;
    return denied.length >= 3 && denied[0] !== denied.at(-1) && isNew;
  }

  private failing(rounds: readonly Round[], from: number): boolean {
    const withCalls = rounds.slice(from).filter((round) => round.length > 0);
    const failed = (round: Round): boolean =>
      round.every(({ outcome }) => ["failed", "timeout", "invalid", "denied"].includes(outcome));
    return withCalls.length >= 2 && withCalls.slice(-2).every(failed);
  }

  /** How often a call of the last round was made with the same result, with no change in between. */
  private again(rounds: readonly Round[], from: number): number {
    const calls = this.since(rounds, from);
    const keyOf = ({ tool, input, outcome, result }: Call): string | undefined =>
      ran(outcome) ? [tool, input, outcome, result].join() : undefined;
    const lastChange = (before: number): number =>
      calls.slice(0, before + 1).findLastIndex(({ changes, outcome }) => changes && ran(outcome));
    const isNew = (at: number): boolean => {
      const call = calls[at];
      const key = call && keyOf(call);
      if (key === undefined) return false;
      return !calls.slice(Math.max(0, lastChange(at)), at).some((other) => keyOf(other) === key);
    };
    const countAt = (at: number): number => {
      const call = calls[at];
      const key = call && keyOf(call);
      if (!call || key === undefined) return 0;
      for (let earlier = at - 1; earlier >= Math.max(0, lastChange(at)); earlier -= 1) {
        const other = calls[earlier];
        if (other && keyOf(other) === key) {
          if (other.round === call.round) return countAt(earlier);
          const first = calls.findIndex(
            (each, place) =>
              each.round === other.round && keyOf(each) === key && place >= Math.max(0, lastChange(earlier)),
          );
          for (let between = first + 1; between < at; between += 1) if (isNew(between)) return 1;
          return countAt(first) + 1;
        }
      }
      return 1;
    };
    const last = calls.flatMap(({ round }, at) => (round === rounds.length - 1 ? [countAt(at)] : []));
    return Math.max(0, ...last);
  }
}

const call: fc.Arbitrary<Call> = fc
  .record({
    tool: fc.constantFrom("look" as const, "do" as const),
    input: fc.nat(1),
    outcome: fc.oneof(
      { weight: 4, arbitrary: fc.constant("ok" as const) },
      { weight: 4, arbitrary: fc.constant("failed" as const) },
      { weight: 2, arbitrary: fc.constant("denied" as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          "timeout" as const,
          "invalid" as const,
          "cancelled" as const,
          "interrupted" as const,
        ),
      },
    ),
    result: fc.nat(1),
    changes: fc.oneof(
      { weight: 8, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  })
  .map((each) => ({ ...each, changes: each.changes && each.tool === "do" }));

/** Rounds that repeat each other, like those of a stuck model. */
const rounds = fc
  .array(fc.oneof(fc.array(call, { minLength: 1, maxLength: 3 }), fc.nat(4)), { minLength: 1, maxLength: 24 })
  .map((steps) => {
    const made: Round[] = [];
    for (const each of steps)
      made.push(typeof each === "number" ? (made.at(-1 - each) ?? made[0] ?? []) : each);
    return made.filter((round) => round.length > 0);
  });

/** Ends by itself: random rounds alone rarely last this long. */
const endless = Array.from({ length: 12 }, (): Round => [
  { tool: "look", input: 0, outcome: "ok", result: 0, changes: false },
]);

const runs = scale * 200;

test("E9, B11: the verdict after each round matches the reference rules, also when the log is replayed", () => {
  const seen = new Map<Verdict, number>();
  fc.assert(
    fc.property(rounds, (all) => {
      const story = new Story();
      story.add(
        { type: "session-start", session: "s", workspace: "/w", version: "0" },
        { type: "user-message", content: [{ type: "text", text: "go" }] },
      );
      const reference = new Reference();
      for (const at of all.keys()) {
        tell(story, all[at] ?? [], at);
        const { verdict, facts } = found(story.state);
        expect(verdict).toBe(reference.verdict(all.slice(0, at + 1)));
        expect(found(structuredClone(story.entries).reduce(step, emptyState())).facts).toEqual(facts);
        seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
        if (verdict === "over") return;
        story.add(...facts);
        if (facts.length > 0) expect(found(story.state)).toEqual({ verdict: undefined, facts: [] });
      }
    }),
    { numRuns: runs, examples: [[endless]] },
  );
  for (const verdict of [
    "repeated-tool-error",
    "tool-rejection-loop",
    "no-progress",
    "all-failed",
    "over",
  ] as const)
    expect(seen.get(verdict) ?? 0, verdict).toBeGreaterThan(0);
});
