import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { scale } from "../testing/scale.ts";
import { testSession } from "../testing/session.ts";
import { listenForMark, restOf, withoutMark } from "./done-mark.ts";
import type { Entry, Signal } from "./facts.ts";

function heard(pieces: readonly string[]) {
  const state = listenForMark();
  const shown = pieces.map((piece) => withoutMark(state, piece));
  return { text: [...shown, restOf(state)].join(""), isSaid: state.isSaid };
}

const cutUp = (text: string, at: readonly number[]): string[] => {
  const places = [0, ...at.map((place) => place % (text.length + 1)), text.length].toSorted((a, b) => a - b);
  return places.slice(1).map((place, index) => text.slice(places[index], place));
};

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "[TASK_COMPLETE]",
        "[task_Complete]",
        "[TASK_",
        "COMPLETE]",
        "[",
        "]",
        "[T",
        "[[",
        "a[0] ",
      ),
      fc.string({ maxLength: 5 }),
    ),
  )
  .map((parts) => parts.join(""));

/** Also removes text that becomes a mark only once the mark inside it is gone. */
function withoutAny(text: string): string {
  const less = text.replaceAll(/\[TASK_COMPLETE\]/giu, "");
  return less === text ? text : withoutAny(less);
}

test("A27: the mark is removed however the stream is chunked, and nothing else is", () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat()), (text, at) => {
      const whole = withoutAny(text);
      const pieces = heard(cutUp(text, at));
      expect(pieces).toEqual(heard([text]));
      expect(pieces.isSaid).toBe(/\[TASK_COMPLETE\]/iu.test(text));
      // Only a truncated mark may be missing at the end.
      expect(whole.startsWith(pieces.text)).toBe(true);
      expect(whole.slice(pieces.text.length)).toMatch(/^(?:\[TASK_[A-Z]*)*$/iu);
    }),
    { numRuns: 300 * scale },
  );
});

test.each([
  ["a list [", "a list ["],
  ["x[", "x["],
  ["see [T", "see [T"],
  ["see [TASK", "see [TASK"],
  ["Done. [TASK_COMP", "Done. "],
  ["Done.\n[task_complete]", "Done.\n"],
  ["[TASK_COMPLETED]", "[TASK_COMPLETED]"],
  ["a [TASK_[TASK_COMPLETE]COMPLETE] b", "a  b"],
  ["a [[TASK_COM", "a ["],
  ["a [TASK_[TASK_COM", "a "],
  ["[TASK_[TASK_[b", "[TASK_[TASK_[b"],
])("A27: %j is shown as %j at the end of the text", (said, shown) => {
  expect(heard(said.match(/./gsu) ?? []).text).toBe(shown);
});

async function session(answers: readonly ScriptedAnswer[], pieces?: number) {
  const opened = await testSession(scriptedModel(answers, pieces === undefined ? {} : { pieces }));
  onTestFinished(() => opened.close());
  const events: (Entry | Signal)[] = [];
  opened.session.log.listen((event) => events.push(event));
  await opened.ask("go");
  return { ...opened, events };
}

test.each([1, 3, 7, 100])(
  "A27: the mark appears in neither signals nor facts, in text or reasoning, in chunks of %i",
  async (pieces) => {
    const { events, facts } = await session(
      [[{ think: "I say [TASK_COMPLETE] then [" }, { say: "All [done] [TASK_COMPLETE]" }]],
      pieces,
    );
    const streamed = (type: string) =>
      events.flatMap((event) => (event.type === type && "text" in event ? [event.text] : [])).join("");
    expect(streamed("text-delta")).toBe("All [done] ");
    expect(streamed("reasoning-delta")).toBe("I say  then [");
    expect(facts().find(({ type }) => type === "text")).toMatchObject({ text: "All [done] " });
    expect(facts().find(({ type }) => type === "reasoning")).toMatchObject({ text: "I say  then [" });
    expect(facts().find(({ type }) => type === "answer-end")).toMatchObject({ complete: true });
    expect(JSON.stringify(facts())).not.toContain("TASK_COMPLETE");
  },
);

test("A27: a mark in reasoning does not complete the task, and a block with only the mark is dropped", async () => {
  const { facts } = await session([
    [{ think: "[TASK_COMPLETE]" }, { say: "Hm." }, { call: "list_files", with: {} }],
    [{ say: "[TASK_COMPLETE]" }],
  ]);
  const ends = facts().flatMap((fact) => (fact.type === "answer-end" ? [fact.complete] : []));
  expect(ends).toEqual([undefined, true]);
  const blocks = facts().flatMap((fact) => (fact.type === "text" || fact.type === "reasoning" ? [fact] : []));
  expect(blocks.map(({ type, block, text }) => [type, block, text])).toEqual([["text", 1, "Hm."]]);
});

test("text without a mark is passed through chunk by chunk, and nothing is held back", () => {
  const state = listenForMark();
  for (const piece of ["word ", "a[i] = ", "word ", "[]", "[[x", ""]) {
    expect(withoutMark(state, piece)).toBe(piece);
    expect(state).toEqual(listenForMark());
  }
});
