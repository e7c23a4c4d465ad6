/** Parses a complete text of a model: its calls, its text without them, and a call still being written. */

import type { ToolCall, ToolDescription } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import type { Dialect } from "./dialect.ts";
import { offeredTools } from "./extract.ts";
import { allDialects } from "./index.ts";
import { createExtractor } from "./reading/extractor.ts";

/** A parsed text: what is said, what is thought, and the calls in it. @experimental */
export type ParsedAnswer = {
  /** Complete calls, and unreadable ones (`problem`). */
  calls: ToolCall[];
  /** The text without calls and reasoning, trimmed. */
  text: string;
  reasoning: string;
  /** The name of the unfinished call at the end; only if `goesOn`. */
  partial: string | undefined;
};

/** Options for parsing a text. @experimental */
export type ReadTextOptions = {
  tools: readonly ToolDescription[];
  /** The dialect that the model was taught; without it, every dialect is recognised. */
  known?: Dialect | undefined;
  /** More text is to come: an unfinished call is not reported, and half a mark is not text yet. */
  goesOn?: boolean;
};

/** Parses a complete text, or what there is of it so far, from its beginning. @experimental */
export function readText(text: string, { tools, known, goesOn = false }: ReadTextOptions): ParsedAnswer {
  const extractor = createExtractor({ dialects: allDialects, known, offered: offeredTools(tools) });
  const events = [...extractor.push(text), ...(goesOn ? [] : extractor.end("stop"))];
  return { ...summary(events), partial: openCall(events) };
}

/** Joins the events of an answer into its parts. A part interrupted by another continues on a new line. */
export function summary(events: readonly ModelEvent[]): Pick<ParsedAnswer, "calls" | "text" | "reasoning"> {
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
