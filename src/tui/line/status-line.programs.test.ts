/** Tests the status line on a simulated screen that retains whatever is not wiped. */

import { expect, test } from "vitest";
import { askPerson } from "../../cli/conversation/asked-person.ts";
import { startTalk, watch } from "../../cli/conversation/conversation.ts";
import { testRuntime } from "../../cli/testing/runtime.ts";
import type { Entry, Fact, Signal } from "../../protocol/facts.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { styleFor } from "../../view/plain.ts";
import type { ActivityStatus } from "../../view/status.ts";
import { testTerminal } from "../testing/terminal.ts";
import { Printer } from "./printer.ts";
import { StatusLine, type TickingClock } from "./status-line.ts";

const erase = "\r\u001B[2K";

/** A clock that the test advances; `running` counts its active timers. */
function testClock() {
  let now = 0;
  const ticks = new Set<() => void>();
  const clock: TickingClock = {
    now: () => now,
    every(_ms, tick) {
      ticks.add(tick);
      return () => void ticks.delete(tick);
    },
  };
  const pass = (seconds: number): void => {
    now += seconds * 1000;
    for (const tick of ticks) tick();
  };
  return { clock, pass, running: () => ticks.size };
}

/** The screen after this output: only the line at the cursor can be wiped. */
function screen(printed: string): string[] {
  return printed.split("\n").map((line) => line.slice(line.lastIndexOf(erase) + 1).replace("\u001B[2K", ""));
}

const plain = styleFor({}, false);

function lineOf(first: ActivityStatus | undefined, columns = 80) {
  const told = { status: first };
  const terminal = testTerminal({ terminal: true });
  terminal.resize(columns);
  const time = testClock();
  const line = new StatusLine({ terminal, clock: time.clock, style: plain, status: () => told.status });
  return { line, terminal, told, ...time };
}

const model = (text: string): ActivityStatus => ({ type: "model", key: "model", text });

test("after a terminal was narrowed, exactly the rows of the wrapped status line are wiped", () => {
  const { line, terminal } = lineOf(model("x".repeat(80)), 90);
  const wipedAt = (columns: number): string => {
    terminal.resize(90);
    line.start();
    const before = terminal.printed().length;
    terminal.resize(columns);
    line.print("Text.\n");
    line.stop();
    return terminal.printed().slice(before);
  };
  expect(wipedAt(90)).toBe(`${erase}Text.\n`);
  expect(wipedAt(80)).toBe(`${erase}Text.\n`);
  const [row, rowAbove] = ["\r\u001B[2K", "\u001B[1A\u001B[2K"];
  expect(wipedAt(79)).toBe(`${row}${rowAbove}Text.\n`);
  expect(wipedAt(20)).toBe(`${row}${rowAbove.repeat(3)}Text.\n`);
});

test("the status line is wiped before any other output and redrawn after it", () => {
  const { line, terminal, told, pass, running } = lineOf(model("one"));
  line.update();
  expect(terminal.printed()).toBe("");
  line.start();
  line.print("Text.\n");
  line.update();
  told.status = model("two");
  line.update(); // the same status: its progress waits for the clock
  pass(1);
  pass(1); // nothing changed, so nothing is written
  line.stop();
  expect(terminal.printed()).toBe(`one${erase}Text.\none${erase}two${erase}`);
  expect(running()).toBe(0);
  pass(1);
  line.update();
  line.print("More.\n");
  expect(terminal.printed()).toBe(`one${erase}Text.\none${erase}two${erase}More.\n`);
});

test("a status of another kind is shown immediately, and an absent status is wiped immediately", () => {
  const { line, terminal, told } = lineOf(model("one"));
  line.start();
  told.status = { type: "call", key: "call:a", text: "Run x" };
  line.update();
  told.status = undefined;
  line.update();
  expect(terminal.printed()).toBe(`one${erase}Run x${erase}`);
  line.stop();
});

const shown = (text: string, columns: number): string => {
  const { line, terminal } = lineOf(model(text), columns);
  line.start();
  line.stop();
  return terminal.printed().replace(erase, "");
};

test("the line stays narrower than the terminal, counting two columns for wide characters", () => {
  expect(shown("abcdefghi", 10)).toBe("abcdefghi");
  expect(shown("abcdefghij", 10)).toBe("abcdefg…");
  expect(shown("日本語です", 10)).toBe("日本語…");
  expect(shown("😀😀😀😀", 9)).toBe("😀😀😀😀");
  expect(shown("abc", 3)).toBe("");
  expect(shown("abc", 1)).toBe("");
  expect(shown("a".repeat(300), 500)).toBe(`${"a".repeat(98)}…`);
});

test("NO_COLOR disables colours", () => {
  const printed = [{}, { NO_COLOR: "1" }].map((env) => {
    const terminal = testTerminal({ terminal: true });
    const { clock } = testClock();
    const status = (): ActivityStatus => model("one");
    const line = new StatusLine({ terminal, clock, style: styleFor(env, true), status });
    line.start();
    line.stop();
    return terminal.printed();
  });
  expect(printed).toEqual([`\u001B[2mone\u001B[22m${erase}`, `one${erase}`]);
});

