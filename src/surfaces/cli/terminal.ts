/** The process as the command line sees it: streams, signals and the way out, as one value that tests can replace. */

import { fstatSync } from "node:fs";
import { isatty } from "node:tty";

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP";

export type Terminal = {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly input: NodeJS.ReadableStream;
  readonly inputIsTerminal: boolean;
  /** Input that a file, pipe or socket was put in place of. */
  readonly inputIsPiped: boolean;
  readonly outputIsTerminal: boolean;
  readonly errorIsTerminal: boolean;
  /** Writes to standard output. Never throws; what comes of it shows in `outputGone`. */
  readonly print: (text: string) => void;
  /** Writes to standard error. Never throws. */
  readonly report: (text: string) => void;
  columns(): number;
  /** Until the returned function is called, `heard` is called when the terminal has another size. */
  onResize(heard: () => void): () => void;
  /** Stops this program, as Ctrl-Z does to others. Resolves when it goes on, or at once where nobody can stop it. */
  stopped(): Promise<void>;
  /** Resolves when everything printed and reported has left the process, or cannot. */
  flushed(): Promise<void>;
  /** Aborted when nobody reads standard output any more (EPIPE) or it cannot be written; the reason is the error. */
  readonly outputGone: AbortSignal;
  /** Until the returned function is called, the signals come here instead of ending the process. */
  onSignal(heard: (signal: SignalName) => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
};

const signals: readonly SignalName[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Streams are opened when they are first used. */
export function processTerminal(): Terminal {
  const gone = new AbortController();
  let watched = false;
  const watch = (): void => {
    if (watched) return;
    watched = true;
    process.stdout.on("error", (error) => gone.abort(error));
    process.stderr.on("error", () => undefined); // nobody is left to tell
  };
  return {
    env: process.env,
    get cwd() {
      return currentDirectory();
    },
    get input() {
      return process.stdin;
    },
    inputIsTerminal: isatty(0),
    get inputIsPiped() {
      return isPiped(0);
    },
    outputIsTerminal: isatty(1),
    errorIsTerminal: isatty(2),
    print(text) {
      watch();
      if (!gone.signal.aborted) process.stdout.write(text);
    },
    report(text) {
      watch();
      process.stderr.write(text);
    },
    columns: () => process.stdout.columns || 80,
    onResize(heard) {
      process.stdout.on("resize", heard);
      return () => process.stdout.off("resize", heard);
    },
    stopped,
    flushed: async () => {
      watch();
      await Promise.all([drained(process.stdout), drained(process.stderr)]);
    },
    outputGone: gone.signal,
    onSignal,
    exit: (code) => process.exit(code),
  };
}

/** A shell may stand in a directory that was removed under it. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new Error("The current directory no longer exists: change into another one and start again.");
  }
}

/** True for what was redirected here; /dev/null and a closed input have nothing to say. */
function isPiped(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isSocket() || stat.isFile();
  } catch {
    return false;
  }
}

/** Also after a write that failed has told so: the error comes a moment later than the write returns. */
async function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (!stream.destroyed && stream.writableLength > 0) {
    await new Promise<void>((resolve) => {
      stream.once("error", () => resolve());
      stream.write("", () => resolve());
    });
  }
  await new Promise((resolve) => setImmediate(resolve));
}

/** A program that no shell looks after (the first of a container) is not stopped: then no SIGCONT comes either. */
const notStoppedMs = 100;

/** The whole group, as the terminal itself would: a program that only waits for us gives the terminal back, too. */
function stopped(): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      clearTimeout(unheard);
      process.off("SIGCONT", goOn);
      resolve();
    };
    const unheard = setTimeout(goOn, notStoppedMs);
    process.on("SIGCONT", goOn);
    process.kill(0, "SIGTSTP");
  });
}

function onSignal(heard: (signal: SignalName) => void): () => void {
  for (const signal of signals) process.on(signal, heard);
  return () => {
    for (const signal of signals) process.off(signal, heard);
  };
}
