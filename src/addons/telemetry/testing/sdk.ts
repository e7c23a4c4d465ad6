/** Test setup of the real OpenTelemetry SDKs, with exporters that store what they receive. */

import * as api from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { onTestFinished } from "vitest";
import { openTelemetry, type TelemetryOptions } from "../open.ts";

/** Every span that was started, ended or not. */
class SpanTracker {
  readonly open = new Set<object>();
  onStart(span: object): void {
    this.open.add(span);
  }
  onEnd(span: object): void {
    this.open.delete(span);
  }
  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

/** Registers the SDK for this process until the test ends. */
export async function sdk(options: TelemetryOptions = {}) {
  const spans = new InMemorySpanExporter();
  const started = new SpanTracker();
  forgetSdk(); // another test's, which the API would keep
  api.trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans }), started] }),
  );
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  api.metrics.setGlobalMeterProvider(meters);
  const opened = await openTelemetry(options);
  if (!opened.ok) throw new Error(opened.problem);
  onTestFinished(async () => {
    forgetSdk();
    await meters.shutdown();
  });
  return {
    observers: [opened.value],
    requests: opened.value.requests,
    spans: () => spans.getFinishedSpans(),
    open: () => started.open.size,
    metrics: async () => {
      await opened.value.close();
      return metrics
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    },
  };
}

function forgetSdk(): void {
  api.trace.disable();
  api.metrics.disable();
}

export const findSpan = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const found = spans.find((span) => span.name === name);
  if (!found) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(", ")}`);
  return found;
};

export const parentOf = (span: ReadableSpan) => span.parentSpanContext?.spanId;
