/** What concerns one call is one row. */

import { expect, test } from "vitest";
import type { Fact } from "../../protocol/facts.ts";
import { numberEvents, transcriptOf } from "../../view/testing/events.ts";
import { visibleBlocks } from "../../view/transcript.ts";
import { rowsOf } from "./rows.ts";

const rows = (...facts: Fact[]): string[] =>
  rowsOf(visibleBlocks(transcriptOf(numberEvents(facts)))).map(({ key }) => key);

const call = (id: string): Fact => ({
  type: "call",
  call: { id, name: "a_tool", input: {}, source: "native" },
});
const result = (callId: string): Fact => ({ type: "result", callId, outcome: "ok", content: [] });
const list = (text: string): Fact => ({ type: "todos-set", items: [{ text, state: "open" }] });
const end: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };

test("a call and its approval are one row, even of two calls that ask at the same time", () => {
  const ask = (callId: string): Fact => ({
    type: "approval-asked",
    callId,
    title: "Edit a.ts",
    because: "it changes files",
    risk: "medium",
    preview: "",
    grant: "",
  });
  const yes: Fact = { type: "approval-answered", callId: "a", answer: "allow", scope: "once", by: "user" };
  expect(rows(call("a"), call("b"), ask("a"), ask("b"), yes, result("a"))).toEqual(["call:a", "call:b"]);
});

test("a question from the model is the row of its call", () => {
  const asked: Fact = { type: "question-asked", callId: "a", question: "Which?", choices: [] };
  expect(rows(call("a"), asked)).toEqual(["call:a"]);
});

test("a request's list is the row of the call that set it last, and a call that failed keeps its own", () => {
  const failed: Fact = { type: "result", callId: "c", outcome: "failed", content: [] };
  expect(rows(call("a"), list("one"), result("a"))).toEqual(["call:a"]);
  expect(rows(call("a"), list("one"), result("a"), call("b"), list("two"), result("b"))).toEqual(["call:b"]);
  expect(rows(call("a"), list("one"), result("a"), call("c"), failed)).toEqual(["call:a", "call:c"]);
  const later = [call("b"), list("two"), result("b")];
  expect(rows(call("a"), list("one"), result("a"), end, ...later)).toEqual(["call:a", "ending:1", "call:b"]);
});

test("a plan is the row of its call, and the list that it became needs none until it changes", () => {
  const asked: Fact = { type: "question-asked", callId: "a", question: "Yes?", choices: [], steps: [] };
  const planned = [call("a"), asked, list("one"), result("a")];
  expect(rows(...planned)).toEqual(["call:a"]);
  expect(rows(...planned, call("b"), list("one"), result("b"))).toEqual(["call:a", "call:b"]);
});

test("the session of a subagent is opened from the row of its call", () => {
  const child: Fact = { type: "child-started", callId: "a", session: "s", task: "Look" };
  expect(rows(call("a"), child, result("a"))).toEqual(["call:a"]);
});
