/** Resumes calls that an earlier step left open, from what the log knows of them. */

import type { ToolCall } from "../../protocol/messages.ts";
import type { TurnContext } from "../turn-context.ts";
import { performCall } from "./call.ts";
import { openStep, outcomeOf } from "./step.ts";

/** Runs every call that may run, after an approval or a crash. "wait": a person must answer first. */
export async function runOpenCalls(context: TurnContext): Promise<"continue" | "wait"> {
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
