/** Tests what the terminal says of a person's answers and of the to-do list. */

import { expect, test } from "vitest";
import type { Fact } from "../../protocol/facts.ts";
import { styleFor } from "../../view/plain.ts";
import { testTerminal } from "../testing/terminal.ts";
import { Printer } from "./printer.ts";

function printed(events: readonly Fact[]): string {
  const terminal = testTerminal();
  const printer = new Printer({ terminal, style: styleFor({}, false), verbose: false });
  for (const [at, event] of events.entries()) printer.show({ ...event, v: 1, seq: at + 1, at: 0, turn: 1 });
  return terminal.printed();
}

const call = (name: string, input: Record<string, string> = {}): Fact => ({
  type: "call",
  call: { id: "a", name, input, source: "native" },
});
const result: Fact = { type: "result", callId: "a", outcome: "ok", content: [] };

test("an answered question says what was chosen", () => {
  const question = {
    callId: "a",
    question: "Which database?",
    choices: [{ label: "SQLite" }, { label: "Postgres" }],
  };
  const told = printed([
    call("ask_user"),
    { type: "question-asked", several: false, ...question },
    { type: "question-answered", callId: "a", answer: "given", chosen: [1], by: "terminal" },
    result,
  ]);
  expect(told).toMatch(/^● .* … ok\n.*Postgres\n$/u);
  expect(told).not.toContain("SQLite");
});

test("a to-do list is told whole once, and then only what has changed", () => {
  const list = (state: "done" | "open"): Fact => ({
    type: "todos-set",
    items: [
      { text: "Read", state },
      { text: "Write", state: "open" },
    ],
  });
  const told = printed([call("todos"), list("open"), result, list("done"), list("done")]);
  expect(told.split("\n").filter((line) => line !== "")).toEqual([
    "To do (0 of 2 done):",
    expect.stringContaining("Read"),
    expect.stringContaining("Write"),
    "To do (1 of 2 done):",
    expect.stringContaining("Read"),
  ]);
});
