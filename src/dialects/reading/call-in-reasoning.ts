/** Reports a call made in reasoning, which never runs, if the answer contains nothing else. */

import type { ModelEvent } from "../../protocol/model-events.ts";
import { createExtractor, type ExtractorOptions, inReasoning } from "./extractor.ts";

/** Reads reasoning from a separate channel; yields one call that cannot run, or nothing. */
export function* callInReasoning(
  thoughts: readonly string[],
  options: ExtractorOptions,
): Generator<ModelEvent> {
  if (thoughts.length === 0) return;
  const extractor = createExtractor({ ...options, prefix: undefined });
  const events = thoughts.flatMap((text) => extractor.push(text));
  const found = [...events, ...extractor.end("stop")].find((event) => event.type === "call-end");
  if (found?.type !== "call-end") return;
  const { id, name, source, rawArguments } = found.call;
  const raw = rawArguments === undefined ? {} : { rawArguments };
  yield { type: "call-start", id, name };
  yield { type: "call-end", call: { id, name, source, input: {}, ...raw, ...inReasoning } };
}
