/** Tests the marks by which terminals jump between requests. */

import { expect, test } from "vitest";
import { promptMarksFor } from "./prompt-marks.ts";

const readable = (rows: readonly string[]): string[] =>
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  rows.map((row) => row.replaceAll(/\u001B\]133;([A-D])\u001B\\/gu, "<$1>"));

test("a request is a prompt, what follows is its output, and the next request ends that", () => {
  const marks = promptMarksFor({ TERM: "xterm-256color" });
  if (!marks) throw new Error("this terminal knows the marks");
  expect(readable(marks.answer(["toolwright 1"]))).toEqual(["toolwright 1"]);
  expect(readable(marks.request(["", "> fix it", "  please"]))).toEqual(["", "<A>> <B>fix it", "  please"]);
  expect(readable(marks.request(["> and this"]))).toEqual(["<A>> <B>and this"]);
  expect(readable(marks.answer([""]))).toEqual([""]);
  expect(readable(marks.answer(["", "  Fixed.", "  Really."]))).toEqual(["", "<C>  Fixed.", "  Really."]);
  expect(readable(marks.answer(["  More."]))).toEqual(["  More."]);
  expect(readable(marks.request(["", "> thanks"]))).toEqual(["", "<D><A>> <B>thanks"]);
});

test.each([
  [{}, false],
  [{ TERM: "dumb" }, false],
  [{ TERM: "linux" }, false],
  [{ TERM: "vt100" }, false],
  [{ TERM: "screen" }, false],
  [{ TERM: "screen-256color", TMUX: "/tmp/tmux,1,0" }, true],
  [{ TERM: "tmux-256color", TMUX: "/tmp/tmux,1,0" }, true],
  [{ TERM: "xterm-kitty" }, true],
])("with %j it is %s that a terminal is given them", (env, isGiven) => {
  expect(promptMarksFor(env) !== undefined).toBe(isGiven);
});
