import { expect, test } from "vitest";
import { keptHunksIn } from "./kept-hunks-memento.ts";

function memento(stored?: unknown) {
  let value = stored;
  return {
    get: (_key: string) => structuredClone(value),
    update: async (_key: string, next: unknown) => {
      value = next;
    },
    stored: () => value,
  };
}

test("kept hunks are remembered by session, and a session without any is forgotten", () => {
  const place = memento();
  const store = keptHunksIn(place);
  expect(store.read("one")).toEqual([]);
  store.write("one", ["a", "b"]);
  store.write("two", ["c"]);
  expect(keptHunksIn(place).read("one")).toEqual(["a", "b"]);
  store.write("one", []);
  expect(place.stored()).toEqual({ two: ["c"] });
});

test("only the sessions of late are remembered", () => {
  const place = memento();
  const store = keptHunksIn(place);
  for (let at = 0; at < 60; at += 1) store.write(`session ${at}`, ["a"]);
  expect(store.read("session 9")).toEqual([]);
  expect(store.read("session 10")).toEqual(["a"]);
});

test("what another version has left there does no harm", () => {
  expect(keptHunksIn(memento("nonsense")).read("one")).toEqual([]);
  expect(keptHunksIn(memento({ one: 5 })).read("one")).toEqual([]);
});
