/** Types into a terminal: each line only while the program it was judged for is still reading. */

import { sleep } from "../../base/async.ts";
import { bytesReadBy, type TerminalReader, readerOf } from "../../base/terminal/reader.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import { takesPastes } from "./refusal.ts";
import type { TerminalState } from "./state.ts";
import type { Keystrokes } from "./typing.ts";

/** The problem says why nothing, or not everything, was typed. */
type TypingDelivery = { isTyped: true; problem?: string } | { isTyped: false; problem: string };

type TypingContext = { state: TerminalState; terminal: LiveTerminal; signal: AbortSignal };

const tooMuch: TypingDelivery = {
  isTyped: false,
  problem: "Nothing was typed: it has not read what was typed before. Wait, or kill it.",
};

export async function deliver(typing: Keystrokes, around: TypingContext): Promise<TypingDelivery> {
  const { state, terminal } = around;
  terminal.echoes = [];
  if (typing.kind === "key") {
    if (dropping.has(typing.characters)) terminal.left = undefined;
    return terminal.write(typing.characters) ? { isTyped: true } : tooMuch;
  }
  const { text, enter } = typing;
  terminal.echoes = text.split("\n").filter((line) => line.trim() !== "");
  terminal.left = enter ? undefined : leftBy(state);
  const end = enter ? "\r" : "";
  const isPasted = takesPastes(state, terminal.screen) && (state.is === "prompt" || /[\n\t]/.test(text));
  if (isPasted) return writeCharacters(`\x1b[200~${text.replaceAll("\n", "\r")}\x1b[201~${end}`, terminal);
  const lines = text.split("\n");
  const reader = readerNow(terminal);
  if (lines.length === 1 || reader?.kind !== "reads")
    return writeCharacters(`${lines.join("\r")}${end}`, terminal);
  return typeLines(lines, { ...around, reader, end });
}

const writeCharacters = (characters: string, terminal: LiveTerminal): TypingDelivery =>
  terminal.write(characters) ? { isTyped: true } : tooMuch;

/** Keys that leave the line empty: enter, ctrl-c and ctrl-u. */
const dropping: ReadonlySet<string> = new Set(["\r", "\x03", "\x15"]);

/** A program that reads keys receives them at once; with line input, the shell behind it may get the rest. */
function leftBy(state: TerminalState): LiveTerminal["left"] {
  if (state.is === "prompt") return "own";
  return state.is === "waiting" && state.byLine ? "foreign" : undefined;
}

const readerNow = ({ pid, pty }: LiveTerminal): TerminalReader | undefined =>
  pid === undefined ? undefined : readerOf(pid, pty?.device);

type Reads = TerminalReader & { kind: "reads" };

const mostLines = 500;
const longestMs = 1000;

async function typeLines(
  lines: readonly string[],
  { terminal, signal, reader, end }: TypingContext & { reader: Reads; end: string },
): Promise<TypingDelivery> {
  if (lines.length > mostLines)
    return {
      isTyped: false,
      problem: `Nothing was typed: those are more than ${mostLines} lines. Write them into a file.`,
    };
  for (const [at, line] of lines.entries()) {
    if (at > 0 && !(await readsAgain(reader, terminal, signal)))
      return {
        isTyped: true,
        problem: `Only ${at} of ${lines.length} lines could be typed: ${reader.name} reads no more, or not yet.`,
      };
    const before = bytesReadBy(reader.pid);
    if (!terminal.write(`${line}${at < lines.length - 1 ? "\r" : end}`)) return tooMuch;
    await untilTaken(reader.pid, before);
  }
  return { isTyped: true };
}

const pauseMs = 2;
/** The delay used if the system does not tell what was read. */
const blindMs = 30;

async function untilTaken(pid: number, before: number | undefined): Promise<void> {
  if (before === undefined) return sleep(blindMs);
  const begun = performance.now();
  while (bytesReadBy(pid) === before && performance.now() - begun < longestMs) await sleep(pauseMs);
}

async function readsAgain({ pid }: Reads, terminal: LiveTerminal, signal: AbortSignal): Promise<boolean> {
  const begun = performance.now();
  while (!signal.aborted && !terminal.end && performance.now() - begun < longestMs) {
    const now = readerNow(terminal);
    if (now?.kind === "reads") return now.pid === pid;
    await sleep(pauseMs);
  }
  return false;
}
