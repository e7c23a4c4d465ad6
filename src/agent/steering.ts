/** Delivers messages sent during a turn: between two answers, never in the middle of one. */

import type { Fact } from "../protocol/facts.ts";
import { saidTo, takenMessage } from "../protocol/session-state.ts";
import type { Move } from "./move.ts";
import type { TurnContext } from "./turn-context.ts";

/** A message also continues a turn that would otherwise end or fail. */
export function steerMove({ log, withdrawing }: TurnContext, wanted: Move): Move | undefined {
  if (wanted.type === "wait") return undefined;
  const facts = log.state.queue.flatMap((message): Fact[] => {
    if (message.when !== "steer" || withdrawing.has(message.id)) return [];
    return [{ type: "steer", ...takenMessage(message) }, ...saidTo(message)];
  });
  return facts.length === 0 ? undefined : { type: "tell", facts };
}
