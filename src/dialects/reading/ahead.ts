/** Small patterns that can say "more": what may follow an opener, judged while the text still comes in. */

import type { Verdict } from "../dialect.ts";
import type { Reader, Reading } from "./reader.ts";

/** Where the step ends, or that it does not fit, or that the text is too short to tell. */
export type Step = (text: string, at: number) => number | "no" | "more";

/** Whether the text begins with these steps, one after the other. */
export function follows(text: string, ...steps: readonly Step[]): Verdict {
  const end = run(text, 0, steps);
  if (typeof end === "number") return "call";
  return end === "no" ? "text" : end;
}

/** So many characters may pass until it is plain whether a step fits. */
const longestStep = 160;

/** Whether the unread text begins with a step. Waits while that is open. Takes nothing. */
export function* comes(reader: Pick<Reader, "input">, step: Step): Reading<boolean> {
  return (yield* endOf(reader, step)) !== undefined;
}

/** Takes a step if the unread text begins with it. */
export function* takeStep(reader: Pick<Reader, "input">, step: Step): Reading<boolean> {
  const end = yield* endOf(reader, step);
  if (end !== undefined) reader.input.take(end);
  return end !== undefined;
}

function* endOf({ input }: Pick<Reader, "input">, step: Step): Reading<number | undefined> {
  for (;;) {
    const text = input.peek(longestStep);
    const end = step(text, 0);
    if (typeof end === "number") return end;
    if (end === "no" || text.length >= longestStep || input.ended) return undefined;
    yield;
  }
}

/** The steps as one step. */
export const inOrder =
  (...steps: readonly Step[]): Step =>
  (text, at) =>
    run(text, at, steps);

/** The first alternative that fits; "more" while an earlier one may still. */
export const either =
  (...steps: readonly Step[]): Step =>
  (text, at) => {
    for (const step of steps) {
      const end = step(text, at);
      if (end !== "no") return end;
    }
    return "no";
  };

export const mark =
  (wanted: string): Step =>
  (text, at) => {
    if (text.startsWith(wanted, at)) return at + wanted.length;
    return wanted.startsWith(text.slice(at)) ? "more" : "no";
  };

export const oneOf = (...marks: readonly string[]): Step => either(...marks.map(mark));

/** Any white space, or none. */
export const blank: Step = (text, at) => spaceEnd(text, at);

/** Characters of a class, at least one and at most `most`. What follows them must have come. */
export const some =
  (one: RegExp, most = 100): Step =>
  (text, at) => {
    let end = at;
    while (end < text.length && end - at <= most && one.test(text.charAt(end))) end += 1;
    if (end - at > most) return "no";
    if (end === text.length) return "more";
    return end === at ? "no" : end;
  };

/** A tool's name. */
export const name: Step = some(/[\w.:/-]/, 80);

/** A step that may be left out. */
export const maybe = (step: Step): Step => either(step, (_, at) => at);

/** What follows fits; it is not taken. */
export const peek =
  (step: Step): Step =>
  (text, at) => {
    const end = step(text, at);
    return typeof end === "number" ? at : end;
  };

/** The next character is of a class; it is not taken. */
export const before =
  (one: RegExp): Step =>
  (text, at) =>
    at >= text.length ? "more" : one.test(text.charAt(at)) ? at : "no";

function run(text: string, at: number, steps: readonly Step[]): number | "no" | "more" {
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
