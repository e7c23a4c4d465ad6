/**
 * The state shared by all sessions of a process: the tracer, the metrics, and the trace context of each delegated task.
 */

import type * as Otel from "@opentelemetry/api";
import type { Attributes, Context, Span, SpanKind, Tracer } from "@opentelemetry/api";
import type { Redact } from "../../base/redact.ts";
import type { Capture } from "./content.ts";
import type { Measures } from "./measures.ts";

export type TelemetryApi = typeof Otel;

/** Running calls whose place in a trace is remembered, in case they start other sessions. */
const mostDelegating = 1_000;

type SpanGiven = { name: string; kind?: SpanKind; at: number; parent: Context; about: Attributes };

export type Tracing = {
  measures: Measures;
  redact: Redact;
  capture: Capture;
  kinds: Readonly<Record<"client" | "server" | "internal", SpanKind>>;
  /** Maps our provider names to those of the conventions. */
  providerName(provider: string): string;
  start(given: SpanGiven): Span;
  /** Ends the span as failed; `because` is recorded if known. */
  fail(span: Span, errorType: string, because?: string): void;
  within(span: Span): Context;
  /** The parent context of sessions that no other session delegated to. */
  root: Context;
  /** The running calls, by session and call id: any of them may delegate a task. */
  delegating: Delegating;
};

export class Delegating {
  readonly #contexts = new Map<string, Context>();

  note(session: string, callId: string, context: Context): void {
    this.#contexts.set(`${session} ${callId}`, context);
    const [oldest] = this.#contexts.keys();
    if (this.#contexts.size > mostDelegating && oldest !== undefined) this.#contexts.delete(oldest);
  }

  of(parent: { session: string; callId: string } | undefined): Context | undefined {
    return parent && this.#contexts.get(`${parent.session} ${parent.callId}`);
  }

  forget(session: string, callId: string): void {
    this.#contexts.delete(`${session} ${callId}`);
  }
}

export function tracerOf(
  api: TelemetryApi,
  tracer: Tracer,
): Pick<Tracing, "start" | "fail" | "within" | "kinds"> {
  const { SpanKind: kinds, SpanStatusCode, trace } = api;
  return {
    kinds: { client: kinds.CLIENT, server: kinds.SERVER, internal: kinds.INTERNAL },
    start: ({ name, kind = kinds.INTERNAL, at, parent, about }) =>
      tracer.startSpan(name, { kind, startTime: at, attributes: about }, parent),
    fail(span, errorType, because) {
      span.setAttribute("error.type", errorType);
      span.setStatus({ code: SpanStatusCode.ERROR, message: because });
    },
    within: (span) => trace.setSpan(api.ROOT_CONTEXT, span),
  };
}
