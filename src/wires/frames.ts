/** From a stream's frames to its events: what all wires do alike, such as telling a cut-off frame from a broken one. */

import { isObject, parseJson, type JsonObject } from "../base/json.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import { parseFrame } from "./fields.ts";
import type { SseEvent } from "./framing.ts";

/**
 * A parser for the frames of one stream; empty ones keep a connection alive and give nothing. A frame that is not
 * a JSON object throws "malformed", unless it looks like the beginning of one: then it throws only when another
 * follows, for as the last it was cut off with the connection. A function,
 * not a generator: one more of those would cost as much as the parsing.
 */
export function frameParser(): (text: string) => JsonObject | undefined {
  let broken: ModelError | undefined;
  return (text) => {
    if (broken) throw broken;
    if (text.trim() === "") return undefined;
    try {
      return parseFrame(text);
    } catch (error) {
      if (!(error instanceof ModelError) || !text.trimStart().startsWith("{")) throw error;
      broken = error;
      return undefined;
    }
  };
}

/** Reads one frame into `out`; true when the answer is over and nothing more is to be read. */
export type ReadFrame<Frame> = (frame: Frame, out: ModelEvent[]) => boolean;

/** The same reader for a stream whose failures may stand outside of its frames; `failed` makes the error of one. */
export function orFailure(
  read: ReadFrame<SseEvent>,
  failed: (said: unknown) => ModelError,
): ReadFrame<SseEvent> {
  return (frame, out) => {
    const failure = strayFailure(frame);
    if (failure) throw failed(failure.said);
    return frame.bare ? false : read(frame, out);
  };
}

/** An event named "error", be it JSON or not, or a bare JSON text with an "error". Other bare texts say nothing. */
function strayFailure({ event, data, bare }: SseEvent): { said: unknown } | undefined {
  if (event !== "error" && !bare) return undefined;
  const parsed = parseJson(data);
  if (!parsed.ok) return bare ? undefined : { said: data };
  const said = Array.isArray(parsed.value) ? parsed.value[0] : parsed.value;
  return !bare || (isObject(said) && isObject(said["error"])) ? { said } : undefined;
}

/** The events of each batch of frames as one list. What a batch said before it failed is given first. */
export async function* readBatches<Frame>(
  batches: AsyncIterable<Frame[]>,
  read: ReadFrame<Frame>,
): AsyncGenerator<ModelEvent[]> {
  for await (const batch of batches) {
    const out: ModelEvent[] = [];
    let isOver = false;
    let failure: { error: unknown } | undefined;
    try {
      isOver = batch.some((frame) => read(frame, out));
    } catch (error) {
      failure = { error };
    }
    if (out.length > 0) yield out;
    if (failure) throw failure.error;
    if (isOver) return;
  }
}

/** The items of all lists, one by one. */
export async function* oneByOne<T>(batches: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const batch of batches) for (const item of batch) yield item;
}

/** The failure of a stream that ended too early. `heard` says whether anything of the answer had come. */
export function cutOff(heard: boolean): ModelError {
  const message = heard
    ? "The connection ended before the answer was complete."
    : "The connection ended before any of the answer came.";
  const details = { advice: "Try again.", midStream: heard, fault: "incomplete_stream" } as const;
  return new ModelError("network", message, details);
}

/**
 * The failure of an answer that ended "to use a tool" and then asked for none and said nothing else. It passes:
 * asked again, models do better.
 */
export function emptyToolUse(heard: boolean): ModelError {
  const message = "The model ended its answer in order to use a tool, but asked for none.";
  const details = { advice: "Try again.", midStream: heard, fault: "empty_tool_use" } as const;
  return new ModelError("server", message, details);
}

/** The same failure with `midStream` set when part of the answer had been heard. */
export function withHeard(error: unknown, heard: boolean): unknown {
  return error instanceof ModelError && heard ? error.with({ midStream: true }) : error;
}
