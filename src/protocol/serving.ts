/**
 * What a server of models reports about its requests to passive listeners: it does not wait for them and ignores their
 * exceptions.
 */

import type { Ask } from "./messages.ts";
import type { ModelEvent } from "./model-events.ts";

/** A request, before any of it is checked. */
export type Arrival = { method: string; path: string; header(name: string): string | undefined };

/** Called once for each request. */
export type HearsRequests = (arrival: Arrival) => RequestHeard;

/** Callbacks about one request. */
export type RequestHeard = {
  /** The client has presented a valid token. `route` is the matching path of the route table, if any. */
  accepted(route: string | undefined): void;
  /** A model was found: `name` is what the client calls it, `model` is "provider/model". */
  found(about: { name: string; model: string; streamed: boolean }): void;
  /** That model is asked; called a second time if its calls could not be repaired. */
  asking(prompt: Omit<Ask, "model">): AskHeard;
  /** Called once. */
  over(end: RequestEnd): void;
};

export type RequestEnd = {
  status: number;
  /** In one word, if it failed: a kind of ModelError, "refused", "unexpected", or "aborted" by the client. */
  failure?: string | undefined;
  /** Calls sent to the client, and how many of those were repaired first. */
  calls?: number | undefined;
  mended?: number | undefined;
};

/** Callbacks about one request to a model. */
export type AskHeard = {
  told(event: ModelEvent): void;
  /** Called once. */
  over(failure?: AskFailure): void;
};

export type AskFailure = { kind: string; message?: string };
