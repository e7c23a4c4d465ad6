/** Test helper for dialects: reads a text as an answer, split in any way. */

import type { JsonObject } from "../../base/json.ts";
import type { ToolCall, ToolDescription } from "../../protocol/messages.ts";
import type { EndReason, ModelEvent } from "../../protocol/model-events.ts";
import type { Dialect } from "../dialect.ts";
import { offeredTools } from "../extract.ts";
import { allDialects } from "../index.ts";
import { summary as partsOf } from "../read-text.ts";
import { createExtractor, type Extractor } from "../reading/extractor.ts";

export type ReadingOptions = {
  /** The dialect that the model was taught; absent: auto, all of them side by side. */
  known?: Dialect | undefined;
  /** The dialects to recognise. Default: all. */
  dialects?: readonly Dialect[];
  tools?: readonly ToolDescription[];
  prefix?: string | undefined;
  reason?: EndReason;
  /** Characters per piece. Default: all at once. */
  chunk?: number;
  newId?: () => string;
};

export type ReadAnswer = {
  text: string;
  reasoning: string;
  calls: ToolCall[];
  notices: string[];
  events: ModelEvent[];
  looked: number;
};

export function extractorFor({
  known,
  dialects = allDialects,
  tools = [],
  prefix,
  newId,
}: ReadingOptions): Extractor {
  return createExtractor({
    dialects: withKnown(dialects, known),
    known,
    offered: offeredTools(tools),
    prefix,
    newId,
  });
}

const lists = new WeakMap<Dialect, Map<readonly Dialect[], readonly Dialect[]>>();

/** The same list for the same dialects, because readers keep their tables by it. */
function withKnown(dialects: readonly Dialect[], known: Dialect | undefined): readonly Dialect[] {
  if (!known || dialects.includes(known)) return dialects;
  const made = lists.get(known) ?? new Map<readonly Dialect[], readonly Dialect[]>();
  lists.set(known, made);
  const list = made.get(dialects) ?? [known, ...dialects];
  made.set(dialects, list);
  return list;
}

/** Reads a text as one answer. Text and reasoning are trimmed. */
export function readAnswer(answer: string, options: ReadingOptions = {}): ReadAnswer {
  const extractor = extractorFor(options);
  const { chunk = Math.max(1, answer.length), reason = "stop" } = options;
  const events: ModelEvent[] = [];
  for (let at = 0; at < answer.length; at += chunk)
    events.push(...extractor.push(answer.slice(at, at + chunk)));
  events.push(...extractor.end(reason));
  return { ...summary(events), events, looked: extractor.looked };
}

export function summary(events: readonly ModelEvent[]): Omit<ReadAnswer, "events" | "looked"> {
  const notices = events.flatMap((event) => (event.type === "notice" ? [event.code] : []));
  return { ...partsOf(events), notices };
}

/** A call with the codes of its repairs, or why it cannot run. */
export type ToldCall = [name: string, input: JsonObject | string, ...repairs: string[]];

export const toldCalls = ({ calls }: ReadAnswer): ToldCall[] =>
  calls.map(({ name, input, fault, repairs = [] }) => [
    name,
    fault ?? input,
    ...repairs.map(({ code }) => code),
  ]);

/** A tool in short notation: `tool("roll", { sides: "integer" }, ["sides"])`. */
export function tool(
  name: string,
  properties: Readonly<Record<string, "string" | "integer" | "number" | "boolean" | "array" | "object">>,
  required: readonly string[] = [],
): ToolDescription {
  const described = Object.fromEntries(Object.entries(properties).map(([key, type]) => [key, { type }]));
  return {
    name,
    description: "",
    schema: { type: "object", properties: described, required: [...required], additionalProperties: false },
  };
}

/**
 * The part of the result that must not depend on splitting: everything but generated ids, single events and the work.
 */
export const comparable = ({ text, reasoning, calls, notices }: ReadAnswer): unknown => ({
  text,
  reasoning,
  notices,
  calls: calls.map((call) => ({ ...call, id: "" })),
});
