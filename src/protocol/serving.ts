/**
 * What a server of models tells of its requests to who only listens. Nobody waits for it, and what it throws is
 * dropped.
 */

import type { Ask } from "./messages.ts";
import type { ModelEvent } from "./model-events.ts";

/** A request, before anything of it is checked. */
export type Arrival = { method: string; path: string; header(name: string): string | undefined };

/** Called once for each request. */
export type HearsRequests = (arrival: Arrival) => RequestHeard;

/** What is heard of one request. */
export type RequestHeard = {
  /** Who asks has shown the token. `route` is the path as the table of routes has it, where there is something. */
  accepted(route: string | undefined): void;
  /** A model was found: `name` is what the client calls it, `model` is "provider/model". */
  found(about: { name: string; model: string; streamed: boolean }): void;
  /** That model is asked; for a second time where its calls could not be mended. */
  asking(prompt: Omit<Ask, "model">): AskHeard;
  /** Once. */
  over(end: RequestEnd): void;
};

export type RequestEnd = {
  status: number;
  /** In one word, where it failed: a kind of ModelError, "refused", "unexpected", or "aborted" by the client. */
  failure?: string | undefined;
  /** That the client got, and how many of those were mended before. */
  calls?: number | undefined;
  mended?: number | undefined;
};

/** What is heard of one asking of a model. */
export type AskHeard = {
  told(event: ModelEvent): void;
  /** Once. */
  over(failure?: AskFailure): void;
};

export type AskFailure = { kind: string; message?: string };
