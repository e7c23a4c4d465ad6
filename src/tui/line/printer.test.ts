/** Tests the lines printed for events: streamed text, concurrent calls, and everything else. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { TerminalScreen } from "../../base/terminal/screen.ts";
import { anyCharacter } from "../../base/testing/any-character.ts";
import type { Entry, Fact, Signal } from "../../protocol/facts.ts";
import { styleFor } from "../../view/plain.ts";
import { testTerminal } from "../testing/terminal.ts";
import { Printer } from "./printer.ts";

function printed(events: readonly (Fact | Signal)[], verbose = false): string {
  const terminal = testTerminal();
  const printer = new Printer({ terminal, style: styleFor({}, false), verbose });
  for (const [at, event] of events.entries()) printer.show(stamp(event, at + 1));
  return terminal.printed();
}

const stamp = (event: Fact | Signal, seq: number): Entry | Signal =>
  event.type.endsWith("-delta") || event.type === "retrying" || event.type === "compacting"
    ? (event as Signal)
    : { ...(event as Fact), v: 1, seq, at: 0, turn: 1 };

const call = (id: string): Fact => ({
  type: "call",
  call: { id, name: "read_file", input: {}, source: "native" },
});
const start = (callId: string, does: "read" | "execute" = "read"): Fact => ({
  type: "call-start",
  callId,
  title: `${does === "read" ? "Read" : "Run"} ${callId}`,
  does,
});
const result = (callId: string): Fact => ({ type: "result", callId, outcome: "ok", content: [] });
const text = (block: number): Fact => ({ type: "text", block, text: `Text ${block}.`, by: "model" });
const ending: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };

/** Line breaks, which are not printed at the edges of a text. */
const breaks = fc.constantFrom("\n", "\r", "\r\n", "\n\n", " ");

test("text is printed once, however it was split into deltas and even if some are missing", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }), breaks),
        minLength: 1,
        maxLength: 30,
      }),
      fc.array(fc.nat(30)),
      fc.array(fc.boolean()),
      (text, cuts, kept) => {
        const edges = [
          0,
          ...cuts.filter((place) => place < text.length).toSorted((a, b) => a - b),
          text.length,
        ];
        const deltas = edges.slice(1).map((edge, at): Signal => {
          const offset = edges[at] ?? 0;
          return { type: "text-delta", block: 1, offset, text: text.slice(offset, edge) };
        });
        const some = deltas.filter((_, at) => kept[at] ?? true);
        const fact: Fact = { type: "text", block: 1, text, by: "model" };
        expect(printed([...some, fact, ending])).toBe(printed([fact, ending]));
      },
    ),
  );
});

test("a call's outcome completes its line, or repeats the title if something was printed in between", () => {
  const run = [call("a"), start("a", "execute")];
  expect(printed(run)).toBe("● Run a …");
  expect(printed([...run, result("a")])).toBe("● Run a … ok\n");
  expect(printed([...run, { type: "warning", code: "x", text: "Careful." }, result("a")])).toBe(
    "● Run a …\n! Careful.\n● Run a … ok\n",
  );
});

test("overlapping reads get one line each when they end", () => {
  expect(printed([call("a"), call("b"), start("a"), start("b")])).toBe("");
  expect(printed([call("a"), call("b"), start("a"), start("b"), result("b"), result("a")])).toBe(
    "● Read b … ok\n● Read a … ok\n",
  );
});

test("blank lines around a text do not add to the printer's own", () => {
  const said = (words: string): Fact => ({ type: "text", block: 1, text: words, by: "model" });
  const calls = [call("a"), start("a"), result("a")];
  expect(printed([said("\n\nFirst.\n\nThen.\r\n\n"), ...calls])).toBe("First.\n\nThen.\n\n● Read a … ok\n");
  expect(printed([said("\n \r\n"), ...calls, ending])).toBe(" \n\n● Read a … ok\n\n");
  expect(printed([said("\n\n"), ...calls])).toBe("● Read a … ok\n");
});

