/** Delivers messages sent during a turn: between two answers, never in the middle of one. */

import type { Fact } from "../protocol/facts.ts";
import { saidTo } from "../protocol/session-state.ts";
import type { Move } from "./move.ts";
import type { TurnContext } from "./turn-context.ts";

/** A message also continues a turn that would otherwise end or fail. */
export function steerMove({ log, withdrawing }: TurnContext, wanted: Move): Move | undefined {
  if (wanted.type === "wait") return undefined;
  const facts = log.state.queue.flatMap((message): Fact[] => {
    const { id, content, when } = message;
    if (when !== "steer" || withdrawing.has(id)) return [];
    return [{ type: "steer", content, queued: id }, ...saidTo(message)];
  });
  return facts.length === 0 ? undefined : { type: "tell", facts };
}
