import * as fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import { scriptedModel, type ScriptedAnswer } from "./scripted-model.ts";
import { withoutEcho } from "./without-echo.ts";

const thought = "I should look at the file before I say anything.";
const call = { call: "read_file", with: { path: "a" } };

async function hear(answer: ScriptedAnswer, pieces = 3): Promise<{ text: string; events: ModelEvent[] }> {
  const model = withoutEcho(scriptedModel([answer], { pieces }));
  const events = await collect(
    model.ask({ system: "", messages: [], tools: [] }, new AbortController().signal),
  );
  const text = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  return { text, events };
}

test.each([
  ["the same text before a call", [{ think: thought }, { say: thought }, call], ""],
  ["a part of it before a call", [{ think: thought }, { say: thought.slice(0, 30) }, call], ""],
  ["the same text, and more", [{ think: thought }, { say: `${thought}\n\nHere it is.` }], "Here it is."],
  ["white space around it", [{ think: `${thought}\n` }, { say: `\n${thought} ` }, call], ""],
] as const)("A9: an echo of the reasoning is dropped: %s", async (_, answer, left) => {
  const { text, events } = await hear(answer);
  expect(text).toBe(left);
  expect(events.filter(({ type }) => type === "call-end")).toHaveLength(answer.length === 3 ? 1 : 0);
});

test.each([
  ["the only words of the answer", [{ think: thought }, { say: thought }], thought],
  ["short words", [{ think: "Yes." }, { say: "Yes. It is." }], "Yes. It is."],
  ["other words with the same beginning", [{ think: thought }, { say: "I should know." }], "I should know."],
  ["words without reasoning before them", [{ say: thought }, call], thought],
  ["a word or two before a call", [{ think: thought }, { say: "I should" }, call], "I should"],
] as const)("text that is not an echo is kept: %s", async (_, answer, left) => {
  expect((await hear(answer)).text).toBe(left);
});

test("the text does not depend on how the answer is split into chunks", async () => {
  const words = fc.constantFrom(thought, thought.slice(0, 25), `${thought} And more.`, "Well.", " ");
  await fc.assert(
    fc.asyncProperty(words, words, fc.integer({ min: 1, max: 60 }), async (think, say, pieces) => {
      const answer = [{ think }, { say }, call];
      expect((await hear(answer, pieces)).text).toBe((await hear(answer, 1000)).text);
    }),
  );
});

test.each([
  ["an echo that is the answer's only words", [{ think: thought }, { say: thought }]],
  [
    "a beginning that is too short for an echo, before a call",
    [{ think: thought }, { say: "I should" }, call],
  ],
  ["an echo before a call", [{ think: thought }, { say: thought }, call]],
  [
    "a second thought behind an echo",
    [{ think: thought }, { say: thought }, { think: "Hm." }, { say: "So." }],
  ],
] as const)("no event other than deltas is lost: %s", async (_, answer) => {
  const withoutText = (events: readonly ModelEvent[]) =>
    events.flatMap(({ type }) => (type === "text-delta" || type === "reasoning-delta" ? [] : [type]));
  const plain = scriptedModel([answer], { pieces: 3 });
  const prompt = { system: "", messages: [], tools: [] };
  const told = await collect(plain.ask(prompt, new AbortController().signal));
  expect(withoutText((await hear(answer)).events)).toEqual(withoutText(told));
});
