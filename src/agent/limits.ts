/** What a turn may use up, and what happens when it has: it stops, asks a person, or goes on by itself (D11). */
import type { TurnState } from "../protocol/session-state.ts";
import type { Move } from "./move.ts";
import type { TurnRoom } from "./room.ts";

/** The move at a limit; undefined while there is none. */
export function limitMove(turn: TurnState, { limits }: TurnRoom): Move | undefined {
  if (turn.answers >= limits.maxRounds)
    return overLimit(`the limit of ${limits.maxRounds} rounds was reached`);
  if (turn.callIds.length >= limits.maxCalls)
    return overLimit(`the limit of ${limits.maxCalls} calls was reached`);
  return undefined;
}

const overLimit = (because: string): Move => ({ type: "finish", stopped: "limit", because });
