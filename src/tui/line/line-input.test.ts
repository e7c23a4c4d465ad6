/** Tests prompts on a terminal that is narrower than the question. */

import { expect, test, vi } from "vitest";
import { confirm } from "../../cli/conversation/questions.ts";
import { markPastes } from "../pastes.ts";
import { testTerminal } from "../testing/terminal.ts";
import { LineInput } from "./line-input.ts";
import { mostTypedAhead } from "./typed-lines.ts";

const handlers = { interrupt: () => undefined, terminate: () => undefined };
function narrow() {
  const terminal = testTerminal({ terminal: true });
  terminal.resize(20);
  return terminal;
}
const question = "A question that is wider than that? ";

/** Cursor-up sequences, which would overwrite the lines printed above. */
const upwards = (printed: string): string[] =>
  printed.split("\u001B").flatMap((code) => /^\[\d*A/u.exec(code)?.[0] ?? []);

test("repeating a question on a narrow terminal wipes nothing printed in between", async () => {
  const terminal = narrow();
  const input = new LineInput(terminal, handlers);
  const first = input.answer(question);
  await terminal.until(question);
  terminal.type("what\r");
  expect(await first).toBe("what");
  terminal.print("Please answer y or n.\n");
  const before = terminal.printed().length;
  const second = input.answer(question);
  await terminal.until(question);
  expect(upwards(terminal.printed().slice(before))).toEqual([]);
  terminal.type("n\r");
  expect(await second).toBe("n");
  input.close();
});

test("a half-typed line is wiped before a question, and nothing above it", async () => {
  const terminal = narrow();
  const input = new LineInput(terminal, handlers);
  const message = input.message("> ");
  await terminal.until("> ");
  terminal.type("half a line that is wider than the terminal");
  await terminal.until("terminal");
  input.cancel();
  expect(await message).toBeUndefined();
  const before = terminal.printed().length;
  const answer = input.answer(question);
  await terminal.until(question);
  expect(upwards(terminal.printed().slice(before))).toEqual([]);
  terminal.type("n\r");
  expect(await answer).toBe("n");
  input.close();
});

test("after a cancelled question nothing above the next prompt is wiped", async () => {
  const terminal = narrow();
  const input = new LineInput(terminal, handlers);
  const answer = input.answer(question);
  await terminal.until(question);
  input.cancel();
  expect(await answer).toBeUndefined();
  terminal.print("\nInterrupted\n");
  const before = terminal.printed().length;
  const message = input.message("> ");
  await terminal.until("> ");
  expect(upwards(terminal.printed().slice(before))).toEqual([]);
  terminal.type("go on\r");
  expect(await message).toBe("go on");
  input.close();
});

test("Ctrl-C clears the typed text and shows the question again", async () => {
  const terminal = narrow();
  const input = new LineInput(terminal, handlers);
  const answer = input.answer(question);
  await terminal.until(question);
  terminal.type("wrong");
  await terminal.until("wrong");
  const before = terminal.printed().length;
  terminal.type("\u0003");
  await terminal.until("^C\n");
  await terminal.until(question);
  expect(upwards(terminal.printed().slice(before))).toEqual([]);
  terminal.type("y\r");
  expect(await answer).toBe("y");
  input.close();
});

test("a closed terminal ends the input without a crash", async () => {
  const terminal = narrow();
  const input = new LineInput(terminal, handlers);
  const answer = input.answer(question);
  await terminal.until(question);
  // The error that Node emits when the window is closed.
  terminal.input.emit("error", Object.assign(new Error("setRawMode EIO"), { code: "EIO" }));
  expect(await answer).toBeUndefined();
  expect(await input.message("> ")).toBeUndefined();
  input.close();
});

test("an answer that is neither yes nor no repeats the question", async () => {
  const terminal = narrow();
  const input = new LineInput(terminal, handlers);
  const answer = confirm(input, "Go on?");
  await terminal.until("[y/n] ");
  terminal.type("perhaps\r");
  await terminal.until("[y/n] ");
  terminal.type("yes\r");
  expect(await answer).toBe(true);
  input.close();
});

test("text typed ahead is kept up to its bound, and a loss is reported", async () => {
  const terminal = testTerminal({});
  const input = new LineInput(terminal, handlers);
  const line = `${"x".repeat(64 * 1024)}\n`;
  for (let index = 0; index < 20; index += 1) terminal.type(line);
  await vi.waitUntil(() => terminal.input.readableLength === 0);
  const taken = (await input.message("> ")) ?? "";
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.length).toBeLessThanOrEqual(mostTypedAhead);
  expect(terminal.printed()).toContain("Not all that was typed meanwhile was taken");
  const next = input.message("> ");
  terminal.type("short\n");
  expect(await next).toBe("short");
  input.close();
});

test.each([
  { to: 40, up: [] },
  { to: 10, up: ["[3A"] },
])(
  "a draft in a terminal resized from 20 to $to columns is redrawn on the rows it now takes",
  async ({ to, up }) => {
    const terminal = narrow();
    const input = new LineInput(terminal, handlers);
    const message = input.message("> ");
    await terminal.until("> ");
    terminal.type("a draft of 35 characters, on 2 rows");
    await terminal.until("rows");
    const before = terminal.printed().length;
    terminal.resize(to);
    expect(terminal.printed().slice(before)).toBe("");
    terminal.type("\u0001!"); // Ctrl-A: inserts at the start of the line
    await terminal.until("!");
    expect(upwards(terminal.printed().slice(before)).slice(0, 1)).toEqual(up);
    terminal.type("\r");
    expect(await message).toBe("!a draft of 35 characters, on 2 rows");
    input.close();
  },
);

test("Ctrl-Z gives the terminal to the shell, and the draft is shown again on resumption", async () => {
  const terminal = testTerminal({ terminal: true, env: { TERM: "xterm" } });
  const heard: string[] = [];
  const input = new LineInput(terminal, {
    ...handlers,
    interrupt: () => heard.push("interrupt"),
    givesWay: () => {
      heard.push("gives way");
      return () => heard.push("comes back");
    },
  });
  const message = input.message("> ");
  await terminal.until("> ");
  terminal.type("half");
  await terminal.until("half");
  terminal.type("\u001A");
  await terminal.until(`${markPastes.off}[stopped]`);
  terminal.goOn();
  await terminal.until(markPastes.on);
  await terminal.until("> ");
  await terminal.until("half");
  terminal.type(" a line\r");
  expect(await message).toBe("half a line");
  terminal.type("\u0003");
  await vi.waitFor(() => expect(heard).toEqual(["gives way", "comes back", "interrupt"]));
  input.close();
});
