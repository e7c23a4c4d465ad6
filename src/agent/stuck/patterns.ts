/** Detects when a model is stuck: it gets guidance, and the turn ends if that does not help (E9, B11). */

import { patterns } from "../../protocol/fact-words.ts";
import type { FailurePattern } from "../../protocol/facts.ts";
import type { TurnState } from "../../protocol/session-state.ts";
import { endsWithRounds, mostRounds } from "../limits.ts";
import type { Move } from "../move.ts";
import { type LookBack, type PastCall, pastCalls } from "./past-calls.ts";

/** A detected pattern: how often in a row, and the last call involved. */
type DetectedPattern = { pattern: FailurePattern; count: number; call?: PastCall };

/** The move after a round with calls, unless the model has been given guidance since. */
export function patternMove(turn: TurnState, context: LookBack): Move | undefined {
  if (turn.lastCalls.length === 0 || turn.owesAnswer) return undefined;
  const calls = pastCalls(turn, context);
  const loop = sameAgain(calls);
  if (loop.parts >= tooMuch && loop.call) return endless(loop.call, loop.count);
  const failing = failedInARow(calls);
  if (failing >= mostFailedRounds) return fruitless(failing);
  const found = mostTelling(turn, calls) ?? lastRound(turn, context);
  if (!found) return undefined;
  const last = found.pattern === "max-steps-approaching" ? undefined : lastRound(turn, context);
  const text = [wordsFor(found), ...(last ? [wordsFor(last)] : [])].join(" ");
  const { pattern, count, call } = found;
  const about = call === undefined ? {} : { callId: call.id };
  return { type: "tell", facts: [{ type: "failure-detected", pattern, count, text, ...about }] };
}

/** At most one guidance a round. It settles all less conclusive patterns, which count anew from there. */
function mostTelling({ detected }: TurnState, calls: readonly PastCall[]): DetectedPattern | undefined {
  let toldAt = 0;
  for (const pattern of patterns) {
    for (const told of detected) if (told.pattern === pattern) toldAt = Math.max(toldAt, told.answers);
    const since = toldAt;
    const found = detect[pattern](calls.filter(({ answer }) => answer > since));
    if (found) return { pattern, ...found };
  }
  return undefined;
}

const inARow = 3;
const failedRounds = 2;
/** By then the model has had guidance ten times, whatever it tried. */
const mostFailedRounds = 10 * failedRounds;

type Detector = (calls: readonly PastCall[]) => Omit<DetectedPattern, "pattern"> | undefined;

const detect: Readonly<Record<FailurePattern, Detector>> = {
  "repeated-tool-error": (calls) => {
    const last = calls.findLast(({ came }) => came !== "nothing");
    const others = (call: PastCall): boolean => call.tool !== last?.tool || call.came !== "failed";
    return enoughOf(
      calls.filter(({ came }) => came !== "nothing"),
      others,
      () => true,
    );
  },
  // A read needs no approval, so its success says nothing about what a person wants.
  "tool-rejection-loop": (calls) =>
    enoughOf(
      calls,
      ({ came, does }) => does !== "read" && (came === "ok" || came === "failed"),
      ({ came }) => came === "denied",
    ),
  "no-progress": (calls) => {
    const { parts, call, count } = sameAgain(calls);
    return parts >= enough && call ? { count, call } : undefined;
  },
  "all-failed": (calls) => (failedInARow(calls) >= failedRounds ? { count: failedRounds } : undefined),
  "max-steps-approaching": () => undefined,
};

/** The latest rounds in which every call failed or was refused. */
function failedInARow(calls: readonly PastCall[]): number {
  const rounds = [...Map.groupBy(calls, ({ answer }) => answer).values()];
  return rounds.length - 1 - rounds.findLastIndex((round) => !round.every(hasFailed));
}

const hasFailed = ({ came }: PastCall): boolean => came === "failed" || came === "denied";

/**
 * The calls that count since the last one that breaks the row; they must span two answers, and the last must be new.
 */
