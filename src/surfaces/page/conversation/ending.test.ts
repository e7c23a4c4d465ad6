/** Nobody is told that they stopped what they did not stop. */

import { expect, test } from "vitest";
import { byPerson } from "../../../protocol/fact-words.ts";
import type { EndingBlock } from "../../view/blocks.ts";
import { stoppedWords } from "./ending.tsx";

const ending = (because: string): EndingBlock => ({
  type: "ending",
  key: "ending:1",
  stopped: "interrupted",
  because,
  changed: [],
  badge: { added: 0, removed: 0 },
  verified: [],
  undone: "nothing",
});

test("only what a person stopped says so; anything else says what stopped it", () => {
  expect(stoppedWords(ending(byPerson))?.text).toBe("Stopped by you.");
  expect(stoppedWords(ending("the program that worked on it ended"))?.text).toBe(
    "Interrupted: the program that worked on it ended.",
  );
});
