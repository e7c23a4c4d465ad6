/** What a call is, as far as its name and its arguments tell: its tool, what it would do, and what a person made of it. */
import type { Outcome } from "../protocol/facts.ts";
import { currentTurn } from "../protocol/session-state.ts";
import type { Call } from "../protocol/messages.ts";
import { unreadableCall } from "../tools/call-problems.ts";
import { findTool } from "../tools/index.ts";
import type { PreparedCall } from "../tools/tool.ts";
import { mostCalls } from "./limits.ts";
import type { TurnRoom } from "./room.ts";
import type { Job } from "./run.ts";
import { judgementOf, typedBy } from "./subject.ts";

export type Understood = Omit<Job, "call" | "step">;
export type Refusal = { outcome: Outcome; words: string };

export function understand(call: Call, room: TurnRoom): Understood | Refusal {
  const turn = currentTurn(room.log.state);
  const most = turn ? mostCalls(turn, room.limits) : 0;
  if ((turn?.callIds.lastIndexOf(call.id) ?? -1) >= most)
    return { outcome: "cancelled", words: `Not started: the limit of ${most} calls was reached.` };
  const found = findTool(room.tools, call.name);
  if (!found.ok) {
    const words = call.problem === undefined ? found.problem : unreadableCall(call, call.problem, undefined);
    return { outcome: "invalid", words };
  }
  const denied = room.deniedOutright(found.value.name);
  if (denied !== undefined) return { outcome: "denied", words: `Denied: ${denied}.` };
  if (call.problem !== undefined)
    return { outcome: "invalid", words: unreadableCall(call, call.problem, found.value) };
  const prepared = found.value.prepare(call.input);
  if (!prepared.ok) return { outcome: "invalid", words: prepared.problem };
  const understood = { tool: found.value, prepared: prepared.value };
  const command = room.log.state.calls.get(call.id)?.answered?.command;
  if (command !== undefined) return understandEdited(understood, command, room);
  return { ...understood, ...judged(prepared.value, room) };
}

/** The same call with the command that a person has written in place of the model's. */
export function understandEdited(
  { tool, prepared }: Pick<Understood, "tool" | "prepared">,
  command: string,
  room: TurnRoom,
): Understood | Refusal {
  const edited = prepared.edited?.(command);
  if (!edited) return { outcome: "failed", words: `Nothing was done: ${notEditable}` };
  if (!edited.ok) return { outcome: "invalid", words: edited.problem };
  return { tool, prepared: edited.value, edited: command, ...judged(edited.value, room) };
}

export const notEditable =
  "What is asked about is no command that could be changed. Allow it as it is, or say no and why.";

/** What is typed is judged for the program that takes it now. */
export function asOfNow(job: Job): Job {
  if (!job.typed) return job;
  const { typed: _, judgement: __, ...rest } = job;
  return { ...rest, ...judged(job.prepared, job.step.room) };
}

function judged(prepared: PreparedCall, room: TurnRoom): Pick<Job, "typed" | "judgement"> {
  const typed = typedBy(prepared, room);
  const judgement = judgementOf(prepared, typed, room);
  return { ...(typed ? { typed } : {}), ...(judgement ? { judgement } : {}) };
}
