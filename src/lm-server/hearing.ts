/**
 * Lets an observer follow a request. The observer's errors never affect the request, and without one nothing is done.
 */

import { attempt } from "../base/expected.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import type {
  Arrival,
  AskFailure,
  AskHeard,
  HearsRequests,
  RequestEnd,
  RequestHeard,
} from "../protocol/serving.ts";
import type { Model, Prompt } from "../providers/provider.ts";
import type { Tab } from "./meter.ts";

/** Wraps a request's observer so that it never throws; undefined if there is none. */
export function hearing(hears: HearsRequests | undefined, arrival: Arrival): RequestHeard | undefined {
  const heard = hears && attempt(() => hears(arrival));
  if (!heard) return undefined;
  return {
    accepted: (route) => attempt(() => heard.accepted(route)),
    found: (about) => attempt(() => heard.found(about)),
    over: (end: RequestEnd) => attempt(() => heard.over(end)),
    asking(prompt) {
      const ask: AskHeard | undefined = attempt(() => heard.asking(prompt));
      return {
        told: (event) => attempt(() => ask?.told(event)),
        over: (failure) => attempt(() => ask?.over(failure)),
      };
    },
  };
}

/** The model with every attempt on the client's account, and reported to the observer. */
export function heardModel(
  model: Model,
  { tab, heard }: { tab: Tab; heard: RequestHeard | undefined },
): Pick<Model, "ask"> {
  const metered = tab.metered(model);
  if (!heard) return metered;
  return { ask: (prompt, signal) => heardAnswer(metered, prompt, { signal, heard }) };
}

async function* heardAnswer(
  model: Pick<Model, "ask">,
  prompt: Prompt,
  { signal, heard }: { signal: AbortSignal; heard: RequestHeard },
): AsyncGenerator<ModelEvent> {
  const ask = heard.asking(prompt);
  let failure: AskFailure | undefined = { kind: "aborted" }; // until the answer ends normally
  try {
    for await (const event of model.ask(prompt, signal)) {
      ask.told(event);
      yield event;
    }
    failure = undefined;
  } catch (error) {
    if (!signal.aborted) failure = failureOf(error);
    throw error;
  } finally {
    ask.over(failure);
  }
}

const failureOf = (error: unknown): AskFailure =>
  error instanceof ModelError ? { kind: error.kind, message: error.message } : { kind: "unexpected" };
