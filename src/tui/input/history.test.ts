/** Tests stepping through and searching what was said before. */

import { expect, test } from "vitest";
import { InputHistory } from "./history.ts";

function historyOf(...earlier: string[]) {
  const read: string[] = [];
  const history = new InputHistory(async function* () {
    for (const text of earlier) {
      read.push(text);
      yield text;
    }
  });
  return { history, read };
}

test("nothing is read before it is needed, and then only as far as needed", async () => {
  const { history, read } = historyOf("two", "one");
  history.add("three");
  expect(await history.older("draft")).toBe("three");
  expect(read).toEqual([]);
  expect(await history.older("three")).toBe("two");
  expect(read).toEqual(["two"]);
});

test("going back and forth ends at the draft", async () => {
  const { history } = historyOf("two", "one");
  expect(await history.newer()).toBeUndefined();
  expect(await history.older("draft")).toBe("two");
  expect(await history.older("two")).toBe("one");
  expect(await history.older("one")).toBeUndefined();
  expect(await history.newer()).toBe("two");
  expect(await history.newer()).toBe("draft");
  expect(await history.newer()).toBeUndefined();
});

test("keys that are faster than the reading are steps of their own", async () => {
  const { history } = historyOf("two", "one");
  expect(await Promise.all([history.older("draft"), history.older(""), history.newer()])).toEqual([
    "two",
    "one",
    "two",
  ]);
});

test("the same text is there once, where it was said last, and nothing empty is", async () => {
  const { history } = historyOf("same", " ", "other", "same");
  history.add("same");
  history.add("\n");
  expect(await history.older("")).toBe("same");
  expect(await history.older("")).toBe("other");
  expect(await history.older("")).toBeUndefined();
});

test("what is remembered has a bound", async () => {
  const { history, read } = historyOf(...Array.from({ length: 3_000 }, (_, at) => `said ${at}`));
  let count = 0;
  while ((await history.older("")) !== undefined) count += 1;
  expect(count).toBe(1_000);
  expect(read.length).toBe(1_000);
  const big = historyOf(...Array.from({ length: 20 }, (_, at) => `${at}`.padEnd(1_000_000)));
  expect(await big.history.textAt(19)).toBeUndefined();
  expect(big.read.length).toBe(5);
});

test("a failure while reading is told, and the step can be made again", async () => {
  let fails = true;
  const history = new InputHistory(async function* () {
    if (fails) throw new Error("The database is locked.");
    yield "one";
  });
  await expect(history.older("")).rejects.toThrow("locked");
  fails = false;
  expect(await history.older("draft")).toBe("one");
  expect(await history.newer()).toBe("draft");
});

test("a search narrows with each character, goes to older matches, and widens again", async () => {
  const { history } = historyOf("run the tests", "Rename total", "run it");
  const search = history.search();
  expect(await search.type("r")).toMatchObject({ text: "run the tests", from: 0, to: 1 });
  expect(await search.older()).toMatchObject({ text: "Rename total" });
  expect(await search.type("e")).toMatchObject({ text: "Rename total", from: 0, to: 2 });
  expect(await search.type("x")).toEqual({ query: "rex", text: undefined, from: 0, to: 0 });
  expect(await search.deleteLeft()).toMatchObject({ query: "re", text: "Rename total" });
  await search.deleteLeft();
  expect(await search.older()).toMatchObject({ text: "Rename total" });
  expect(await search.older()).toMatchObject({ text: "run it" });
  expect(await search.older()).toMatchObject({ text: "run it" });
});

test("a capital in a search means a capital", async () => {
  const { history } = historyOf("rename total", "Rename total");
  expect(await history.search().type("R")).toMatchObject({ text: "Rename total" });
});

test("of searches that overtake one another the newest counts", async () => {
  const { history } = historyOf("run it", "red");
  const search = history.search();
  await Promise.all([search.type("r"), search.type("e")]);
  expect(search.match).toMatchObject({ query: "re", text: "red" });
});
