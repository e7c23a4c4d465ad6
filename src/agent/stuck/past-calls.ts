/** A turn's latest calls, as the pattern detectors see them: only how each ended, never what its text says. */

import { sha256 } from "../../base/crypto.ts";
import type { Expected } from "../../base/expected.ts";
import { jsonInOrder } from "../../base/json.ts";
import type { Does } from "../../protocol/facts.ts";
import {
  type CallState,
  type SessionState,
  titleOfCall,
  type TurnState,
} from "../../protocol/session-state.ts";
import type { SessionLog } from "../../session/log.ts";
import { findTool } from "../../tools/index.ts";
import type { Tool } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";

export type PastCall = {
  id: string;
  /** The tool's own name, whatever the model wrote. */
  tool: string;
  title: string;
  /** The number of the answer that contains the call, within the turn. */
  answer: number;
  /** "nothing": it never started, or its outcome is unknown. */
  came: "ok" | "failed" | "denied" | "nothing";
  does: Does | undefined;
  /** Whether the call may be waiting for something external. */
  waits: "no" | "command" | "waiting";
  /** Equal for equal calls with equal results. */
  key: string | undefined;
  /** Whether the call changed files. */
  changes: boolean;
  endedAt: number | undefined;
};

/** The part of a turn's context needed to look back. */
export type LookBack = Pick<TurnContext, "tools" | "limits" | "interactive"> & {
  log: Pick<SessionLog, "state">;
};

/** How far to look back: a model going round in circles needs fewer, however many calls each has. */
const mostAnswers = 64;

/** Oldest first. Results no longer in the prompt in full end the look-back: they can no longer be compared. */
export function pastCalls({ callIds, answers }: TurnState, context: LookBack): PastCall[] {
  const { state } = context.log;
  const known = latestCalls(callIds, answers - mostAnswers, state);
  const forgotten = known.findLastIndex(
    ({ call, result }) => state.trimmed.has(call.id) || !result?.content.length,
  );
  // Read once: the list of tools is computed on each access.
  const { tools } = context;
  const found = new Map<string, Expected<Tool>>();
  return known.slice(forgotten + 1).map((call) => {
    const tool = found.get(call.call.name) ?? findTool(tools, call.call.name);
    found.set(call.call.name, tool);
    return pastCall(call, tool, state);
  });
}

/** Those of the answers after this one, oldest first. */
function latestCalls(callIds: readonly string[], after: number, { calls }: SessionState): CallState[] {
  const latest: CallState[] = [];
  for (let at = callIds.length - 1; at >= 0; at -= 1) {
    const known = calls.get(callIds[at] ?? "");
    if (known && known.answer <= after) break;
    if (known) latest.push(known);
  }
  return latest.reverse();
}

function pastCall(known: CallState, tool: Expected<Tool>, state: SessionState): PastCall {
  const { call, start, endedAt } = known;
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
      // A lasting command that outlived its call's wait has not failed.
      return tool.ok && tool.value.lasting ? "ok" : "failed";
    case "cancelled":
    case "interrupted":
      return "nothing";
    default:
      return outcome satisfies never;
  }
}

/** `asked` identifies the call alone, `whole` the call with its result. */
type CallKey = { asked: string; whole: string };

const keys = new WeakMap<CallState, CallKey>();

/** Undefined if the result is no longer known, or never was. */
function keyOf(known: CallState, { trimmed }: Pick<SessionState, "trimmed">): CallKey | undefined {
  const { call, result } = known;
  if (!result || result.content.length === 0 || trimmed.has(call.id)) return undefined;
  const made = keys.get(known);
  if (made) return made;
  const asked = hashOf([call.name, call.input]);
  const key = { asked, whole: hashOf([asked, result.outcome, result.content]) };
  keys.set(known, key);
  return key;
}

/** The order of arguments does not matter. */
const hashOf = (value: unknown): string => sha256(new TextEncoder().encode(jsonInOrder(value)));

const hasChanged = ({ applied }: CallState): boolean => (applied?.changes.length ?? 0) > 0;
