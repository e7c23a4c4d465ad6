/** The fixed words of facts, separate from their schemas, which take 8 ms to load and which a run may never need. */

/** The version written on every fact; readers lift older ones (protocol/decode.ts). */
export const factVersion = 1;

export const modes = ["ask", "accept-edits", "plan", "auto", "deny", "staged", "trusted"] as const;
export const risks = ["none", "medium", "high", "critical"] as const;
export const verdicts = ["allow", "ask", "ask-always", "deny"] as const;
export const outcomes = ["ok", "failed", "denied", "invalid", "timeout", "cancelled", "interrupted"] as const;
/** How long a person's approval lasts; "project": in this workspace, until revoked. */
export const scopes = ["once", "turn", "session", "project"] as const;
/** Recorded as the answerer when a question timed out; it counts as a no. */
export const nobody = "timeout";
/** What to say instead of a person, if no person answered; undefined if one did. */
export function withoutPerson(by: string): string | undefined {
  if (by === nobody) return "nobody answered in time";
  return by === "toolwright" ? "nobody answered" : undefined;
}
/** What a command may do in the sandbox, from least to most. */
export const profiles = ["read", "git", "build", "install", "open"] as const;
/** How much of a command's file changes undo can revert: the whole workspace, only known or small files, or nothing. */
export const coverages = ["workspace", "partly", "nothing"] as const;
export const stops = ["done", "interrupted", "failed", "limit"] as const;
/** What a turn's limits count: answers, calls, US dollars, tokens, milliseconds of work. */
export const limitNames = ["rounds", "calls", "cost", "tokens", "time"] as const;
/** Ways in which a model gets stuck, the most conclusive first (E9, B11). */
export const patterns = [
  "repeated-tool-error",
  "tool-rejection-loop",
  "no-progress",
  "all-failed",
  "max-steps-approaching",
] as const;
export const todoStates = ["open", "doing", "done"] as const;
/** Sources that add text to the model's prompt: instruction files, hooks, a tool server. */
export const sources = ["instructions", "hook", "server"] as const;
/** When hooks run (docs/hooks.md). */
export const hookEvents = [
  "session-start",
  "session-end",
  "prompt",
  "before-call",
  "after-call",
  "before-change",
  "after-change",
  "approval-asked",
  "turn-end",
  "compaction",
] as const;
/**
 * `vetoed`: the hook said no. `asked`: it requires a person's answer. `failed`, `timeout`: it reached no verdict; its
 * settings decide whether that counts as a no (`blocked`).
 */
export const hookOutcomes = ["ok", "asked", "vetoed", "failed", "timeout", "blocked"] as const;
/** When a message sent during a turn is delivered: at the turn's next safe point, or after the turn. */
export const deliveries = ["steer", "next"] as const;

/** How much may happen without asking a person. @public */
export type Mode = (typeof modes)[number];
export type Risk = (typeof risks)[number];
export type Verdict = (typeof verdicts)[number];
export type Scope = (typeof scopes)[number];
export type Profile = (typeof profiles)[number];
export type Coverage = (typeof coverages)[number];
/** How a call ended. @public */
export type CallOutcome = (typeof outcomes)[number];
export type TurnStopReason = (typeof stops)[number];
export type FailurePattern = (typeof patterns)[number];
export type LimitName = (typeof limitNames)[number];
export type Delivery = (typeof deliveries)[number];

/** Why a turn was interrupted if a person stopped it; any other reason says what did. */
export const byPerson = "interrupted by the user";