/** A printer some time into a turn. */
function watching(env: Record<string, string> = {}) {
  const terminal = testTerminal({ terminal: true, env });
  const time = testClock();
  const printer = new Printer({ terminal, style: plain, verbose: false, clock: time.clock });
  let seq = 0;
  const tell = (...events: (Fact | Signal)[]): void => {
    for (const event of events) {
      const isSignal = event.type.endsWith("-delta") || ["retrying", "compacting"].includes(event.type);
      const stamp = { v: 1, seq: (seq += 1), at: time.clock.now(), turn: 1 };
      printer.show((isSignal ? event : { ...event, ...stamp }) as Entry | Signal);
    }
  };
  printer.watch();
  tell({ type: "user-message", content: [{ type: "text", text: "Go" }] });
  return { terminal, printer, tell, ...time, screen: () => screen(terminal.printed()) };
}

const call: Fact = { type: "call", call: { id: "a", name: "run_command", input: {}, source: "native" } };
const start: Fact = { type: "call-start", callId: "a", title: "Run npm test", does: "execute" };
const result: Fact = {
  type: "result",
  callId: "a",
  outcome: "ok",
  content: [{ type: "text", text: "2 passed" }],
};
const delta = (offset: number, text: string): Signal => ({ type: "text-delta", block: 1, offset, text });

test("a command is shown in the status line only, and gets its own line when it ends", () => {
  const { tell, pass, screen: look } = watching();
  tell(call, start);
  expect(look()).toEqual(["Run npm test (0 s)"]);
  tell({ type: "output-delta", callId: "a", offset: 0, text: "1 passed\n" });
  pass(34);
  expect(look()).toEqual(["Run npm test (34 s) · 1 passed"]);
  tell(result);
  expect(look()).toEqual(["● Run npm test … ok", "    2 passed", ""]);
});

test("summarizing the conversation is shown in the status line only", () => {
  const { tell, pass, screen: look } = watching();
  tell({ type: "compacting", state: "begun", because: "budget", tokens: 9_000 });
  pass(34);
  expect(look()).toEqual(["summing up the conversation (34 s)"]);
  tell({ type: "compacting", state: "given-up", because: "budget", tokens: 9_000 });
  expect(look()).toEqual([""]);
});

test("a dumb terminal has no status line, but shows a command when it starts", () => {
  const { tell, terminal, running, pass } = watching({ TERM: "dumb" });
  pass(5);
  tell(call, start);
  expect(terminal.printed()).toBe("● Run npm test …");
  tell(result);
  expect(terminal.printed()).toBe("● Run npm test … ok\n    2 passed\n");
  expect(running()).toBe(0);
});

test("streamed text replaces the status line and is not interrupted by it", () => {
  const { tell, pass, terminal, screen: look } = watching();
  pass(3);
  expect(look()).toEqual(["waiting for the model (3 s)"]);
  tell(delta(0, "Once upon"));
  pass(30);
  tell(delta(9, " a time"));
  pass(30);
  expect(terminal.printed()).toBe(`waiting for the model (3 s)${erase}Once upon a time`);
});

test("the status of a long call that follows a text is shown below the text", () => {
  const { tell, pass, screen: look } = watching();
  const write = (characters: number): Signal => ({
    type: "call-delta",
    callId: "b",
    name: "write_file",
    characters,
  });
  tell(delta(0, "I write it."), write(0));
  expect(look()).toEqual(["I write it."]);
  tell(write(12_000));
  pass(1);
  expect(look()).toEqual(["I write it.", "the model writes a call of write_file (12 KB)"]);
  tell({ type: "text", block: 1, text: "I write it.", by: "model" });
  tell({ type: "call", call: { id: "b", name: "write_file", input: {}, source: "native" } });
  expect(look()).toEqual(["I write it.", ""]);
});

test("an interrupted turn has no status line", () => {
  const { tell, pass, printer, screen: look } = watching();
  tell(call, start);
  printer.hush();
  printer.rows.note(["Interrupting …"]);
  pass(5);
  expect(look()).toEqual(["Interrupting …", ""]);
});

test("the status line is hidden while a question or prompt is shown, and none is left behind", async () => {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1" } });
  const gate = Promise.withResolvers<void>();
  const runtime = await testRuntime(
    scriptedModel([
      [{ wait: gate.promise }, { call: "run_command", with: { command: "touch a" } }],
      [{ say: "Done with it." }],
    ]),
  );
  const { clock, pass, running } = testClock();
  const talk = startTalk({ terminal, verbose: false, plain: true, clock }, runtime, runtime.session);
  await talk.session.command({ type: "send", content: [{ type: "text", text: "Go" }] });
  const over = watch(talk, { asked: [], ask: askPerson });
  await new Promise(setImmediate);
  pass(3);
  await terminal.until("waiting for the model (3 s)");
  expect(running()).toBe(1);
  gate.resolve();
  await terminal.until("or type why not: ");
  expect(running()).toBe(0);
  terminal.type("y\r");
  await over;
  expect(running()).toBe(0);
  talk.terminal.close();
  const look = screen(terminal.printed());
  expect(look.filter((line) => line.includes("waiting for") || line.includes("Run touch a ("))).toEqual([]);
  expect(look.at(-1)).toBe("");
  await runtime.close();
});
