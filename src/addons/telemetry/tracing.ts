/**
 * What all sessions of a run share: the tracer, the metrics, and where each task that was given on stands in its trace.
 */

import type * as Otel from "@opentelemetry/api";
import type { Attributes, Context, Span, SpanKind, Tracer } from "@opentelemetry/api";
import { bounds } from "../../base/bounds.ts";
import type { Redact } from "../../base/redact.ts";
import type { Capture } from "./content.ts";
import type { Measures } from "./measures.ts";

type SpanGiven = { name: string; kind?: SpanKind; at: number; parent: Context; about: Attributes };

export type Tracing = {
  measures: Measures;
  redact: Redact;
  capture: Capture;
  kinds: Readonly<Record<"client" | "server" | "internal", SpanKind>>;
  /** As the conventions call a provider of ours. */
  providerName(provider: string): string;
  start(given: SpanGiven): Span;
  /** Ends it as failed: `because` is told where it is known. */
  fail(span: Span, errorType: string, because?: string): void;
  within(span: Span): Context;
  /** Where a session begins that nobody gave a task to. */
  root: Context;
  /** The calls that run, by session and call: tasks may be given by them. */
  delegating: Delegating;
};

export class Delegating {
  readonly #contexts = new Map<string, Context>();

  note(session: string, callId: string, context: Context): void {
    this.#contexts.set(`${session} ${callId}`, context);
    const [oldest] = this.#contexts.keys();
    if (this.#contexts.size > bounds.telemetry.delegating.most && oldest !== undefined)
      this.#contexts.delete(oldest);
  }

  of(parent: { session: string; callId: string } | undefined): Context | undefined {
    return parent && this.#contexts.get(`${parent.session} ${parent.callId}`);
  }

  forget(session: string, callId: string): void {
    this.#contexts.delete(`${session} ${callId}`);
  }
}

type Api = typeof Otel;

export function tracerOf(api: Api, tracer: Tracer): Pick<Tracing, "start" | "fail" | "within" | "kinds"> {
  const { SpanKind: kinds, SpanStatusCode, trace } = api;
  return {
    kinds: { client: kinds.CLIENT, server: kinds.SERVER, internal: kinds.INTERNAL },
    start: ({ name, kind = kinds.INTERNAL, at, parent, about }) =>
      tracer.startSpan(name, { kind, startTime: at, attributes: about }, parent),
    fail(span, errorType, because) {
      span.setAttribute("error.type", errorType);
      span.setStatus({ code: SpanStatusCode.ERROR, ...(because === undefined ? {} : { message: because }) });
    },
    within: (span) => trace.setSpan(api.ROOT_CONTEXT, span),
  };
}
