/** The fixed words of facts, apart from their schemas, which take 8 ms to load and which a run may never need. */

/** The version written on every fact; readers lift older ones (protocol/decode.ts). */
export const factVersion = 1;

export const modes = ["ask", "accept-edits", "plan", "auto", "deny", "staged"] as const;
export const risks = ["none", "medium", "high", "critical"] as const;
export const verdicts = ["allow", "ask", "ask-always", "deny"] as const;
export const outcomes = ["ok", "failed", "denied", "invalid", "timeout", "cancelled", "interrupted"] as const;
/** How long a person's yes holds; "project": in this workspace, until it is taken back. */
export const scopes = ["once", "turn", "session", "project"] as const;
/** Who has answered where nobody did in the time that there was: it counts as a no. */
export const nobody = "timeout";
/** What a command may do in the sandbox, from least to most. */
export const profiles = ["read", "git", "build", "install", "open"] as const;
/**
 * What of a command's file changes undo can take back: all in the workspace, what is known or small there, or nothing.
 */
export const coverages = ["workspace", "partly", "nothing"] as const;
export const stops = ["done", "interrupted", "failed", "limit"] as const;
/** What a turn may use up: answers, calls, US dollars, tokens, milliseconds of work. */
export const limitNames = ["rounds", "calls", "cost", "tokens", "time"] as const;
/** Ways in which a model gets stuck, the most telling first (E9, B11). */
export const patterns = [
  "repeated-tool-error",
  "tool-rejection-loop",
  "no-progress",
  "all-failed",
  "max-steps-approaching",
] as const;
export const todoStates = ["open", "doing", "done"] as const;
/** Who adds words of its own to what the model is told: instruction files, hooks, a tool server. */
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
 * `vetoed`: it said no. `asked`: a person is to be asked. `failed`, `timeout`: it could not say; whether that counts as
 * a no, its settings say (`blocked`).
 */
export const hookOutcomes = ["ok", "asked", "vetoed", "failed", "timeout", "blocked"] as const;
/** When a message that is sent while a turn runs is taken: at the next safe point of the turn, or after it. */
export const deliveries = ["steer", "next"] as const;

/** How much may happen without a question. */
export type Mode = (typeof modes)[number];
export type Risk = (typeof risks)[number];
export type Verdict = (typeof verdicts)[number];
export type Scope = (typeof scopes)[number];
export type Profile = (typeof profiles)[number];
export type Coverage = (typeof coverages)[number];
/** How a call ended. */
export type Outcome = (typeof outcomes)[number];
export type Stopped = (typeof stops)[number];
export type Pattern = (typeof patterns)[number];
export type LimitName = (typeof limitNames)[number];
export type Delivery = (typeof deliveries)[number];
