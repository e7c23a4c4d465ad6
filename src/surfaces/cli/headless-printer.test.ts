import { expect, test } from "vitest";
import type { Entry, Fact } from "../../protocol/facts.ts";
import { HeadlessPrinter } from "./headless-printer.ts";
import { testTerminal } from "./testing-terminal.ts";

const facts: Fact[] = [
  { type: "user-message", content: [{ type: "text", text: "Speak." }] },
  { type: "turn-start", model: "m", mode: "ask" },
  { type: "turn-end", stopped: "interrupted", changed: [], verified: [], text: "" },
];
const entries: Entry[] = facts.map((fact, at) => ({ ...fact, v: 1, seq: at + 1, at: 0, turn: 1 }));

function reported(readerIsGone: boolean): string {
  const terminal = testTerminal();
  if (readerIsGone) terminal.breakOutput(new Error("EPIPE"));
  const printer = new HeadlessPrinter(terminal, "usual");
  for (const entry of entries) printer.show(entry);
  return terminal.reported();
}

test("an interruption is reported unless the reader of the output has gone away", () => {
  expect(reported(false)).toBe("Interrupted\n");
  expect(reported(true)).toBe("");
});