test("the end of a turn does not repeat the reason its closing text already gave", () => {
  const because = "Nothing answers.";
  const failed: Fact = { ...ending, stopped: "failed", because };
  const ours: Fact = { type: "text", block: 1, text: `The request failed: ${because}`, by: "toolwright" };
  expect(printed([ours, failed])).toBe("The request failed: Nothing answers.\n\n");
  expect(printed([ours, { ...failed, changed: ["a.txt"] }])).toBe(
    "The request failed: Nothing answers.\n\nChanged a.txt +0 −0 · not verified\n\n",
  );
  expect(printed([text(1), failed])).toBe("Text 1.\n\nFailed: Nothing answers.\n\n");
});

test("during an interruption only the program's own text is printed; the next turn is printed normally", () => {
  const terminal = testTerminal();
  const printer = new Printer({ terminal, style: styleFor({}, false), verbose: false });
  const delta = (offset: number, words: string): Signal => ({
    type: "text-delta",
    block: 1,
    offset,
    text: words,
  });
  printer.show(delta(0, "Once upon"));
  printer.hush();
  printer.rows.note(["Interrupting …"]);
  printer.show(delta(9, " a time"));
  printer.show(stamp({ type: "text", block: 1, text: "Once upon a time", by: "model" }, 1));
  printer.show(stamp({ type: "text", block: 2, text: "Interrupted.", by: "toolwright" }, 2));
  expect(terminal.printed()).toBe("Once upon\n\nInterrupting …\n\nInterrupted.\n");
  printer.begin();
  printer.show(stamp(text(3), 3));
  expect(terminal.printed()).toMatch(/Text 3\.\n$/u);
});

test("undone changes are reported in one line", () => {
  const changed: Fact = { ...ending, changed: ["a.txt"] };
  const undone: Fact = { type: "changes-undone", undoneTurn: 1, changes: [] };
  expect(printed([changed, undone])).toBe("\nChanged a.txt +0 −0 · not verified\n\n↶ Undone (request 1): \n");
});

test("text and calls are separated by blank lines", () => {
  expect(printed([text(1), call("a"), start("a"), result("a"), text(2), ending])).toBe(
    "Text 1.\n\n● Read a … ok\n\nText 2.\n\n",
  );
  const thought: Fact = { type: "reasoning", block: 1, text: "Hm." };
  expect(printed([call("a"), start("a"), result("a"), thought, text(2)])).toBe(
    "● Read a … ok\n\nHm.\n\nText 2.\n",
  );
});

test("retries and warnings are printed, decisions only with --verbose", () => {
  const decision: Fact = {
    type: "decision",
    callId: "a",
    verdict: "allow",
    because: "it only reads",
    risk: "none",
    trace: [],
  };
  const retry: Signal = { type: "retrying", because: "Busy.", waitMs: 2000, attempt: 1 };
  const warning: Fact = { type: "warning", code: "x", text: "Careful." };
  expect(printed([decision, retry, warning])).toBe("… Busy. Asking again in 2 s (attempt 1).\n! Careful.\n");
  expect(printed([decision], true)).toBe("  allow: it only reads\n");
});

test("reasoning first streamed as text is labelled afterwards and separated from the answer", () => {
  const events: (Fact | Signal)[] = [
    { type: "text-delta", block: 1, offset: 0, text: "Let me see." },
    { type: "reasoning", block: 1, text: "Let me see." },
    { type: "text", block: 2, text: "It is 4.", by: "model" },
    ending,
  ];
  expect(printed(events)).toBe("Let me see.\n(That was the model's reasoning.)\n\nIt is 4.\n\n");
});

test("--verbose shows what was repaired in a call", () => {
  const mended: Fact = {
    type: "call",
    call: {
      id: "a",
      name: "read_file",
      input: {},
      source: "hermes",
      repairs: [{ code: "comma", detail: "A comma was dropped.", guess: true }],
    },
  };
  expect(printed([mended], true)).toBe("  mended: A guess: A comma was dropped.\n");
  expect(printed([mended])).toBe("");
});

