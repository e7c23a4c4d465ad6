/** Reports and compacts the context of an open session, at a person's request. */

import { compact } from "../agent/context/compact.ts";
import { nextPrompt } from "../agent/context/moves.ts";
import { type ContextReport, contextReport } from "../agent/context/report.ts";
import type { TurnContext } from "../agent/turn-context.ts";

export const contextOf = (room: TurnContext): ContextReport =>
  contextReport({ ...nextPrompt(room), state: room.log.state }, room.model);

/** An interruption cancels the compaction and changes nothing. */
export async function compactFor(room: TurnContext): Promise<void> {
  try {
    const said = (await room.extensions.beforeCompaction?.("person", room.signal)) ?? [];
    room.signal.throwIfAborted();
    if (said.length > 0) await room.log.append(...said);
    await compact(room, "person");
  } catch (error) {
    if (!room.signal.aborted) throw error;
  }
}
