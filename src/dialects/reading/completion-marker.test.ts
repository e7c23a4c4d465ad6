import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutMarks } from "../../protocol/done-mark.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import { eventFilter } from "./completion-marker.ts";

const end: ModelEvent = { type: "answer-end", reason: "stop" };

/** Sends reasoning and text through the filter in chunks of this size. */
function filtered({ thought = "", text }: { thought?: string; text: string }, size: number): ModelEvent[] {
  const pieces = (type: "reasoning-delta" | "text-delta", words: string): ModelEvent[] =>
    Array.from({ length: Math.ceil(words.length / size) }, (_, at) => ({
      type,
      text: words.slice(at * size, (at + 1) * size),
    }));
  const filter = eventFilter();
  return [...pieces("reasoning-delta", thought), ...pieces("text-delta", text), end, undefined].flatMap(
    (event) => [...filter(event)],
  );
}

const wordsOf = (events: readonly ModelEvent[], type: "reasoning-delta" | "text-delta"): string =>
  events.map((event) => (event.type === type ? event.text : "")).join("");

test("A27: the marker is removed from text and reasoning in any letter case, however the stream is chunked", () => {
  const piece = fc.oneof(
    fc.constantFrom("[TASK_COMPLETE]", "[task_Complete]", "[TASK", "[", "COMPLETE]", "[TASK_COMPLETE"),
    fc.string({ maxLength: 5 }),
  );
  const words = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(words, words, fc.integer({ min: 1, max: 20 }), (thought, text, size) => {
      const events = filtered({ thought, text }, size);
      expect(wordsOf(events, "reasoning-delta")).toBe(withoutMarks(thought));
      expect(wordsOf(events, "text-delta")).toBe(withoutMarks(text));
    }),
  );
});

test("answer-end reports a marker in the text, but not one in the reasoning", () => {
  const endOf = (words: Parameters<typeof filtered>[0]) => filtered(words, 4).at(-1);
  expect(endOf({ text: "Done. [TASK_COMPLETE]\nBye [task_complete]" })).toEqual({ ...end, complete: true });
  expect(endOf({ thought: "[TASK_COMPLETE]?", text: "Not yet." })).toEqual(end);
});

test("a `[` at the end of an answer is text, and is not lost", () => {
  expect(wordsOf(filtered({ text: "see [" }, 1), "text-delta")).toBe("see [");
});
