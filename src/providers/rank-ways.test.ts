import { expect, test } from "vitest";
import type { CallCounts, DialectRecord } from "../protocol/dialect-record.ts";
import { rankWays } from "./rank-ways.ts";
import { scriptedModel } from "./scripted-model.ts";
import type { ModelWays } from "./ways.ts";

const usual: ModelWays = {
  ways: ["native", "own", "hermes", "fence"].map((name) => ({ name, model: scriptedModel([]) })),
};
const taught: ModelWays = { ways: usual.ways.slice(1), because: "It has no native tools" };

const nothing: CallCounts = { calls: 0, repairs: 0, refusals: 0 };
const did = (dialect: string, right: number, counts = nothing): DialectRecord => ({
  dialect,
  counts,
  measured: {
    dialect,
    at: Date.UTC(2026, 10, 22),
    tasks: 20,
    right,
    repaired: 0,
    unreadable: 0,
    inputTokens: 0,
    outputTokens: 0,
    medianMs: 1,
  },
});
const counted = (dialect: string, calls: number, refusals: number): DialectRecord => ({
  dialect,
  counts: { calls, repairs: 0, refusals },
});
const ranked = (records: DialectRecord[], ways = usual) => {
  const { ways: found, because } = rankWays(ways, records);
  return { order: found.map(({ name }) => name).join(" "), because };
};

test("without records the usual order and reason are kept", () => {
  expect(ranked([])).toEqual({ order: "native own hermes fence", because: undefined });
  expect(ranked([], taught)).toEqual({ order: "own hermes fence", because: "It has no native tools" });
  expect(ranked([counted("someone else's", 0, 9)]).order).toBe("native own hermes fence");
});

test("a way that measured better comes first, the others follow by score, and the reason is given", () => {
  expect(ranked([did("native", 8), did("own", 3), did("hermes", 19), did("fence", 15)])).toEqual({
    order: "hermes fence native own",
    because:
      "When it was measured on 2026-11-22, it did 19 of 20 tasks right with hermes and 8 with native tools",
  });
});

test("a lead of one task counts as chance: among the best the usual order decides", () => {
  expect(ranked([did("native", 19), did("own", 20), did("hermes", 20), did("fence", 20)]).order).toMatch(
    /^native/,
  );
  expect(ranked([did("native", 18), did("own", 19), did("hermes", 20), did("fence", 20)]).order).toMatch(
    /^own/,
  );
  expect(ranked([did("native", 18), did("own", 0), did("hermes", 20), did("fence", 20)]).order).toMatch(
    /^hermes/,
  );
});

test("a measurement that confirms the taught dialect is added to the reason", () => {
  expect(ranked([did("own", 20), did("hermes", 20), did("fence", 20)], taught)).toEqual({
    order: "own hermes fence",
    because: "It has no native tools (measured: 20 of 20 tasks right)",
  });
  expect(ranked([did("native", 20), did("hermes", 20)]).because).toBeUndefined();
});

test("where no way did a quarter of the tasks right, nothing was learnt: the usual order and reason stay", () => {
  const poor = [did("native", 0), did("own", 4), did("hermes", 2), did("fence", 3)];
  expect(ranked(poor)).toEqual({ order: "native own hermes fence", because: undefined });
  expect(ranked(poor.slice(1), taught).because).toBe("It has no native tools");
  expect(ranked([did("native", 0), did("own", 5)]).order).toMatch(/^own/u);
});

test("measuring only another way does not displace the usual one", () => {
  expect(ranked([did("fence", 20)]).order).toBe("native own hermes fence");
});

test("ways that were not measured come after those that were", () => {
  expect(ranked([did("native", 5), did("fence", 6)]).order).toBe("native fence own hermes");
});

test("a way whose calls were unreadable in earlier sessions moves to the end, and the reason is given", () => {
  expect(ranked([counted("native", 1, 3)])).toEqual({
    order: "own hermes fence native",
    because: "In earlier sessions 3 of its 4 calls with native tools could not be read",
  });
  expect(
    ranked([did("native", 5), did("hermes", 20, { calls: 0, repairs: 0, refusals: 2 }), did("fence", 7)]),
  ).toEqual({
    order: "fence native own hermes",
    because: "In earlier sessions 2 of its 2 calls with hermes could not be read",
  });
});

test("a way counts as failing only from two unreadable calls and one in five", () => {
  expect(ranked([counted("native", 0, 1)]).order).toMatch(/^native/);
  expect(ranked([counted("native", 41, 10)]).order).toMatch(/^native/);
  expect(ranked([counted("native", 40, 10)]).order).toMatch(/^own/);
});

test("if every way fails, the order is unchanged", () => {
  const failing = usual.ways.map(({ name }) => counted(name, 0, 5));
  expect(ranked(failing)).toEqual({ order: "native own hermes fence", because: undefined });
});
