/** State shared by the calls of one step: their turnstile, and how the answer that contains them ended. */

import type { FactOf } from "../../protocol/facts.ts";
import type { FilesOfLine } from "../../safety/named-files.ts";
import type { ToolResult } from "../../tools/tool.ts";
import type { TurnContext } from "../turn-context.ts";
import { CallTurnstile } from "./call-turnstile.ts";
import type { UnderstoodCall } from "./understand.ts";

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
export function openStep(turn: TurnContext): OpenStep {
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
