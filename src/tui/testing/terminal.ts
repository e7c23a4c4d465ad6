/** A terminal for tests: simulates typing and signals, and records the output. */

import { PassThrough } from "node:stream";
import type { SignalName, ProcessTerminal } from "../process-terminal.ts";

export type TestTerminal = ProcessTerminal & {
  readonly input: PassThrough;
  /** Everything on standard output so far. */
  printed(): string;
  /** Everything on standard error so far. */
  reported(): string;
  /** Resolves when standard output contains this text, after the match of the previous call. */
  until(text: string): Promise<void>;
  type(text: string): void;
  raise(signal: SignalName): void;
  /** Makes standard output fail, as when its reader ends. */
  breakOutput(error: Error): void;
  /** Changes the width of the terminal. */
  resize(columns: number): void;
  /** Continues a stopped program, as the shell would. */
  goOn(): void;
  /** The codes passed to `exit`, which ends nothing here. */
  readonly exits: number[];
};

export type TestTerminalOptions = {
  terminal?: boolean;
  piped?: boolean;
  env?: Record<string, string>;
  cwd?: string;
};

export function testTerminal({
  terminal = false,
  piped = false,
  env = {},
  cwd = "/",
}: TestTerminalOptions = {}): TestTerminal {
  const gone = new AbortController();
  const heard = new Set<(signal: SignalName) => void>();
  const input = new PassThrough();
  const exits: number[] = [];
  const { print, ...output } = testOutput();
  let err = "";
  return {
    env,
    cwd,
    input,
    inputIsTerminal: terminal,
    inputIsPiped: piped,
    outputIsTerminal: terminal,
    errorIsTerminal: terminal,
    print,
    report(text) {
      err += text;
    },
    ...testSize(),
    ...testShell(print),
    flushed: async () => undefined,
    outputGone: gone.signal,
    onSignal(listener) {
      heard.add(listener);
      return () => heard.delete(listener);
    },
    onExit: () => () => undefined,
    exit: (code) => void exits.push(code),
    ...output,
    reported: () => err,
    type: (text) => void input.write(text),
    raise(signal) {
      for (const listener of heard) listener(signal);
    },
    breakOutput: (error) => gone.abort(error),
    exits,
  };
}

function testOutput(): Pick<TestTerminal, "print" | "printed" | "until"> {
  let out = "";
  let found = 0;
  let check: (() => void) | undefined;
  return {
    print(text) {
      out += text;
      check?.();
    },
    printed: () => out,
    until: (text) =>
      new Promise((resolve) => {
        check = () => {
          const at = out.indexOf(text, found);
          if (at === -1) return;
          found = at + text.length;
          check = undefined;
          resolve();
        };
        check();
      }),
  };
}

function testSize(): Pick<TestTerminal, "columns" | "rows" | "onResize" | "resize"> {
  const listeners = new Set<() => void>();
  let width = 200; // wide enough not to wrap the sentences that tests look for
  return {
    columns: () => width,
    rows: () => 50,
    onResize(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resize(columns) {
      width = columns;
      for (const listener of listeners) listener();
    },
  };
}

/** Prints a mark when stopped, so that a test can wait for it. */
function testShell(print: (text: string) => void): Pick<TestTerminal, "stopped" | "goOn"> {
  let goOn: (() => void) | undefined;
  return {
    stopped: () =>
      new Promise((resolve) => {
        goOn = resolve;
        print("[stopped]");
      }),
    goOn: () => goOn?.(),
  };
}
