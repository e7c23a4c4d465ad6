import { expect, test } from "vitest";
import type { Entry, Fact, Signal } from "../../protocol/facts.ts";
import { styleFor } from "../../view/plain.ts";
import { testTerminal } from "../testing/terminal.ts";
import { Printer } from "./printer.ts";

const broke: Fact = {
  type: "answer-end",
  reason: "failed",
  model: "m",
  failure: { kind: "network", message: "Lost.", midStream: true },
};
const retry: Signal = { type: "retrying", because: "Lost.", waitMs: 500, attempt: 1 };
const again = "… Lost. Asking again in 0.5 s (attempt 1).\n";
const text = (block: number, said: string): Fact => ({ type: "text", block, text: said, by: "model" });

/** The text arrives character by character. */
const streamed = (block: number, said: string): (Fact | Signal)[] => [
  ...said.split("").map((one, offset): Signal => ({ type: "text-delta", block, offset, text: one })),
  text(block, said),
];

function printed(events: readonly (Fact | Signal)[]): string {
  const terminal = testTerminal();
  const printer = new Printer({ terminal, style: styleFor({}, false), verbose: false });
  for (const [at, event] of events.entries())
    printer.show("offset" in event || event.type === "retrying" ? event : stamped(event, at + 1));
  return terminal.printed();
}

const stamped = (event: Fact | Signal, seq: number): Entry => ({
  ...(event as Fact),
  v: 1,
  seq,
  at: 0,
  turn: 1,
});

test("what a broken answer said is not printed again when the next one begins with it", () => {
  const events = [...streamed(1, "One two. Three"), broke, retry, ...streamed(2, "One two. Three four.")];
  expect(printed(events)).toBe(`One two. Three\n\n${again}\nfour.\n`);
});

test("another answer than the broken one is printed whole, and set off from it", () => {
  const events = [...streamed(1, "One two."), broke, retry, ...streamed(2, "One, then two.")];
  expect(printed(events)).toBe(
    `One two.\n\n${again}(The answer above broke off. Again from its start:)\n\nOne, then two.\n`,
  );
});

test("an answer that broke off after a call goes on, and repeats nothing", () => {
  const call: Fact = { type: "call", call: { id: "a", name: "look", input: {}, source: "native" } };
  const events = [...streamed(1, "Hm."), call, broke, retry, ...streamed(2, "Hm. Yes.")];
  expect(printed(events)).toBe(`Hm.\n\n${again}\nHm. Yes.\n`);
});
