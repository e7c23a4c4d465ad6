/** Questions to a person, as facts: asked in the log, answered in the log, from any surface, at any time. */

import type { FactOf } from "../protocol/facts.ts";
import type { Repair } from "../protocol/messages.ts";
import type { Decision } from "../safety/decide.ts";
import { onlyOnce } from "../safety/grants.ts";
import type { CallStep } from "./call/step.ts";

/** The question as a fact. `preview` is the whole command or the diff; `command`: the part a person may edit. */
export function question(
  callId: string,
  about: Pick<FactOf<"approval-asked">, "title" | "preview" | "place" | "command" | "culprit"> & {
    repairs: readonly Repair[];
  },
  decision: Decision,
): FactOf<"approval-asked"> {
  const { scopes, covers, words } = decision.offer ?? onlyOnce;
  return {
    type: "approval-asked",
    callId,
    title: about.title,
    because: decision.because,
    risk: decision.risk,
    preview: about.preview,
    ...(about.place === undefined ? {} : { place: about.place }),
    ...(about.command === undefined ? {} : { command: about.command }),
    ...(about.culprit === undefined ? {} : { culprit: about.culprit }),
    grant: words,
    scopes,
    ...(covers === undefined ? {} : { covers }),
    ...(decision.sandbox === undefined ? {} : { sandbox: decision.sandbox }),
    ...(about.repairs.length === 0 ? {} : { repairs: [...about.repairs] }),
  };
}

export const answerWithin = (
  step: CallStep,
  callId: string,
): Promise<FactOf<"approval-answered"> | undefined> =>
  within(step, () => step.context.log.state.calls.get(callId)?.answered);

/** A person's answer, if it exists or arrives while the model is still streaming; undefined: wait in a later step. */
export async function within<Word>(step: CallStep, known: () => Word | undefined): Promise<Word | undefined> {
  if (known() === undefined && step.outcome === undefined) await heardWithin(step, known);
  // A call that keeps waiting holds up all calls behind it, so those must be queued by then.
  await step.turnstile.understood;
  return known();
}

async function heardWithin(
  { context: { log, signal }, answerOver }: CallStep,
  known: () => unknown,
): Promise<void> {
  const waiting = new AbortController();
  const answered = log.until(() => known() !== undefined, AbortSignal.any([signal, waiting.signal]));
  await Promise.race([answered.catch(() => undefined), answerOver]);
  waiting.abort();
}
