/** The metrics: durations of answers, calls, turns and served requests, and token counts. */

import type { Attributes, Histogram, Meter } from "@opentelemetry/api";
import type { Usage } from "../../protocol/model-events.ts";
import { attributes, metrics } from "./names.ts";

/** Histogram boundaries required by the conventions, in seconds and in tokens. */
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokens = Array.from({ length: 14 }, (_, power) => 4 ** power);
const untilFirst = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const eachToken = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];
const ofHttp = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** All times are in milliseconds. */
type Measurement = {
  ms: number;
  /** Until the first chunk of a stream. */
  first?: number | undefined;
  about: Attributes;
  usage?: Usage | undefined;
};

export type Measures = {
  answered(answer: Measurement): void;
  called(ms: number, about: Attributes): void;
  turned(ms: number, about: Attributes): void;
  /** A request for an answer. `usage` is set only if a single model request served it. */
  served(request: Measurement): void;
  /** A request of any kind. */
  requested(ms: number, about: Attributes): void;
};

export function measuresOf(meter: Meter): Measures {
  const duration = (name: string, description: string, boundaries = seconds): Histogram =>
    meter.createHistogram(name, { description, unit: "s", advice: { explicitBucketBoundaries: boundaries } });
  const operations = duration(metrics.operationDuration, "GenAI operation duration.");
  const chunks = duration(metrics.firstChunk, "Time to receive the first chunk.");
  const turns = duration(metrics.agentDuration, "Duration of an agent's turn.");
  const calls = duration(metrics.toolDuration, "Duration of a tool's run.");
  const used = meter.createHistogram(metrics.tokenUsage, {
    description: "Number of input and output tokens used.",
    unit: "{token}",
    advice: { explicitBucketBoundaries: tokens },
  });
  const requests = duration(metrics.httpDuration, "Duration of HTTP server requests.", ofHttp);
  return {
    answered({ ms, first, about, usage }) {
      operations.record(ms / 1000, about);
      if (first !== undefined) chunks.record(first / 1000, about);
      if (!usage) return;
      used.record(usage.inputTokens, { ...about, [attributes.tokenType]: "input" });
      used.record(usage.outputTokens, { ...about, [attributes.tokenType]: "output" });
    },
    called: (ms, about) => calls.record(ms / 1000, about),
    turned: (ms, about) => turns.record(ms / 1000, about),
    served: servedMeasure(duration),
    requested: (ms, about) => requests.record(ms / 1000, about),
  };
}

/** The conventions' metrics for model servers. The last two cover only answers that completed. */
function servedMeasure(
  duration: (name: string, description: string, boundaries?: number[]) => Histogram,
): Measures["served"] {
  const requests = duration(metrics.serverDuration, "Duration of requests for an answer.");
  const first = duration(metrics.firstToken, "Time to the first token of an answer.", untilFirst);
  const each = duration(metrics.perOutputToken, "Time per output token after the first one.", eachToken);
  return ({ ms, first: firstMs, about, usage }) => {
    requests.record(ms / 1000, about);
    if (firstMs === undefined || about[attributes.errorType] !== undefined) return;
    first.record(firstMs / 1000, about);
    const more = (usage?.outputTokens ?? 0) - 1;
    if (more > 0) each.record((ms - firstMs) / 1000 / more, about);
  };
}
