/** What the calls of one step share, and when one may start, as far as that depends on the answer that holds them. */

import type { FactOf } from "../../protocol/facts.ts";
import type { FilesOfLine } from "../../safety/named-files.ts";
import type { ToolResult } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";
import { CallTurnstile } from "./call-turnstile.ts";
import { isStaged, type UnderstoodCall } from "./understand.ts";

/**
 * How the model's answer ended. "cut": by the length limit or a refusal; complete native calls still run, calls read
 * from its text only if they just read. "broken": calls that have not started never will.
 */
type AnswerOutcome = "whole" | "cut" | "broken";

/** What the calls of one step share. */
export type CallStep = {
  /** The turn's context; its signal also aborts when `stop` is called. */
  context: TurnContext;
  turnstile: CallTurnstile;
  /** Resolves when the answer has ended. From then on no call waits for a person inside this step. */
  answerOver: Promise<AnswerOutcome>;
  outcome: AnswerOutcome | undefined;
  /** Its calls were left open by an earlier step, perhaps of a process that stopped. */
  isResumed: boolean;
  /** The calls that are queued or running, with the files that each names, if these are all that concern it. */
  passing: Map<string, FilesOfLine | undefined>;
  /** Called if the log fails: aborts the stream and every call of the step, so nothing runs unrecorded. */
  stop: (because: unknown) => void;
};

/** An understood call at work in its step. */
export type CallJob = UnderstoodCall & { step: CallStep; ahead?: AheadRun };

/** A command's run before its turn. Nothing is left of it once it was dropped or taken. */
export type AheadRun = {
  /** Its turn has come: for how long it has run, and whether that is lost. Undefined if it has not begun. */
  comeDue: () => { ms: number; lost?: true } | undefined;
  /** Only if it stands: from here on it is like any other run. */
  take: () => Promise<ToolResult>;
  /** Ends it, unless it was taken. */
  drop: () => Promise<void>;
};

type OpenStep = {
  step: CallStep;
  /** Tells the calls how the answer ended. */
  end: (outcome: AnswerOutcome) => void;
  /** Waits for all calls, then throws the first failure: no call is left running unwatched. */
  finish: (running: readonly Promise<void>[]) => Promise<void>;
};

/** Opens a step whose answer may still be streaming. The caller must always call `finish`. */
export function openStep(turn: TurnContext, isResumed: boolean): OpenStep {
  const over = Promise.withResolvers<AnswerOutcome>();
  const controller = new AbortController();
  const interrupt = (): void => controller.abort(turn.signal.reason);
  if (turn.signal.aborted) interrupt();
  turn.signal.addEventListener("abort", interrupt, { once: true });
  const step: CallStep = {
    context: { ...turn, signal: controller.signal },
    turnstile: new CallTurnstile(),
    answerOver: over.promise,
    outcome: undefined,
    isResumed,
    passing: new Map(),
    stop: (because) => controller.abort(because),
  };
  return {
    step,
    end: (outcome) => {
      step.outcome = outcome;
      over.resolve(outcome);
    },
    finish: async (running) => {
      const ends = await Promise.allSettled(running);
      turn.signal.removeEventListener("abort", interrupt);
      const broken = ends.find((end) => end.status === "rejected");
      if (broken) throw broken.reason;
    },
  };
}

export function outcomeOf(reason: FactOf<"answer-end">["reason"]): AnswerOutcome {
  switch (reason) {
    case "stop":
    case "tool-calls":
      return "whole";
    case "length":
    case "refusal":
      return "cut";
    case "failed":
    case "interrupted":
      return "broken";
    default:
      return reason satisfies never;
  }
}

/**
 * A call read from text may turn out to be an example: until its answer is complete it changes nothing, sends nothing
 * and asks nobody; if the answer was cut off, it never does.
 */
export const startsEarly = ({ call, does, prepared }: CallJob): boolean =>
  call.source === "native" ||
  (does === "read" && prepared.asks === undefined && prepared.hosts === undefined);

export function whyNotStarted(job: CallJob): string | undefined {
  const { outcome } = job.step;
  if (outcome === "broken") return "the answer that asked for it broke off. Try again if it is still needed.";
  if (outcome === "cut" && !startsEarly(job))
    return "the answer that asked for it was cut off at its end. Send the call again, in smaller parts if it is long.";
  return undefined;
}

/**
 * Whether the call was written after a plan that was not yet approved. Approving the plan does not approve the call, as
 * the plan may have been edited.
 */
export function isBehindPlan({ call, does, judgement, step }: CallJob): boolean {
  const { calls, draft } = step.context.log.state;
  if (does === "read" || judgement?.onlyReads === true) return false;
  const ahead = draft.callIds.slice(0, Math.max(0, draft.callIds.indexOf(call.id)));
  return ahead.some((id) => calls.get(id)?.question?.steps !== undefined);
}

/** Whether the call may change workspace files. */
export const mayChange = (job: CallJob): boolean =>
  job.does !== "read" && !isStaged(job, job.step.context) && job.judgement?.onlyReads !== true;