function enoughOf(
  calls: readonly PastCall[],
  breaks: (call: PastCall) => boolean,
  counts: (call: PastCall) => boolean,
): Omit<DetectedPattern, "pattern"> | undefined {
  const row = calls.slice(calls.findLastIndex(breaks) + 1).filter(counts);
  const [first, last] = [row[0], row.at(-1)];
  const isEnough =
    row.length >= inARow && first?.answer !== last?.answer && last?.answer === calls.at(-1)?.answer;
  return isEnough && last ? { count: row.length, call: last } : undefined;
}

/** Weight of one repetition: less if time passes and the model is waiting for something. */
const parts = { atOnce: 30, command: 10, waiting: 5 } as const;
const enough = inARow * parts.atOnce;
/** By then the model has had guidance three times. */
const tooMuch = 10 * parts.atOnce;
/** Minimum time between two calls for the second to count as waiting. */
const pauseMs = 1_000;

type Same = { parts: number; count: number; call: PastCall | undefined };
const nothingAgain: Same = { parts: 0, count: 0, call: undefined };

/**
 * The same call with the same result, with no change and no new information since the last time. Duplicates within one
 * answer count once.
 */
function sameAgain(calls: readonly PastCall[]): Same {
  const known = new Map<string, Same & { at: number }>();
  let newAt = -1;
  let most = nothingAgain;
  for (const [at, call] of calls.entries()) {
    if (call.changes) known.clear();
    if (call.key === undefined) continue;
    const before = known.get(call.key);
    if (!before) newAt = at;
    if (before?.call?.answer === call.answer) continue;
    const goesOn = before !== undefined && newAt <= before.at;
    const same = goesOn
      ? { parts: before.parts + weightOf(before.call, call), count: before.count + 1, call, at }
      : { parts: parts.atOnce, count: 1, call, at };
    known.set(call.key, same);
    if (call.answer === calls.at(-1)?.answer && same.parts > most.parts) most = same;
  }
  return most;
}

function weightOf(before: PastCall | undefined, { waits, endedAt }: PastCall): number {
  const pause = before?.endedAt === undefined || endedAt === undefined ? 0 : endedAt - before.endedAt;
  return waits === "no" || pause < pauseMs ? parts.atOnce : parts[waits];
}

/** Warns before the turn's last possible answer, once per limit. */
function lastRound(turn: TurnState, context: LookBack): DetectedPattern | undefined {
  const last = mostRounds(turn, context.limits) - 1;
  const wasTold = turn.detected.some(
    ({ pattern, answers }) => pattern === "max-steps-approaching" && answers >= last,
  );
  if (turn.answers !== last || wasTold || !endsWithRounds(context)) return undefined;
  return { pattern: "max-steps-approaching", count: last };
}

function endless({ title }: PastCall, count: number): Move {
  const because = `the model made the same call ${count} times with the same result, although it was told (${title}).`;
  const advice = "Say what it should do instead, or use another model.";
  return { type: "finish", stopped: "failed", because, advice };
}

function fruitless(rounds: number): Move {
  const because = `every call of the last ${rounds} rounds failed or was refused.`;
  const advice = "Say how to go on, allow what it needs, or use another model.";
  return { type: "finish", stopped: "failed", because, advice };
}

function wordsFor({ pattern, count, call }: DetectedPattern): string {
  switch (pattern) {
    case "repeated-tool-error":
      return `${call?.tool ?? "The tool"} has failed ${count} times in a row. Do not call it like that again: read what the last result says, look at what is really there, and then go another way. If there is none, say what does not work and why.`;
    case "tool-rejection-loop":
      return `${count} calls were refused, by the user or by the rules. Do not try the same by other means. Do what can be done without it, or tell the user what you need and why.`;
    case "no-progress":
      return `The same call has come to the same result ${count} times (${call?.title ?? "the last one"}), and nothing has changed since. Do not make it again: use what you know, do something else, or say what is in the way.`;
    case "all-failed":
      return `Nothing that was called in the last ${count} rounds has worked. Stop, think about why, and choose another approach: check what you take for granted, take a smaller step, or use other tools. If the task cannot be done, say so.`;
    case "max-steps-approaching":
      return "Only one more answer can be given to this request. Finish now: say what was done, what was verified and what is left to do.";
    default:
      return pattern satisfies never;
  }
}
