/** W3C Trace Context: continues the trace of whoever started a run or sent a request. */

import type * as Otel from "@opentelemetry/api";
import type { Context } from "@opentelemetry/api";

/** The values as found in the environment or the request headers. */
export type TraceHeaders = { traceparent: string | undefined; tracestate?: string | undefined };

/** Returns `otherwise` if the header is missing or malformed; two headers joined into one are malformed, too. */
export function parentIn(
  { trace, ROOT_CONTEXT, TraceFlags, createTraceState }: typeof Otel,
  { traceparent = "", tracestate }: TraceHeaders,
  otherwise: Context,
): Context {
  const found = parseHeader(traceparent);
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

/** Later versions may append fields; version 00 has a fixed length, and ff is invalid. */
function parseHeader(header: string): { traceId: string; spanId: string; isSampled: boolean } | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] = format.exec(header.trim()) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (onlyZeros.test(traceId) || onlyZeros.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
