/** Reports and compacts the context of an open session, at a person's request. */

import { compact } from "../agent/context/compact.ts";
import { nextPrompt } from "../agent/context/moves.ts";
import { type ContextReport, contextReport } from "../agent/context/report.ts";
import type { TurnContext } from "../agent/turn-context.ts";

export const contextOf = (context: TurnContext): ContextReport =>
  contextReport({ ...nextPrompt(context), state: context.log.state }, context.model);

/** An interruption cancels the compaction and changes nothing. */
export async function compactFor(context: TurnContext, by: string | undefined): Promise<void> {
  try {
    const said = (await context.extensions.beforeCompaction?.("person", context.signal)) ?? [];
    context.signal.throwIfAborted();
    if (said.length > 0) await context.log.append(...said);
    await compact(context, "person", by);
  } catch (error) {
    if (!context.signal.aborted) throw error;
  }
}
