/**
 * A text that a model wrote, read at once: its calls, its words without them, and the call that is still being written.
 */

import type { Call, ToolDescription } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import type { Dialect } from "./dialect.ts";
import { offeredTools } from "./extract.ts";
import { allDialects } from "./index.ts";
import { createExtractor } from "./reading/extractor.ts";

/** A text, read: what is said, what is thought, and the calls in it. */
export type ReadText = {
  /** Complete calls, and such as could not be read (`problem`). */
  calls: Call[];
  /** The text without calls and reasoning, white space around them cut off. */
  text: string;
  reasoning: string;
  /** The name of the call that the text breaks off in; only of a text that goes on. */
  partial: string | undefined;
};

/** What a text is read with. */
export type ReadTextOptions = {
  tools: readonly ToolDescription[];
  /** The dialect that the model was taught; without it, every dialect is recognised. */
  known?: Dialect | undefined;
  /** More of the text is still to come: nothing unfinished is told, half a mark is no text yet. */
  goesOn?: boolean;
};

/** Reads the whole text every time: a stream is read with `extract`. */
export function readText(text: string, { tools, known, goesOn = false }: ReadTextOptions): ReadText {
  const extractor = createExtractor({ dialects: allDialects, known, offered: offeredTools(tools) });
  const events = [...extractor.push(text), ...(goesOn ? [] : extractor.end("stop"))];
  return { ...summary(events), partial: openCall(events) };
}

/** The parts of an answer, put together from its events. What something else stood between begins a new line. */
export function summary(events: readonly ModelEvent[]): Pick<ReadText, "calls" | "text" | "reasoning"> {
  let text = "";
  let reasoning = "";
  let isApart = false;
  for (const event of events) {
    if (event.type === "text-delta") text += (isApart && text !== "" ? "\n" : "") + event.text;
    else if (event.type === "reasoning-delta") reasoning += event.text;
    else if (event.type === "reasoning-end") reasoning += "\n";
    else if (event.type === "text-was-reasoning") {
      reasoning += `${text}\n`;
      text = "";
    }
    isApart = event.type !== "text-delta";
  }
  const calls = events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));
  return { calls, text: text.trim(), reasoning: reasoning.trim() };
}

function openCall(events: readonly ModelEvent[]): string | undefined {
  const done = new Set(events.flatMap((event) => (event.type === "call-end" ? [event.call.id] : [])));
  return events.flatMap((event) =>
    event.type === "call-start" && !done.has(event.id) ? [event.name] : [],
  )[0];
}
