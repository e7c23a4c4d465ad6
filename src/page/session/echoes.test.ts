/** A failed request shows its reason only once. */

import { expect, test } from "vitest";
import type { Block } from "../../view/blocks.ts";
import { withoutEchoes } from "./echoes.ts";

const failure: Block = { type: "failure", key: "failure:1", text: "No key.", said: [] };
const partial = { type: "text", key: "block:0", text: "Half an ans", open: false, by: "model" } as const;
const said = "The request failed: No key. Set one.";
const words: Block = { ...partial, key: "block:2", text: said, by: "toolwright" };
const ending: Block = {
  type: "ending",
  key: "ending:1",
  stopped: "failed",
  because: "No key.",
  advice: "Set one.",
  changed: [],
  isDeletion: false,
  badge: { added: 0, removed: 0 },
  verified: [],
  undone: "nothing",
};

test("the reason of a failed request is shown once, at its end", () => {
  expect(withoutEchoes([partial, failure, words, ending])).toEqual([partial, ending]);
  expect(withoutEchoes([partial, failure, ending])).toEqual([partial, ending]);
});

test("what a broken answer said goes away once the next one says something, unless it had called a tool", () => {
  const broke: Block = { ...failure, text: "Lost.", said: [partial.key] };
  const again: Block = { ...partial, key: "block:3", text: "Half an answer.", open: true };
  expect(withoutEchoes([partial, broke])).toEqual([partial, broke]);
  expect(withoutEchoes([partial, broke, again])).toEqual([again]);
  expect(withoutEchoes([partial, { ...broke, said: [] }, again])).toEqual([partial, again]);
});

test("what an interrupted answer said goes away once the next one of the turn says something, not of a later turn", () => {
  const broke: Block = { type: "failure", key: "failure:4", said: [partial.key] };
  const again: Block = { ...partial, key: "block:3", text: "Half an answer." };
  expect(withoutEchoes([partial, broke, again])).toEqual([again]);
  const interrupted: Block = { ...ending, stopped: "interrupted", because: "the program was closed" };
  expect(withoutEchoes([partial, broke, interrupted, again])).toEqual([partial, broke, interrupted, again]);
});

test("the mode that a session begins in is told by its settings alone, a later one also where it changed", () => {
  const mode = {
    type: "event",
    key: "event:2",
    about: "mode",
    text: "The mode is ask from here on.",
  } as const;
  const user: Block = { type: "user", key: "user:3", text: "Hi", images: 0 };
  const later = { ...mode, key: "event:9" };
  expect(withoutEchoes([mode, user, partial, later])).toEqual([user, partial, later]);
  expect(withoutEchoes([mode])).toEqual([mode]);
});

test("a failure with another reason, is kept", () => {
  const other: Block = { ...failure, text: "Overloaded." };
  expect(withoutEchoes([other, words, ending])).toEqual([other, ending]);
  expect(withoutEchoes([failure, words])).toEqual([failure, words]);
});
