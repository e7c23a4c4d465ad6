/** A failed request shows its reason only once. */

import { expect, test } from "vitest";
import type { Block } from "../../view/blocks.ts";
import { withoutEchoes } from "./echoes.ts";

const failure: Block = { type: "failure", key: "failure:1", text: "No key." };
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
  badge: { added: 0, removed: 0 },
  verified: [],
  undone: "nothing",
};

test("the reason of a failed request is shown once, at its end", () => {
  expect(withoutEchoes([partial, failure, words, ending])).toEqual([partial, ending]);
  expect(withoutEchoes([partial, failure, ending])).toEqual([partial, ending]);
});

test("a failure with another reason, or after which the request went on, is kept", () => {
  const other: Block = { ...failure, text: "Overloaded." };
  expect(withoutEchoes([other, partial, ending])).toEqual([other, partial, ending]);
  expect(withoutEchoes([failure, partial, ending])).toEqual([failure, partial, ending]);
  expect(withoutEchoes([failure, words])).toEqual([failure, words]);
});
