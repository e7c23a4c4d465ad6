/** A real OTLP/HTTP receiver on loopback, and a module that configures the real OpenTelemetry SDKs to send to it. */

import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { metrics, trace } from "@opentelemetry/api";
import { onTestFinished } from "vitest";
import { isObject } from "../../src/base/json.ts";

export type ReceivedSpan = {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
};

/** `path` is the module that sets up telemetry. Everything is closed with the test. */
export async function otlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const measured = new Set<string>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      if (request.url === "/v1/traces") spans.push(...JSON.parse(body).spans);
      else for (const name of JSON.parse(body).metrics) measured.add(name);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${String(isObject(address) ? address["port"] : 0)}`;
  const home = await mkdtemp(join(tmpdir(), "toolwright-otlp-"));
  const path = join(home, "setup.mjs");
  await writeFile(path, setup(url));
  onTestFinished(async () => {
    trace.disable();
    metrics.disable();
    server.closeAllConnections();
    server.close();
    await rm(home, { recursive: true });
  });
  return { path, url, spans, measured };
}

export const attributeOf = ({ attributes }: ReceivedSpan, key: string): unknown =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0];

/** Sends as the SDK's own exporter would, as far as the receiver parses it. */
const setup = (url: string): string => `
import { metrics, trace } from ${from("@opentelemetry/api")};
import { MeterProvider, PeriodicExportingMetricReader } from ${from("@opentelemetry/sdk-metrics")};
import { BatchSpanProcessor, TracerProvider } from ${from("@opentelemetry/sdk-trace")};

const send = (path, body, done) =>
  fetch(${JSON.stringify(url)} + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).then(() => done({ code: 0 }), (error) => done({ code: 1, error }));
const idle = { async forceFlush() {}, async shutdown() {} };
const valued = (value) =>
  typeof value === "number" ? { doubleValue: value } : typeof value === "boolean" ? { boolValue: value } : { stringValue: String(value) };
const spanOf = (span) => ({
  name: span.name,
  kind: span.kind + 1,
  traceId: span.spanContext().traceId,
  spanId: span.spanContext().spanId,
  parentSpanId: span.parentSpanContext?.spanId,
  attributes: Object.entries(span.attributes).map(([key, value]) => ({ key, value: valued(value) })),
});
const exporter = { ...idle, export: (spans, done) => void send("/v1/traces", { spans: spans.map(spanOf) }, done) };
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] }));
const metricExporter = {
  ...idle,
  export: ({ scopeMetrics }, done) =>
    void send("/v1/metrics", { metrics: scopeMetrics.flatMap(({ metrics }) => metrics.map(({ descriptor }) => descriptor.name)) }, done),
};
metrics.setGlobalMeterProvider(
  new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 3_600_000 })] }),
);
`;

const from = (name: string): string => JSON.stringify(import.meta.resolve(name));
