/** Names of servers' tools: taken by every provider, one for each tool, the same ever after. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { sendableName } from "../../protocol/history.ts";
import { openNames } from "./names.ts";

test("a plain tool has a plain name", () => {
  expect(openNames().of("github", "create_issue")).toBe("mcp__github__create_issue");
});

test("whatever servers and tools are called, names are sendable, different, and stay", () => {
  const name = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 120 }),
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

test("two that would be called alike are told apart by what they are", () => {
  const names = openNames();
  expect(names.of("a", "b__c")).toBe("mcp__a__b__c");
  expect(names.of("a__b", "c")).toMatch(/^mcp__a__b__c_[0-9a-f]{8}$/u);
});
