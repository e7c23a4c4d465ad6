/**
 * Streams an answer for every server half: a failure before the first text becomes an HTTP error, a later one the last
 * text of the stream.
 */

import { ModelError, type ModelEvent } from "../protocol/model-events.ts";

/** Turns the events of one answer into the texts of one wire's stream. */
type AnswerWriter = {
  /** The texts for one event; none for events that the format cannot express. */
  write: (event: ModelEvent) => readonly string[];
  /** The text that ends the stream of a failed answer. */
  failed: (error: ModelError) => string;
};

/**
 * Streams an answer. A ModelError before the first text is rethrown, so that it can become an HTTP reply. Events that
 * stop without an `answer-end` count as a ModelError. All other errors pass through to the caller.
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