const idle = { now: () => 0, every: () => () => undefined };

/** A printer in the middle of a turn, and what its terminal of 30 columns shows. */
function typingPrinter() {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  terminal.resize(30);
  const printer = new Printer({ terminal, style: styleFor({}, false), verbose: false, clock: idle });
  printer.watch();
  const shown = (): string => {
    const screen = new TerminalScreen({ columns: 30, rows: 20, space: 100_000, answer: () => undefined });
    screen.write(Buffer.from(terminal.printed().replaceAll("\n", "\r\n")));
    const lines = screen.since(0).map((line) => line.trimEnd());
    return lines.join("\n");
  };
  return { printer, shown };
}

const draft = { type: "draft", key: "draft", before: "d", after: "" } as const;
const delta = (offset: number, words: string): Signal => ({
  type: "text-delta",
  block: 1,
  offset,
  text: words,
});

test("an answer goes on appearing, with its status, while a person types below it", () => {
  const { printer, shown } = typingPrinter();
  printer.show(stamp({ type: "user-message", content: [{ type: "text", text: "Go" }] }, 1));
  printer.show(delta(0, "This is a sent"));
  printer.rows.typing(draft);
  expect(shown()).toBe("This is a sent\n» d");
  printer.show(delta(14, "ence that has no line end"));
  expect(shown()).toBe("This is a sentence that has\nno line end\n» d");
  printer.rows.typing(undefined);
  printer.show(delta(39, ". It goes on."));
  expect(shown()).toBe("This is a sentence that has\nno line end. It goes on.");
  printer.show(
    stamp(
      { type: "text", block: 1, text: "This is a sentence that has no line end. It goes on.", by: "model" },
      1,
    ),
  );
  printer.show(stamp(call("a"), 2));
  printer.show(stamp(start("a", "execute"), 3));
  printer.rows.typing(draft);
  expect(shown()).toMatch(/It goes on\.\nRun a .*\n» d$/u);
});

test("what a person says to a running turn is shown after the paragraph, not inside it", () => {
  const { printer, shown } = typingPrinter();
  printer.show(delta(0, "Half a sen"));
  const content = [{ type: "text" as const, text: "Also this" }];
  printer.show(stamp({ type: "message-queued", id: "q", content, when: "steer" }, 1));
  printer.show(delta(10, "tence.\n\nThe next one."));
  expect(shown()).toMatch(/^Half a sentence\.\n\n» Also this[^]*\n\nThe next one\.$/u);
});

test("the screen is the same afterwards, whenever a person typed", () => {
  const words = fc.array(
    fc.constantFrom("a", "word", "another", "end.", "\n", "\n\n", "- item", "```\n", "日本", "x".repeat(40)),
    { minLength: 1, maxLength: 40 },
  );
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.boolean()));
  fc.assert(
    fc.property(words, steps, (list, typed) => {
      const text = list.join(" ");
      const [one, other] = [typingPrinter(), typingPrinter()];
      let offset = 0;
      for (const [size, isTyping] of typed) {
        one.printer.rows.typing(isTyping ? draft : undefined);
        const piece = text.slice(offset, offset + size);
        if (piece !== "") for (const { printer } of [one, other]) printer.show(delta(offset, piece));
        offset += piece.length;
      }
      for (const { printer } of [one, other]) {
        printer.rows.typing(undefined);
        printer.show(stamp({ type: "text", block: 1, text, by: "model" }, 1));
      }
      expect(one.shown()).toBe(other.shown());
    }),
  );
});

test("summarizing the conversation is announced when it begins", () => {
  const begun: Signal = { type: "compacting", state: "begun", because: "budget", tokens: 9_000 };
  expect(printed([begun])).toBe(
    "· Summing up the conversation for the model (it was nearly full): 9,000 tokens …\n",
  );
});
