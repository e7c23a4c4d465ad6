import { expect, test } from "vitest";
import { likeness, nearPlaces } from "./nearest.ts";

/** The work for a passage of 200 lines, a few of which are stale, in a file of about a megabyte. */
function work(line: (at: number) => string): { steps: number; best: number | undefined } {
  const file = Array.from({ length: 25_000 }, (_, at) => line(at));
  const passage = file.slice(20_000, 20_200).map((words, at) => (at % 20 === 5 ? `stale ${at}` : words));
  const { near, steps } = nearPlaces(file, passage);
  return { steps, best: near[0]?.places[0] };
}

const most = 2_000_000;

test("the cost of a search grows with file and passage only, however repetitive they are", () => {
  const usual = work((at) => `const value_${at} = compute("${at}", ${at % 7});`);
  expect(usual.best).toBe(20_000);
  expect(usual.steps).toBeLessThan(25_000 * 6);
  expect(work((at) => (at % 10 === 9 ? "}" : `call(${at % 10}, "x");`)).steps).toBeLessThan(most);
  expect(work(() => "call(a, b);").steps).toBeLessThan(most);
  expect(work(() => "").steps).toBeLessThan(most);
  expect(work((at) => (at % 3 === 0 ? `if (x${at % 100}) {` : "}")).steps).toBeLessThan(most);
});

test("a search that had to stop early reports that it is incomplete", () => {
  const lines = (count: number): string[] => Array.from({ length: count }, () => "the same");
  expect(nearPlaces(lines(25_000), lines(200)).isWhole).toBe(false);
  expect(nearPlaces(["a b"], lines(6000))).toEqual({ near: [], isWhole: false, steps: 0 });
  expect(nearPlaces(["a b"], [])).toEqual({ near: [], isWhole: false, steps: 0 });
});

test("near places are listed best first, each with its matched lines", () => {
  const file = ["get a", "get b", "get c", "--", "get a", "get x", "get c"];
  const { near } = nearPlaces(file, ["get a", "get b", "get c"]);
  expect(near.map(({ places }) => places)).toEqual([
    [0, 1, 2],
    [4, undefined, 6],
  ]);
  expect(near.map(({ there, missing }) => [there, missing])).toEqual([
    [3, 0],
    [2, 1],
  ]);
  expect(near[0]?.similarity).toBe(1);
});

test("the similarity of two lines is the share of character pairs they have in common", () => {
  expect(likeness("const a = 1;", "const a = 1;")).toBe(1);
  expect(likeness("const a = 1;", "const a = 2;")).toBeGreaterThan(0.7);
  expect(likeness("const a = 1;", "return list")).toBeLessThan(0.3);
  expect(likeness("", "x")).toBe(0);
});
