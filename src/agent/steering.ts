/** Messages that came while the turn ran are taken between two answers, never in the middle of one. */
import type { Fact } from "../protocol/facts.ts";
import type { SessionState } from "../protocol/session-state.ts";
import type { Move } from "./move.ts";

/** Also a turn that would be over, or has failed, goes on with what it is told. */
export function steerMove({ queue }: SessionState, wanted: Move): Move | undefined {
  if (wanted.type === "wait") return undefined;
  const facts = queue.flatMap(({ id, content, when }): Fact[] =>
    when === "steer" ? [{ type: "steer", content, queued: id }] : [],
  );
  return facts.length === 0 ? undefined : { type: "tell", facts };
}
