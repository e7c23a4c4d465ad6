/** What the calls of one step share: their queue, and how the answer that asked for them came out. */

import { Turnstile } from "../base/turnstile.ts";
import type { FactOf } from "../protocol/facts.ts";
import type { TurnRoom } from "./room.ts";

/**
 * How the model's answer came out. "cut": by the length limit or a refusal; whole native calls of it are run, calls
 * read from its text only read. "broken": what has not started never starts.
 */
type AnswerOutcome = "whole" | "cut" | "broken";

/** What the calls of one step share. */
export type Step = {
  /** The turn's room; its signal is the step's own, which `stop` aborts too. */
  room: TurnRoom;
  turnstile: Turnstile;
  /** Resolves when all calls so far are understood and have their places in the queue. */
  understanding: Promise<unknown>;
  /** Resolves when each call considered so far has been asked about, or needs no question. */
  asking: Promise<unknown>;
  /** Resolves when the answer is over. From then on no call waits for a person inside this step. */
  answerOver: Promise<AnswerOutcome>;
  outcome: AnswerOutcome | undefined;
  /** A call ahead waits for a person: whoever comes after it leaves its place until the next step. */
  stalled: boolean;
  /** Changes and commands that are queued or running: what comes later may depend on them. */
  exclusiveAhead: number;
  /** Those of them that are considered only when their turn comes. */
  unconsideredAhead: number;
  /** Questions of the model that have no reply yet: nobody is asked about what it wrote without knowing that. */
  questionsAhead: number;
  /** The log failed: the stream and every call of the step are aborted, nothing runs on unrecorded. */
  stop: (because: unknown) => void;
};

type OpenStep = {
  step: Step;
  /** Tells the calls how the answer came out. */
  end: (outcome: AnswerOutcome) => void;
  /** Waits for all of them, then throws the first failure: no call is left running unwatched. */
  finish: (running: readonly Promise<void>[]) => Promise<void>;
};

/** A step whose answer may still be streaming. To be finished in any case. */
export function openStep(turn: TurnRoom): OpenStep {
  const over = Promise.withResolvers<AnswerOutcome>();
  const controller = new AbortController();
  const interrupt = (): void => controller.abort(turn.signal.reason);
  if (turn.signal.aborted) interrupt();
  turn.signal.addEventListener("abort", interrupt, { once: true });
  const step: Step = {
    room: { ...turn, signal: controller.signal },
    turnstile: new Turnstile(),
    understanding: Promise.resolve(),
    asking: Promise.resolve(),
    answerOver: over.promise,
    outcome: undefined,
    stalled: false,
    exclusiveAhead: 0,
    unconsideredAhead: 0,
    questionsAhead: 0,
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
