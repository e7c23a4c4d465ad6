/** Tests how the arguments of undo, keep and diff are parsed. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { readAsked, readAskedLine, splitWords } from "../../configuration/options/change-selection.ts";
import type { ChangedFile, Fact } from "../../protocol/facts.ts";
import { checkpointId } from "../../protocol/fold-changes.ts";
import { step } from "../../protocol/fold.ts";
import { emptyState, type SessionState } from "../../protocol/session-state.ts";
import { whichOf } from "./changes-asked.ts";

const asked = (...words: string[]) => readAsked(words, {});

test("a number or a checkpoint id is parsed as a turn, everything else as a path", () => {
  expect(asked()).toEqual({ ok: true, value: { paths: [] } });
  expect(asked("3", "src/a.ts", "b")).toEqual({ ok: true, value: { turn: "3", paths: ["src/a.ts", "b"] } });
  expect(asked("src/a.ts", "3")).toEqual({ ok: true, value: { turn: "3", paths: ["src/a.ts"] } });
  expect(asked("ckpt_17_ab")).toEqual({ ok: true, value: { turn: "ckpt_17_ab", paths: [] } });
  for (const path of ["./5", "5.txt", "+5", "3.5", "ckpt_17_ab.txt", "a 5"])
    expect(asked(path)).toEqual({ ok: true, value: { paths: [path] } });
});

test("invalid arguments are refused in one line", () => {
  for (const words of [["1", "2"], ["0"], ["000"], [""], ["1", ""]]) {
    const refused = asked(...words);
    expect(refused).toEqual({ ok: false, problem: expect.stringMatching(/^[A-Z][^\n]+[.?]$/u) });
  }
});

test("--hunk is parsed as a list of numbers without duplicates", () => {
  const hunks = (hunk: string) => readAsked(["a"], { hunk });
  expect(hunks("2, 1,2")).toEqual({ ok: true, value: { paths: ["a"], hunks: [2, 1] } });
  for (const wrong of ["0", "1,0", "-1", "1-3", "one", ",", "1,", "99999999999", "1.5", "1e3", " "])
    expect(hunks(wrong)).toEqual({ ok: false, problem: expect.stringContaining("--hunk") });
  expect(readAsked(["a", "b"], { hunk: "1" })).toEqual({
    ok: false,
    problem: "--hunk is of one file, and these are 2: undo them one by one.",
  });
});

test("in a conversation quotes keep a path together, and the command line's options are accepted", () => {
  expect(readAskedLine("undo", `2 "a b" 'c d'/e --hunk=1 --conflict merge`)).toEqual({
    ok: false,
    problem: "--hunk is of one file, and these are 2: undo them one by one.",
  });
  expect(readAskedLine("undo", `2 "a b"/c --hunk=1 --conflict merge`)).toEqual({
    ok: true,
    value: { turn: "2", paths: ["a b/c"], hunks: [1], onConflict: "merge" },
  });
  expect(readAskedLine("undo", "-- -x")).toEqual({ ok: true, value: { paths: ["-x"] } });
  expect(readAskedLine("diff", "--hunk 1")).toEqual({
    ok: false,
    problem: "--hunk is for /undo only: /help lists the commands",
  });
  expect(readAskedLine("undo", "--conflict mrge")).toEqual({
    ok: false,
    problem: expect.stringContaining('did you mean "merge"?'),
  });
  expect(readAskedLine("undo", "--model x")).toEqual({
    ok: false,
    problem: "/undo takes no option --model.",
  });
  expect(readAskedLine("keep", `"a`)).toEqual({ ok: false, problem: `A quote is not closed: "a` });
});

test("quoted words are read back unchanged, however they are spaced", () => {
  const word = fc
    .string({ minLength: 1 })
    .filter((text) => !/["\s]/u.test(text.slice(0, 1)) && !text.includes('"'));
  fc.assert(
    fc.property(fc.array(word), fc.constantFrom(" ", "  ", "\t "), (words, gap) => {
      const line = words.map((each) => `"${each}"`).join(gap);
      expect(splitWords(line)).toEqual({ ok: true, value: words });
    }),
  );
});

test("any typed line is parsed or refused without throwing", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('"', "'", " ", "-", "=", "/", ".", "1", "a", "\\", "\n", "--hunk", "--", "ckpt_"),
      ),
      (pieces) => {
        const read = readAskedLine("undo", pieces.join(""));
        expect(read.ok || read.problem !== "").toBe(true);
      },
    ),
  );
});

const file = (path: string): ChangedFile => ({ path, before: "1", after: "2", added: 1, removed: 1 });

/** A session in which each turn changes the given files. */
function sessionWith(...turns: string[][]): SessionState {
  const facts: { turn: number; fact: Fact }[] = [
    { turn: 0, fact: { type: "session-start", session: "s1", workspace: "/w", version: "1" } },
  ];
  for (const [index, paths] of turns.entries()) {
    const turn = index + 1;
    const callId = `c${turn}`;
    const told: Fact[] = [
      { type: "user-message", content: [] },
      { type: "call", call: { id: callId, name: "n", input: {}, source: "native" } },
      { type: "change-applied", callId, changes: paths.map(file) },
      { type: "turn-end", stopped: "done", changed: paths, verified: [], text: "" },
    ];
    facts.push(...told.map((fact) => ({ turn, fact })));
  }
  const entries = facts.map(({ turn, fact }, index) => ({ ...fact, v: 1, seq: index + 1, at: turn, turn }));
  return entries.reduce(step, emptyState());
}

