/** A requested model name resolves to the most specific matching row. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { namesOf } from "./names.ts";

const table = {
  "claude-*": { model: "ollama/qwen3" },
  "claude-*-haiku*": { model: "ollama/small", assumedContext: 200_000 },
  "claude-opus-4": { model: "anthropic/claude-opus-4" },
  "*-embed": { model: "ollama/embed" },
};

test("an exact name takes precedence, then the pattern with most letters, then the default", () => {
  const { find } = namesOf(table, "ollama/default");
  expect(find("claude-opus-4")?.model).toBe("anthropic/claude-opus-4");
  expect(find("claude-4-5-haiku-latest")).toEqual({ model: "ollama/small", assumedContext: 200_000 });
  expect(find("Claude-Sonnet-4")?.model).toBe("ollama/qwen3");
  expect(find("text-embed")?.model).toBe("ollama/embed");
  expect(find("gpt-5")?.model).toBe("ollama/default");
});

test("without a default, a name that matches no row is not served", () => {
  expect(namesOf(table, undefined).find("gpt-5")).toBeUndefined();
  expect(namesOf({ "*": { model: "a/b" } }, undefined).find("gpt-5")?.model).toBe("a/b");
});

test("exact names, every model of a row and the default are listed and can be requested", () => {
  const names = namesOf(table, "ollama/default");
  expect(names.listed).toEqual([
    "claude-opus-4",
    "ollama/qwen3",
    "ollama/small",
    "anthropic/claude-opus-4",
    "ollama/embed",
    "ollama/default",
  ]);
  expect(names.find("ollama/small")?.model).toBe("ollama/small");
  expect(names.find("ollama/small:latest")?.model).toBe("ollama/small");
  expect(names.find("ollama/else")?.model).toBe("ollama/default");
});

test("the tag :latest is ignored unless a row names it", () => {
  const { find } = namesOf({ "qwen3:latest": { model: "a/one" }, qwen3: { model: "a/two" } }, undefined);
  expect(find("qwen3:latest")?.model).toBe("a/one");
  expect(find("qwen3")?.model).toBe("a/two");
  expect(namesOf({ "qwen*": { model: "a/b" } }, undefined).find("qwen3:latest")?.model).toBe("a/b");
});

test("a pattern matches like the equivalent regular expression, without backtracking", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", ".", "["), maxLength: 3 });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), piece, piece, (pieces, one, two) => {
      const { find } = namesOf({ [pieces.join("*")]: { model: "x/y" } }, undefined);
      const written = pieces.map((text) => text.replaceAll(/[.[]/g, "\\$&")).join(".*");
      const name = `${one}${pieces.join(two)}`;
      expect(find(name) !== undefined).toBe(new RegExp(`^${written}$`).test(name) || name === "x/y");
    }),
  );
  expect(
    namesOf({ ["*a".repeat(200)]: { model: "x/y" } }, undefined).find("a".repeat(100_000)),
  ).toBeDefined();
});
