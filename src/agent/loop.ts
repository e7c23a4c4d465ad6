/** The turn: ask the model, run what it calls, until it asks for nothing. One step at a time, from the log alone. */

import { waitBefore } from "../base/backoff.ts";
import { httpBounds } from "../base/bounds.ts";
import { firstLine } from "../base/text.ts";
import type { Fact } from "../protocol/facts.ts";
import type { ToolCall } from "../protocol/messages.ts";
import { currentTurn, type TurnState } from "../protocol/session-state.ts";
import { hearAnswer } from "./answer/answer.ts";
import { turnBounds } from "./bounds.ts";
import { performCall } from "./call/call.ts";
import { openStep, outcomeOf } from "./call/step.ts";
import { finish, finishInterrupted } from "./finish.ts";
import type { Finish } from "./move.ts";
import { nextMove } from "./next-move.ts";
import type { TurnContext } from "./turn-context.ts";

type Advance = "continue" | "wait" | "done";

/**
 * Performs one step of the open turn. "wait": a person must answer before anything else can be done; call again once
 * they have, in this process or another.
 */
export async function advance(context: TurnContext): Promise<Advance> {
  const { state } = context.log;
  const turn = currentTurn(state);
  if (state.status === "idle" || !turn) return "done";
  if (context.signal.aborted) return finishInterrupted(context);
  try {
    return state.open.size > 0 ? await runOpenCalls(context) : await takeMove(turn, context);
  } catch (error) {
    if (context.signal.aborted) return finishInterrupted(context);
    throw error;
  }
}

async function takeMove(turn: TurnState, context: TurnContext): Promise<Advance> {
  const move = nextMove(turn, context);
  switch (move.type) {
    case "ask":
      if (await tellFirst(context)) return "continue";
      await pauseAfterFailure(turn, context);
      return hearAnswer(context);
    case "compact":
      await store(context, (await context.extensions.beforeCompaction?.(move.because, context.signal)) ?? []);
      return (await import("./context/compact.ts")).compact(context, move.because);
    case "tell":
      await context.log.append(...move.facts);
      return "continue";
    case "wait":
      return "wait";
    case "finish":
      if (move.blame === "model" && (await isSubstituted(move, context))) return "continue";
      return endUnlessHeld(turn, move, context);
    default:
      return move satisfies never;
  }
}

/** The next model that a person named for this case goes on with the turn. */
const isSubstituted = async ({ because = "" }: Finish, context: TurnContext): Promise<boolean> =>
  store(context, (await context.substitute?.(because)) ?? []);

async function endUnlessHeld(turn: TurnState, move: Finish, context: TurnContext): Promise<Advance> {
  const wanted = context.log.state.goal === undefined ? move : await withGoal(turn, move, context);
  const end = wanted && (await withExtensions(turn, wanted, context));
  return end === undefined ? "continue" : finish(context, end);
}

/** Loaded late: few sessions have a goal. */
const withGoal = async (turn: TurnState, move: Finish, context: TurnContext): Promise<Finish | undefined> =>
  (await import("./goal.ts")).endingWithGoal(turn, move, context);

/** Stores facts that extensions want in the log before the model is asked; once they are there, extensions add none. */
const tellFirst = async (context: TurnContext): Promise<boolean> =>
  store(context, (await context.extensions.beforeAsk?.(context.log.state, context.signal)) ?? []);

async function store({ log, signal }: TurnContext, facts: readonly Fact[]): Promise<boolean> {
  signal.throwIfAborted();
  if (facts.length === 0) return false;
  await log.append(...facts);
  return true;
}

/**
 * An extension that inspects the work may object that it is not done: a limited number of times the turn goes on
 * (undefined) and then it ends as what it is, not done.
 */
async function withExtensions(
  turn: TurnState,
  end: Finish,
  context: TurnContext,
): Promise<Finish | undefined> {
  const { extensions, signal } = context;
  if (!extensions.beforeEnd) return end;
  const times = turn.nudges.get(heldBack) ?? 0;
  const ending = { stopped: end.stopped, text: turn.lastText, heldBack: times };
  const { veto, facts } = await extensions.beforeEnd(ending, signal);
  await store(context, facts);
  if (veto === undefined || end.stopped !== "done") return end;
  if (times >= turnBounds.heldBack.most)
    return {
      type: "finish",
      stopped: "limit",
      because: `it is not done, says ${firstLine(veto, mostBecause)}`,
    };
  await store(context, [{ type: "nudge", code: heldBack, text: `Not done yet, says ${veto}` }]);
  return undefined;
}

const heldBack = "turn-end-hook";
const mostBecause = 300;

async function pauseAfterFailure(turn: TurnState, context: TurnContext): Promise<void> {
  if (turn.failuresInARow === 0 || context.log.state.context.overflows > 0) return;
  const failure = context.log.state.lastAnswer?.failure;
  const waitMs = Math.min(waitBefore(turn.failuresInARow, failure?.retryAfter), httpBounds.retryTime.most);
  const because = failure?.message ?? "The answer broke off.";
  context.log.signal({ type: "retrying", because, waitMs, attempt: turn.failuresInARow });
  await context.sleep(waitMs, context.signal);
}

/** Runs every call that may run, after an approval or a crash. "wait": a person must answer first. */
async function runOpenCalls(context: TurnContext): Promise<"continue" | "wait"> {
  const { state } = context.log;
  const { step, end, finish } = openStep(context, true);
  end(outcomeOf(state.lastAnswer?.reason ?? "interrupted"));
  const calls = [...state.open].flatMap((id): ToolCall[] => {
    const known = state.calls.get(id);
    return known ? [context.log.callAsMade(known.call)] : [];
  });
  await finish(calls.map((call) => performCall(call, step)));
  return step.turnstile.isClosed ? "wait" : "continue";
}
