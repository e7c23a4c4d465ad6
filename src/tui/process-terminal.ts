/** The process as the command line sees it: streams, signals and exit, as one value that tests can replace. */

import { fstatSync } from "node:fs";
import { isatty } from "node:tty";

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP";

export type ProcessTerminal = {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly input: NodeJS.ReadableStream;
  readonly inputIsTerminal: boolean;
  /** Whether the input is a file, pipe or socket. */
  readonly inputIsPiped: boolean;
  readonly outputIsTerminal: boolean;
  readonly errorIsTerminal: boolean;
  /** Writes to standard output. Never throws; a failure aborts `outputGone`. */
  readonly print: (text: string) => void;
  /** Writes to standard error. Never throws. */
  readonly report: (text: string) => void;
  columns(): number;
  rows(): number;
  /** Calls `heard` when the terminal is resized, until the returned function is called. */
  onResize(heard: () => void): () => void;
  /** Stops this process, as Ctrl-Z does. Resolves when it continues, or at once if nothing could continue it. */
  stopped(): Promise<void>;
  /** Resolves when all output has left the process, or cannot. */
  flushed(): Promise<void>;
  /** Aborted when standard output has no reader any more (EPIPE) or cannot be written; the reason is the error. */
  readonly outputGone: AbortSignal;
  /** Sends signals to `heard`, instead of ending the process, until the returned function is called. */
  onSignal(heard: (signal: SignalName) => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
};

const signals: readonly SignalName[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Opens streams on first use. */
export function processTerminal(): ProcessTerminal {
  const gone = new AbortController();
  let watched = false;
  const watch = (): void => {
    if (watched) return;
    watched = true;
    process.stdout.on("error", (error) => gone.abort(error));
    process.stderr.on("error", () => undefined); // this error cannot be reported anywhere
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
    rows: () => process.stdout.rows || 24,
    onResize(heard) {
      process.stdout.on("resize", heard);
      return () => process.stdout.off("resize", heard);
    },
    stopped: suspendProcess,
    flushed: async () => {
      watch();
      await Promise.all([drainStream(process.stdout), drainStream(process.stderr)]);
    },
    outputGone: gone.signal,
    onSignal,
    exit: (code) => process.exit(code),
  };
}

/** A shell's directory may have been removed. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new Error("The current directory no longer exists: change into another one and start again.");
  }
}

/** True for redirected input; /dev/null and a closed input have no content. */
function isPiped(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isSocket() || stat.isFile();
  } catch {
    return false;
  }
}

/** Also waits for the error of a failed write, which arrives a moment after the write returns. */
async function drainStream(stream: NodeJS.WriteStream): Promise<void> {
  if (!stream.destroyed && stream.writableLength > 0) {
    await new Promise<void>((resolve) => {
      stream.once("error", () => resolve());
      stream.write("", () => resolve());
    });
  }
  await new Promise((resolve) => setImmediate(resolve));
}

/** A process without a job-control shell (a container's first one) is not stopped, so SIGCONT never arrives. */
const notStoppedMs = 100;

/**
 * Stops the whole process group, as the terminal would: a parent that only waits for us must give up the terminal, too.
 */
function suspendProcess(): Promise<void> {
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
