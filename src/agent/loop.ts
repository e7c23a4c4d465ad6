/** The turn: ask the model, run what it calls, until it asks for nothing. One step at a time, from the log alone. */
import { currentTurn, type TurnState } from "../protocol/session-state.ts";
import { hearAnswer } from "./answer.ts";
import { finish, finishInterrupted } from "./finish.ts";
import { nextMove } from "./next-move.ts";
import { runOpenCalls } from "./open-calls.ts";
import type { TurnRoom } from "./room.ts";

export type Advance = "continue" | "wait" | "done";

/**
 * One step of the open turn. "wait": a person has been asked and nothing else can be done; call again when an answer
 * was given, in this process or another.
 */
export async function advance(room: TurnRoom): Promise<Advance> {
  const { state } = room.log;
  const turn = currentTurn(state);
  if (state.status === "idle" || !turn) return "done";
  if (room.signal.aborted) return finishInterrupted(room);
  try {
    return state.open.size > 0 ? await runOpenCalls(room) : await takeMove(turn, room);
  } catch (error) {
    if (room.signal.aborted) return finishInterrupted(room);
    throw error;
  }
}

async function takeMove(turn: TurnState, room: TurnRoom): Promise<Advance> {
  const move = nextMove(turn, room);
  switch (move.type) {
    case "ask":
      await pauseAfterFailure(turn, room);
      return hearAnswer(room);
    case "compact":
      return (await import("./context/compact.ts")).compact(room, move.because);
    case "tell":
      await room.log.append(...move.facts);
      return "continue";
    case "wait":
      return "wait";
    case "finish":
      return finish(room, move);
    default:
      return move satisfies never;
  }
}

async function pauseAfterFailure(turn: TurnState, room: TurnRoom): Promise<void> {
  if (turn.failuresInARow === 0 || room.log.state.context.overflows > 0) return;
  const failure = room.log.state.lastAnswer?.failure;
  const waitMs = Math.min(failure?.retryAfter ?? 500 * 2 ** turn.failuresInARow, 60_000);
  const because = failure?.message ?? "The answer broke off.";
  room.log.signal({ type: "retrying", because, waitMs, attempt: turn.failuresInARow });
  await room.sleep(waitMs, room.signal);
}
