/** Live blocks built from signals alone: text, calls and output that are still arriving. */

import type { Entry, Signal } from "../protocol/facts.ts";
import { findCall, setLive, type Transcript } from "./block-store.ts";
import { type Block, blockKey, callKey, compactingKey, lastLines, retryKey } from "./blocks.ts";
import { compactionReasons, tokenWords } from "./message-blocks.ts";

/** Signals change only `live`, never what a fact has settled. */
export function applySignal(transcript: Transcript, signal: Signal): Block[] {
  switch (signal.type) {
    case "text-delta":
    case "reasoning-delta":
      return blockDelta(transcript, signal);
    case "call-delta":
      return callDelta(transcript, signal);
    case "output-delta": {
      const call = findCall(transcript, signal.callId);
      if (call?.state !== "running") return [];
      const before = signal.offset === 0 ? { output: [], left: 0 } : call;
      const text = before.output.join("\n") + signal.text;
      const output = lastLinesKept(text);
      const left = (before.left ?? 0) + Math.max(0, text.split("\n").length - output.length);
      return setLive(transcript, { ...call, output, left });
    }
    case "retrying": {
      const { because, waitMs, attempt } = signal;
      const at = transcript.heardAt;
      return setLive(transcript, { type: "retry", key: retryKey, because, waitMs, attempt, at });
    }
    case "compacting":
      return compacting(transcript, signal);
    default:
      return signal satisfies never;
  }
}

function compacting(transcript: Transcript, signal: Extract<Signal, { type: "compacting" }>): Block[] {
  transcript.live.delete(compactingKey);
  if (signal.state === "given-up") return [];
  const text = `Summing up the conversation for the model (${compactionReasons[signal.because]}): ${tokenWords(signal.tokens)} …`;
  return setLive(transcript, { type: "event", key: compactingKey, about: "compaction", text });
}

/** Compaction has ended, or its worker is gone: a resumed turn starts it again. */
export function endsCompacting({ type }: Entry | Signal): boolean {
  return ["compaction", "turn-start", "turn-resumed"].includes(type);
}

function callDelta(transcript: Transcript, signal: Extract<Signal, { type: "call-delta" }>): Block[] {
  const { callId, name, characters } = signal;
  const key = callKey(callId);
  if (transcript.places.has(key)) return [];
  const known = transcript.live.get(key);
  const startedAt = known?.type === "call" ? known.startedAt : undefined;
  return setLive(transcript, {
    type: "call",
    key,
    callId,
    name,
    title: `Preparing to use ${name === "" ? "a tool" : name}…`,
    state: "writing",
    output: [],
    startedAt: startedAt ?? transcript.heardAt,
    characters,
  });
}

/** Unlike with finished output, a trailing line break matters: the next chunk starts a new line. */
function lastLinesKept(text: string): string[] {
  const lines = lastLines(text);
  return text.endsWith("\n") && lines.length > 0 ? [...lines.slice(-7), ""] : lines;
}

/**
 * Ignores a chunk that arrives twice. After a lost chunk the block waits for its fact, or for a chunk that restarts it
 * at offset 0.
 */
function blockDelta(
  transcript: Transcript,
  signal: Extract<Signal, { type: "text-delta" | "reasoning-delta" }>,
): Block[] {
  const key = blockKey(signal.block);
  if (transcript.places.has(key)) return [];
  transcript.live.delete(retryKey);
  const type = signal.type === "text-delta" ? ("text" as const) : ("reasoning" as const);
  const known = transcript.live.get(key);
  const shown = known?.type === type ? known.text : "";
  const before = signal.offset === 0 && !shown.startsWith(signal.text) ? "" : shown;
  const fresh = signal.offset + signal.text.length - before.length;
  if (signal.offset > before.length || fresh <= 0) return [];
  const text = before + signal.text.slice(signal.text.length - fresh);
  const base = { key, text, open: true };
  return setLive(transcript, type === "text" ? { ...base, type, by: "model" } : { ...base, type });
}
