/** What the screen writes to its terminal, counted. */

/* eslint-disable no-control-regex -- control characters are what this is about */

import { expect, test } from "vitest";
import type { Fact } from "../../protocol/facts.ts";
import { processorMs } from "../../testing/processor-time.ts";
import { styleFor } from "../../view/style.ts";
import { keyBindings } from "../input/key-bindings.ts";
import { MarkdownRows } from "../markdown/markdown-rows.ts";
import { testTerminal } from "../testing/terminal.ts";
import { ScreenTerminal } from "./screen-terminal.ts";
import { heldTimer } from "./testing/timer.ts";

const nothing = (): void => undefined;

function openScreen() {
  const bindings = keyBindings();
  if (!bindings.ok) throw new Error(bindings.problem);
  const timer = heldTimer();
  const env = { TERM: "xterm-256color" };
  const terminal = { ...testTerminal({ terminal: true, env }), columns: () => 100, rows: () => 30 };
  const style = styleFor(env, true);
  const handlers = { interrupt: nothing, stop: nothing, ended: nothing, terminate: nothing };
  const screen = new ScreenTerminal(
    {
      terminal,
      verbose: false,
      bindings: bindings.value,
      unicode: true,
      markdown: (columns) =>
        new MarkdownRows({ columns, style, links: true, unicode: true, highlight: () => undefined }),
      clock: timer,
      timer,
      completions: {
        workspace: "/",
        commands: async () => [],
        choices: async () => [],
        paths: async () => ({ ok: true, value: [] }),
        symbols: async () => [],
        touched: () => [],
      },
      said: async function* () {},
      promptMarks: undefined,
    },
    {
      ...handlers,
      complete: () => Promise.reject(new Error("Nobody completes a line here.")),
      nextMode: nothing,
      figures: () => ({
        mode: "ask",
        model: "model",
        context: 0.1,
        cost: "$0.01",
        branch: "main",
        isUncontained: false,
        todos: [],
        queued: [],
      }),
      works: () => [],
      subagent: () => undefined,
      closed: nothing,
      lastOutput: async () => undefined,
      takeBack: async () => undefined,
      review: nothing,
      pastePicture: nothing,
    },
  );
  let seq = 0;
  const tell = (fact: Fact): void => screen.show({ ...fact, v: 1, seq: ++seq, at: seq, turn: 1 });
  return { screen, terminal, timer, tell };
}

type Opened = ReturnType<typeof openScreen>;

const begin = (text: string): Fact => ({ type: "user-message", content: [{ type: "text", text }] });
const end: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };

/** Requests of three blocks each. */
function tellEarlier({ tell, timer }: Opened, blocks: number): void {
  for (let block = 0; block < blocks; block += 3) {
    tell(begin(`question ${block}`));
    tell({ type: "text", block, text: `The answer ${block} **is** over.`, by: "model" });
    tell(end);
    timer.pass(40);
  }
}

const words =
  "The **comparison** leaves out an order of exactly `100.00`, which is what the [test](https://a.example) is about. ";
const deltas = Array.from({ length: 6_000 }, (_, at) => {
  const from = (at * 4) % words.length;
  return (words + words).slice(from, from + 4) + (at % 300 === 299 ? "\n\n- an item\n" : "");
});

/** An answer of 2,000 deltas a second; returns what the terminal was sent meanwhile. */
function stream({ screen, terminal, timer, tell }: Opened, block: number): string {
  tell(begin("go"));
  screen.watch();
  timer.pass(100);
  const before = terminal.printed().length;
  let offset = 0;
  for (const [at, text] of deltas.entries()) {
    screen.show({ type: "text-delta", block, offset, text });
    offset += text.length;
    if (at % 10 === 9) timer.pass(5);
  }
  timer.pass(100);
  return terminal.printed().slice(before);
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

test("an answer of Markdown costs at most 25 bytes for each delta, and clears nothing", () => {
  const written = stream(openScreen(), 0);
  expect(bytesOf(written) / deltas.length).toBeLessThanOrEqual(25);
  expect(written).not.toMatch(/\u001B\[[23]J|\u001Bc/u);
  expect(written.split("\u001B[?2026h").length).toBeLessThanOrEqual((deltas.length / 2_000) * 31 + 5);
});

test("a frame costs the same bytes and time after 10 blocks and after 5,000", () => {
  const after = (blocks: number) => {
    const opened = openScreen();
    tellEarlier(opened, blocks);
    let written = "";
    const ms = processorMs(() => (written = stream(opened, blocks)));
    return { written, ms };
  };
  after(10); // compiled
  const [few, many] = [after(10), after(5_000)];
  expect(bytesOf(many.written)).toBe(bytesOf(few.written));
  expect(many.ms).toBeLessThan(few.ms * 3 + 50);
});

test("while nothing happens nothing is written", () => {
  const opened = openScreen();
  tellEarlier(opened, 10);
  opened.timer.pass(1_000);
  const before = opened.terminal.printed();
  for (let second = 0; second < 60; second += 1) opened.timer.pass(1_000);
  expect(opened.terminal.printed()).toBe(before);
});
