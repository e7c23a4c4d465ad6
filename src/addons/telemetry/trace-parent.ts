/** W3C Trace Context: whoever started a run or sent a request may have a trace of its own, which is gone on with. */

import type * as Otel from "@opentelemetry/api";
import type { Context } from "@opentelemetry/api";

/** As they stand in the environment or in a request. */
export type TraceHeaders = { traceparent: string | undefined; tracestate?: string | undefined };

/** `otherwise` where there is none, or what stands there is broken: two that were joined are, too. */
export function parentIn(
  { trace, ROOT_CONTEXT, TraceFlags, createTraceState }: typeof Otel,
  { traceparent = "", tracestate }: TraceHeaders,
  otherwise: Context,
): Context {
  const found = read(traceparent);
  if (!found) return otherwise;
  const traceFlags = found.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const parent = {
    traceId: found.traceId,
    spanId: found.spanId,
    traceFlags,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}

const format = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/u;
const onlyZeros = /^0+$/u;

/** A later version may have more behind it; ours is exactly so long, and ff is none. */
function read(header: string): { traceId: string; spanId: string; isSampled: boolean } | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] = format.exec(header.trim()) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (onlyZeros.test(traceId) || onlyZeros.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
