/** Names of servers' tools: accepted by every provider, unique, and stable. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { sendableName } from "../../protocol/history.ts";
import { openNames } from "./names.ts";

test("a plain tool has a plain name", () => {
  expect(openNames().of("github", "create_issue")).toBe("mcp__github__create_issue");
});

test("names are sendable, unique and stable for arbitrary server and tool names", () => {
  const name = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 120 }),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(name, name), { selector: (pair) => JSON.stringify(pair) }),
      (pairs) => {
        const names = openNames();
        const given = pairs.map(([server, tool]) => names.of(server, tool));
        expect(new Set(given).size).toBe(pairs.length);
        expect(given.map(sendableName)).toEqual(given);
        expect(pairs.map(([server, tool]) => names.of(server, tool))).toEqual(given);
      },
    ),
  );
});

test("colliding names are distinguished by a hash", () => {
  const names = openNames();
  expect(names.of("a", "b c")).toBe("mcp__a__b_c");
  expect(names.of("a", "b/c")).toMatch(/^mcp__a__b_c_[0-9a-f]{8}$/u);
});

test("no server's tools can match a rule for another server, whichever comes first", () => {
  const names = openNames(["github", "github!", "github__x", "_github", "git hub", "git.hub"]);
  const spoofed = ["git.hub", "_github", "github__x", "github!", "git hub", "github"].map((server) =>
    names.of(server, "get"),
  );
  expect(spoofed.filter((name) => name.startsWith("mcp__github__"))).toEqual(["mcp__github__get"]);
  expect(spoofed.at(-1)).toBe("mcp__github__get");
  expect(spoofed.filter((name) => name.startsWith("mcp__git_hub__"))).toEqual(["mcp__git_hub__get"]);
});
