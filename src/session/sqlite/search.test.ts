/** Tests the search index, which is updated in steps on each search. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { newDirectory, openTestStore } from "./testing/sqlite.ts";

test("a search indexes new messages in steps and reports how many sessions are left", async () => {
  const store = openTestStore(join(newDirectory(), "s.db"));
  for (const id of ["s1", "s2", "s3"]) {
    await store.create({ id, workspace: "/w", createdAt: 1 });
    const said = {
      type: "user-message" as const,
      content: [{ type: "text" as const, text: `needle ${id}` }],
    };
    await store.append(id, await store.claim(id), [{ ...said, v: 1, seq: 1, at: 1, turn: 1 }]);
  }
  const left: number[] = [];
  let hadItsTurn = false;
  setImmediate(() => (hadItsTurn = true));
  const found = await store.search("needle", 9, { told: (count) => left.push(count) });
  expect(found.map(({ id }) => id).toSorted()).toEqual(["s1", "s2", "s3"]);
  expect(left[0]).toBe(3);
  expect(left).toEqual(left.toSorted((a, b) => b - a));
  expect(hadItsTurn).toBe(true);
  left.length = 0;
  expect(await store.search("needle s2", 9, { told: (count) => left.push(count) })).toHaveLength(1);
  expect(left).toEqual([]);
});
