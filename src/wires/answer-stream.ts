/**
 * How every server half streams an answer: what fails before its first text is an HTTP error, later it is the last
 * text.
 */

import { ModelError, type ModelEvent } from "../protocol/model-events.ts";

/** What one wire makes of an answer, in texts of its stream. */
type AnswerWriter = {
  /** What an event adds; nothing for events that the format has no place for. */
  write: (event: ModelEvent) => readonly string[];
  /** The end of a stream whose answer failed. */
  failed: (error: ModelError) => string;
};

/**
 * Streams an answer. A ModelError is thrown on as long as nothing was written, so that it can still be an HTTP reply.
 * Events that stop without an `answer-end` count as one. Any other error is the caller's.
 */
export async function* streamAnswer(
  events: AsyncIterable<ModelEvent>,
  { write, failed }: AnswerWriter,
): AsyncGenerator<string> {
  let isWritten = false;
  let isOver = false;
  try {
    for await (const event of events) {
      if (event.type === "answer-end") isOver = true;
      const text = write(event).join("");
      if (text === "") continue;
      isWritten = true;
      yield text;
    }
    if (!isOver) throw brokenOff();
  } catch (error) {
    if (!(error instanceof ModelError) || !isWritten) throw error;
    yield failed(error);
  }
}

const brokenOff = (): ModelError =>
  new ModelError("network", "The connection ended before the answer was complete.", {
    advice: "Try again.",
    midStream: true,
  });
