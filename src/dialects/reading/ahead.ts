/** Small patterns over streamed text that can answer "more": they decide what follows an opener. */

import type { CallVerdict, OpenerContext } from "../dialect.ts";
import type { BlockReader, StreamReading } from "./reader.ts";

/** The end of the step, "no" if it does not match, or "more" if the text is too short to tell. */
export type PatternStep = (text: string, at: number) => number | "no" | "more";

/** Whether the text begins with these steps in sequence. */
export function follows(text: string, ...steps: readonly PatternStep[]): CallVerdict {
  const end = run(text, 0, steps);
  if (typeof end === "number") return "call";
  return end === "no" ? "text" : end;
}

/** Of a mark that other texts have, too: unless the model is known to write so, only a tool on offer is called. */
export const ofOffered = (
  verdict: CallVerdict,
  called: string,
  { offered, isKnown }: Pick<OpenerContext, "offered" | "isKnown">,
): CallVerdict => (verdict === "call" && !isKnown && !offered.find(called) ? "text" : verdict);

/** Most characters until a step must be decided. */
const longestStep = 160;

/** Whether the unread text begins with a step. Waits until that is decided; consumes nothing. */
export function* comes(reader: Pick<BlockReader, "input">, step: PatternStep): StreamReading<boolean> {
  return (yield* endOf(reader, step)) !== undefined;
}

/** Consumes a step if the unread text begins with it. */
export function* takeStep(reader: Pick<BlockReader, "input">, step: PatternStep): StreamReading<boolean> {
  const end = yield* endOf(reader, step);
  if (end !== undefined) reader.input.take(end);
  return end !== undefined;
}

/** Consumes a step that the unread text begins with, and returns its text; empty if there is none. */
export function* takeText(reader: Pick<BlockReader, "input">, step: PatternStep): StreamReading<string> {
  return reader.input.take((yield* endOf(reader, step)) ?? 0);
}

function* endOf({ input }: Pick<BlockReader, "input">, step: PatternStep): StreamReading<number | undefined> {
  for (;;) {
    const text = input.peek(longestStep);
    const end = step(text, 0);
    if (typeof end === "number") return end;
    if (end === "no" || text.length >= longestStep || input.ended) return undefined;
    yield;
  }
}

/** Combines steps into one sequence. */
export const inOrder =
  (...steps: readonly PatternStep[]): PatternStep =>
  (text, at) =>
    run(text, at, steps);

/** The first alternative that matches; "more" while an earlier one still may. */
export const either =
  (...steps: readonly PatternStep[]): PatternStep =>
  (text, at) => {
    for (const step of steps) {
      const end = step(text, at);
      if (end !== "no") return end;
    }
    return "no";
  };

export const mark =
  (wanted: string): PatternStep =>
  (text, at) => {
    if (text.startsWith(wanted, at)) return at + wanted.length;
    return wanted.startsWith(text.slice(at)) ? "more" : "no";
  };

export const oneOf = (...marks: readonly string[]): PatternStep => either(...marks.map(mark));

/** A step whose text passes a test. */
export const fitting =
  (step: PatternStep, fits: (text: string) => boolean): PatternStep =>
  (text, at) => {
    const end = step(text, at);
    return typeof end !== "number" || fits(text.slice(at, end)) ? end : "no";
  };

/** White space, possibly none. */
export const blank: PatternStep = (text, at) => spaceEnd(text, at);

/** One to `most` characters of a class. Waits for the character after them. */
export const some =
  (one: RegExp, most = 100): PatternStep =>
  (text, at) => {
    let end = at;
    while (end < text.length && end - at <= most && one.test(text.charAt(end))) end += 1;
    if (end - at > most) return "no";
    if (end === text.length) return "more";
    return end === at ? "no" : end;
  };

/** The same for a class of Unicode, which is costly to prepare: not before it is needed. */
export const someLate =
  (one: () => RegExp, most?: number): PatternStep =>
  (text, at) =>
    some(one(), most)(text, at);

/** A character of a tool's name, in any script; Markdown wants a backslash before its underscores. */
export const nameCharacter = /[\p{L}\p{M}\p{N}_.:/\\-]/u;

/** A tool name. */
export const name: PatternStep = someLate(() => nameCharacter, 80);

/** The name with which a text begins, maybe after white space. */
export const nameAtStart = (text: string): string => /^\s*([\p{L}\p{M}\p{N}_.:/\\-]+)/u.exec(text)?.[1] ?? "";

/** An optional step. */
export const maybe = (step: PatternStep): PatternStep => either(step, (_, at) => at);

/** Matches a step without consuming it. */
export const peek =
  (step: PatternStep): PatternStep =>
  (text, at) => {
    const end = step(text, at);
    return typeof end === "number" ? at : end;
  };

/** Matches a character of a class without consuming it. */
export const before =
  (one: RegExp): PatternStep =>
  (text, at) =>
    at >= text.length ? "more" : one.test(text.charAt(at)) ? at : "no";

function run(text: string, at: number, steps: readonly PatternStep[]): number | "no" | "more" {
  let end = at;
  for (const step of steps) {
    const next = step(text, end);
    if (typeof next === "string") return next;
    end = next;
  }
  return end;
}

function spaceEnd(text: string, at: number): number | "more" {
  space.lastIndex = at;
  space.test(text);
  return space.lastIndex === text.length ? "more" : space.lastIndex;
}

const space = /[\s\uFEFF]*/y;
