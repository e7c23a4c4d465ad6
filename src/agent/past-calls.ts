/** The last calls of a turn, as those who look for patterns see them: what came of each, never what its words say. */

import type { Expected } from "../base/expected.ts";
import type { Does } from "../protocol/facts.ts";
import { type CallState, type SessionState, titleOfCall, type TurnState } from "../protocol/session-state.ts";
import type { SessionLog } from "../session/log.ts";
import { findTool } from "../tools/index.ts";
import type { Tool } from "../tools/tool.ts";
import { hasChanged, keyOf } from "./repetition.ts";
import type { TurnRoom } from "./room.ts";

export type PastCall = {
  id: string;
  /** As we call it, whatever the model wrote. */
  tool: string;
  title: string;
  /** Which answer of the turn asked for it. */
  answer: number;
  /** "nothing": it was never started, or nobody knows what came of it. */
  came: "ok" | "failed" | "denied" | "nothing";
  does: Does | undefined;
  /** Whether it may wait for something that happens elsewhere. */
  waits: "no" | "command" | "waiting";
  /** The same for the same call with the same result. */
  key: string | undefined;
  /** It has changed files. */
  changes: boolean;
  endedAt: number | undefined;
};

/** What is needed of a turn's room to look back. */
export type LookBack = Pick<TurnRoom, "tools" | "limits" | "interactive"> & {
  log: Pick<SessionLog, "state">;
};

/** So far is looked back: a model that goes round in circles takes fewer, however many calls each of them has. */
const mostAnswers = 64;

/**
 * Oldest first. Results that are not told in full any more end the look back: nobody knows whether they are the same.
 */
export function pastCalls({ callIds, answers }: TurnState, room: LookBack): PastCall[] {
  const { state } = room.log;
  const all = callIds.flatMap((id) => state.calls.get(id) ?? []);
  const known = all.filter(({ answer }) => answer > answers - mostAnswers);
  const forgotten = known.findLastIndex(
    ({ call, result }) => state.trimmed.has(call.id) || !result?.content.length,
  );
  // Asked for once: what is on offer is looked up anew each time.
  const { tools } = room;
  return known.slice(forgotten + 1).map((call) => pastCall(call, tools, state));
}

function pastCall(known: CallState, tools: readonly Tool[], state: SessionState): PastCall {
  const { call, start, endedAt } = known;
  const tool = findTool(tools, call.name);
  const came = whatCame(known, tool);
  const does = start?.does ?? (tool.ok ? tool.value.does : undefined);
  const ran = came === "ok" || came === "failed";
  return {
    id: call.id,
    tool: tool.ok ? tool.value.name : call.name,
    title: titleOfCall(known),
    answer: known.answer,
    came,
    does,
    waits: tool.ok && tool.value.lasting ? "waiting" : does === "execute" ? "command" : "no",
    key: ran && known.result?.outcome !== "invalid" ? keyOf(known, state)?.whole : undefined,
    changes: hasChanged(known),
    endedAt,
  };
}

function whatCame({ result }: CallState, tool: Expected<Tool>): PastCall["came"] {
  const outcome = result?.outcome ?? "cancelled";
  switch (outcome) {
    case "ok":
    case "failed":
    case "denied":
      return outcome;
    case "invalid":
      return "failed";
    case "timeout":
      // What goes on has not failed because it took longer than a call waited for it.
      return tool.ok && tool.value.lasting ? "ok" : "failed";
    case "cancelled":
    case "interrupted":
      return "nothing";
    default:
      return outcome satisfies never;
  }
}
