/** Whether a server can work, asked by many at once. */

import { expect, test } from "vitest";
import { StoreError } from "../session/store.ts";
import { Readiness } from "./readiness.ts";

test("however many ask at once, the database is looked at once", async () => {
  let looks = 0;
  const readiness = new Readiness(async () => {
    looks += 1;
    throw new StoreError("It is away.");
  });
  const told = await Promise.all(Array.from({ length: 100 }, () => readiness.problem()));
  expect(new Set(told)).toEqual(new Set(["It is away."]));
  expect(looks).toBe(1);
});

test("a database that hangs is said to, and nobody waits for it", async () => {
  const readiness = new Readiness(() => new Promise(() => undefined), 1);
  expect(await readiness.problem()).toBe("The session database does not answer.");
});
