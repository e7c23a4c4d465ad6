import fc from "fast-check";
import { expect, test } from "vitest";
import { isTextDeeperThan } from "./json-brackets.ts";
import { isDeeperThan, parseJson } from "./json.ts";

test("a JSON text is as deep as its value, whatever brackets and quotes its strings hold", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6, stringUnit: fc.constantFrom("[", "]", "{", "}", '"', "\\", "a") }),
      fc.integer({ min: 1, max: 7 }),
      (value, levels) => {
        const text = JSON.stringify(value);
        const parsed = parseJson(text);
        expect(isTextDeeperThan(levels, text)).toBe(parsed.ok && isDeeperThan(levels, parsed.value));
      },
    ),
  );
});

test("invalid JSON is scanned to its end or to the level that is too deep", () => {
  expect(isTextDeeperThan(64, "[".repeat(8_000_000))).toBe(true);
  expect(isTextDeeperThan(64, `"${"[".repeat(1_000)}`)).toBe(false);
  expect(isTextDeeperThan(64, "]".repeat(1_000))).toBe(false);
});
