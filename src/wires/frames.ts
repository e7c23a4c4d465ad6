/**
 * Turns the frames of a stream into events: the parts that all wires share, such as telling a cut-off frame from a bad
 * one.
 */

import { isObject, parseJson, type JsonObject } from "../base/json.ts";
import { ModelError } from "../protocol/model-events.ts";
import { parseFrame } from "./fields.ts";
import type { SseEvent } from "./framing.ts";

/**
 * Creates a frame parser for one stream; empty frames are keep-alives and yield nothing. A frame that is not a JSON
 * object throws the error of a damaged stream. One that looks like the beginning of an object throws only when another
 * frame follows (an empty one counts): as the last frame it was cut off with the connection. A function rather than a generator, because one more generator
 * would cost as much as the parsing.
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

/** Reads one frame; returns true when the answer is complete and the rest of the stream can be ignored. */
export type ReadFrame<Frame> = (frame: Frame) => boolean;

/** Extends a reader to streams whose failures may appear outside of frames; `failed` makes the error. */
export function orFailure(
  read: ReadFrame<SseEvent>,
  failed: (said: unknown) => ModelError,
): ReadFrame<SseEvent> {
  return (frame) => {
    const failure = strayFailure(frame);
    if (failure) throw failed(failure.said);
    return frame.bare ? false : read(frame);
  };
}

/** An event named "error", JSON or not, or a bare JSON text with an "error" field. Other bare texts are ignored. */
function strayFailure({ event, data, bare }: SseEvent): { said: unknown } | undefined {
  if (event !== "error" && !bare) return undefined;
  const parsed = parseJson(data);
  if (!parsed.ok) return bare ? undefined : { said: data };
  const said = Array.isArray(parsed.value) ? parsed.value[0] : parsed.value;
  return !bare || (isObject(said) && isObject(said["error"])) ? { said } : undefined;
}

/** Flattens the lists into single items. */
export async function* oneByOne<T>(batches: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const batch of batches) for (const item of batch) yield item;
}

/** The error for a stream that ended too early. `heard`: whether any part of the answer had arrived. */
export function cutOff(heard: boolean): ModelError {
  const message = heard
    ? "The connection ended before the answer was complete."
    : "The connection ended before any of the answer came.";
  const details = { advice: "Try again.", midStream: heard, fault: "incomplete_stream" } as const;
  return new ModelError("network", message, details);
}

/**
 * The error for an answer that ended "to use a tool" but has no call and no text. It is transient: models usually do
 * better when asked again.
 */
export function emptyToolUse(heard: boolean): ModelError {
  const message = "The model ended its answer in order to use a tool, but asked for none.";
  const details = { advice: "Try again.", midStream: heard, fault: "empty_tool_use" } as const;
  return new ModelError("server", message, details);
}

/** Sets `midStream` on the error if part of the answer had arrived. */
export function withHeard(error: unknown, heard: boolean): unknown {
  return error instanceof ModelError && heard ? error.with({ midStream: true }) : error;
}