const pending = ["pending", "partial"] as const;
const whichIn = (state: SessionState, ...words: string[]) => {
  const read = asked(...words);
  return read.ok ? whichOf(read.value, state, pending) : read;
};

test("without a turn the newest one that changed the given path is used", () => {
  const state = sessionWith(["a", "src/b"], ["c"], []);
  expect(whichIn(state)).toEqual({ ok: true, value: { turn: 2 } });
  expect(whichIn(state, "a")).toEqual({ ok: true, value: { turn: 1, paths: ["a"] } });
  expect(whichIn(state, "src")).toEqual({ ok: true, value: { turn: 1, paths: ["src"] } });
  expect(whichIn(state, "./src//b")).toEqual({ ok: true, value: { turn: 1, paths: ["src/b"] } });
  expect(whichIn(state, "/w/a")).toEqual({ ok: true, value: { turn: 1, paths: ["a"] } });
  expect(whichIn(state, "1", ".")).toEqual({ ok: true, value: { turn: 1 } });
  expect(whichIn(sessionWith())).toEqual({ ok: true, value: {} });
});

test("A7: a turn can be named by its checkpoint id", () => {
  const state = sessionWith(["a"], ["a"]);
  expect(whichIn(state, checkpointId(state, 1))).toEqual({ ok: true, value: { turn: 1 } });
});

test("a turn or path that the session does not have is named in the problem", () => {
  const state = sessionWith(["a"], ["b"]);
  expect(whichIn(state, "99999999999")).toEqual({
    ok: false,
    problem: "There is no request 99999999999 in session s1: it has 2.",
  });
  expect(whichIn(sessionWith(), "1")).toEqual({
    ok: false,
    problem: "There is no request 1 in session s1: it has none yet.",
  });
  expect(whichIn(state, "ckpt_1_2")).toMatchObject({ ok: false });
  expect(whichIn(state, "nosuch")).toEqual({
    ok: false,
    problem: "No request of session s1 changed nosuch.",
  });
  for (const outside of ["../a", "/etc/passwd", "/w-evil/a"])
    expect(whichIn(state, outside)).toEqual({
      ok: false,
      problem: `${outside} lies outside the workspace of the session (/w).`,
    });
});
