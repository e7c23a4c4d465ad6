/** Messages that came while the turn ran are taken between two answers, never in the middle of one. */

import type { Fact } from "../protocol/facts.ts";
import { saidTo } from "../protocol/session-state.ts";
import type { Move } from "./move.ts";
import type { TurnRoom } from "./room.ts";

/** Also a turn that would be over, or has failed, goes on with what it is told. */
export function steerMove({ log, withdrawing }: TurnRoom, wanted: Move): Move | undefined {
  if (wanted.type === "wait") return undefined;
  const facts = log.state.queue.flatMap((message): Fact[] => {
    const { id, content, when } = message;
    if (when !== "steer" || withdrawing.has(id)) return [];
    return [{ type: "steer", content, queued: id }, ...saidTo(message)];
  });
  return facts.length === 0 ? undefined : { type: "tell", facts };
}
