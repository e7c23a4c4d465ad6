/** What the calls of one step share: their queue, and how the answer that asked for them came out. */
import { Turnstile } from "../base/turnstile.ts";
import type { TurnRoom } from "./room.ts";

/** How the model's answer came out; "broken" means that what has not started never starts. */
export type AnswerOutcome = "whole" | "broken";

/** What the calls of one step share. */
export type Step = {
  room: TurnRoom;
  turnstile: Turnstile;
  /** Resolves when the answer is over. From then on no call waits for a person inside this step. */
  answerOver: Promise<AnswerOutcome>;
  outcome: AnswerOutcome | undefined;
  /** A call ahead waits for a person: whoever comes after it leaves its place until the next step. */
  stalled: boolean;
  /** Changes and commands that are queued or running: what comes later may depend on them. */
  exclusiveAhead: number;
};

/** A step whose answer may still be streaming; `end` tells its calls how it came out. */
export function openStep(room: TurnRoom): { step: Step; end(outcome: AnswerOutcome): void } {
  const over = Promise.withResolvers<AnswerOutcome>();
  const step: Step = {
    room,
    turnstile: new Turnstile(),
    answerOver: over.promise,
    outcome: undefined,
    stalled: false,
    exclusiveAhead: 0,
  };
  const end = (outcome: AnswerOutcome): void => {
    step.outcome = outcome;
    over.resolve(outcome);
  };
  return { step, end };
}

/** Waits for all, then throws the first failure: no call is left running unwatched. */
export async function finishAll(running: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(running);
  const broken = ends.find((end) => end.status === "rejected");
  if (broken) throw broken.reason;
}
