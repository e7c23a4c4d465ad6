/** Nobody is told that they stopped what they did not stop. */

import { expect, test } from "vitest";
import { byPerson } from "../../protocol/fact-words.ts";
import type { EndingBlock } from "../../view/blocks.ts";
import { stoppedWords } from "./ending.tsx";

const ending = (because: string, who: Pick<EndingBlock, "by" | "device"> = {}): EndingBlock => ({
  type: "ending",
  key: "ending:1",
  stopped: "interrupted",
  because,
  ...who,
  changed: [],
  isDeletion: false,
  badge: { added: 0, removed: 0 },
  verified: [],
  undone: "nothing",
});

const words = (because: string, who?: Pick<EndingBlock, "by" | "device">): string | undefined =>
  stoppedWords(ending(because, who), "a1")?.text;

test("only what a person stopped says so; anything else says what stopped it", () => {
  expect(words(byPerson)).toBe("Stopped by you.");
  expect(words("the program that worked on it ended")).toBe(
    "Interrupted: the program that worked on it ended.",
  );
});

test("a stop says where it came from, and only the browser that it came from says that it was you", () => {
  const by = "Firefox 144 on Linux";
  expect(words(byPerson, { by, device: "a1" })).toBe("Stopped by you.");
  expect(words(byPerson, { by, device: "b2" })).toBe("Stopped on another device (Firefox 144 on Linux).");
  expect(stoppedWords(ending(byPerson, { by, device: "b2" }), undefined)?.text).toContain("another device");
  expect(words(byPerson, { by: "user" })).toBe("Stopped by you.");
  expect(words(byPerson, { by: "terminal" })).toBe("Stopped in the terminal.");
  expect(words(byPerson, { by: "a program" })).toBe("Stopped by a program.");
});
