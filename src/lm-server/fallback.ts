/** Asks the models of a name in their order, until one of them begins its answer. */

import { sleep } from "../base/async.ts";
import { isPassing, ModelError, type ModelEvent } from "../protocol/model-events.ts";
import { openNextOf } from "../providers/next-model.ts";
import type { Model, Prompt } from "../providers/provider.ts";
import { isUnreadByServer } from "../providers/tool-failures.ts";
import type { NameTableRow } from "./names.ts";

/** Wait that a rate-limited provider gets before the next model of a name is asked, in milliseconds. */
const fallbackWaitMs = 2_000;

/** What a requested name leads to. */
export type ModelResolution = {
  /** The model to ask, which `next` replaces. */
  model: Model;
  assumedContext: number | undefined;
  /** Whether the name has further models. */
  hasOthers: boolean;
  /** The model that has begun to answer, by its name. */
  answering: string | undefined;
  /** Opens the next model; false if there is none left that can be opened. */
  next(): Promise<boolean>;
};

/** Opens the first of a name's models that can be opened. Throws the last one's failure. */
export async function openInOrder(
  { model, fallback = [], assumedContext }: NameTableRow,
  open: (model: string) => Promise<Model>,
): Promise<ModelResolution> {
  const left = [model, ...fallback];
  let failure: unknown;
  const openNext = (): Promise<Model | undefined> =>
    openNextOf(left, open, (_, error) => {
      if (!isLeft(error)) throw error;
      failure = error;
    });
  const first = await openNext();
  if (!first) throw failure;
  const found: ModelResolution = {
    model: first,
    assumedContext,
    hasOthers: fallback.length > 0,
    answering: undefined,
    async next() {
      const opened = await openNext().catch(nothing);
      if (opened) found.model = opened;
      return opened !== undefined;
    },
  };
  return found;
}

const nothing = (): undefined => undefined;

type FallbackContext = {
  ask: (model: Model) => Pick<Model, "ask">;
  /** `found` has left this model for its next one. */
  left: (model: string, because: ModelError) => void;
};

/** Further asks begin with the model that answered last. Without others the model is asked as it is. */
export function askedInOrder(found: ModelResolution, asking: FallbackContext): Pick<Model, "ask"> {
  if (!found.hasOthers) return asking.ask(found.model);
  return { ask: (prompt, signal) => inOrder(found, asking, { prompt, signal }) };
}

async function* inOrder(
  found: ModelResolution,
  { ask, left }: FallbackContext,
  { prompt, signal }: { prompt: Prompt; signal: AbortSignal },
): AsyncGenerator<ModelEvent> {
  let waited = false;
  for (;;) {
    const { model } = found;
    const begun = { isBegun: false };
    try {
      for await (const event of onceBegun(ask(model).ask(prompt, signal), begun)) {
        found.answering = model.name;
        yield event;
      }
      return;
    } catch (error) {
      if (begun.isBegun || signal.aborted || !isLeft(error)) throw error;
      const wait: number | undefined = waited ? undefined : shortWait(error);
      waited = wait !== undefined;
      if (wait !== undefined) await sleep(wait, signal);
      else if (await found.next()) left(model.name, error);
      else throw error;
    }
  }
}

/** What says nothing yet is held back until something is said: another model may still say it instead. */
async function* onceBegun(
  events: AsyncIterable<ModelEvent>,
  begun: { isBegun: boolean },
): AsyncGenerator<ModelEvent> {
  const held: ModelEvent[] = [];
  for await (const event of events) {
    if (!begun.isBegun && (event.type === "withheld" || event.type === "retrying")) continue;
    if (!begun.isBegun && saysNothing.has(event.type)) held.push(event);
    else {
      begun.isBegun = true;
      yield* held.splice(0);
      yield event;
    }
  }
}

const saysNothing: ReadonlySet<ModelEvent["type"]> = new Set(["answer-start", "notice", "usage"]);

/** Whether another model may fare better. What a server made of its own model's call is for that model to mend. */
const isLeft = (error: unknown): error is ModelError =>
  error instanceof ModelError && isPassing(error.kind) && !isUnreadByServer(error);

/** A provider that asks for a short wait gets it, once. */
const shortWait = ({ kind, retryAfter }: ModelError): number | undefined =>
  kind === "rate-limit" && retryAfter !== undefined && retryAfter <= fallbackWaitMs ? retryAfter : undefined;
