/** Runs a command in a person's own shell, and answers in the end, whatever the shell fails to tell. */

import { type Expected, refuse } from "../../../../../src/base/expected.ts";
import { KeptOutput } from "./kept-output.ts";
import { shellLine } from "./shell-line.ts";

/** A shell in a terminal of an editor. */
export type UserShell = {
  /** Resolves once it tells of its commands (shell integration); for some shells never. */
  ready: Promise<void>;
  /** Resolves when its terminal has closed, with the exit code where there is one. */
  closed: Promise<number | undefined>;
  /** Which shell it is, where the editor knows that; asked once it is ready. */
  name(): string | undefined;
  begin(line: string): ShellCommand;
  /** Ctrl-C. */
  interrupt(): void;
};

/** `ended`: the exit code where the shell tells one; it may never resolve, and `output` may never end. */
export type ShellCommand = { ended: Promise<number | undefined>; output: AsyncIterable<string> };

/** `output` is text without escapes, of bounded size. */
export type ShellOutcome = { output: string } & (
  | { type: "ended"; exit: number | undefined }
  /** The shell has ended with it, or a person has closed its terminal. */
  | { type: "closed"; exit: number | undefined }
  | { type: "left-running" }
  | { type: "interrupted" }
);

export type ShellRequest = {
  command: string;
  /** After so many it is left running. */
  seconds: number;
  signal: AbortSignal;
};

/** Resolves after so many milliseconds, unless the signal comes first. */
type After = (ms: number, signal: AbortSignal) => Promise<void>;

/** Time for a shell to start, however much its startup files do. */
export const readyMs = 10_000;
/** Time for what belongs together: the end of a command, of its output, and of its shell. */
export const settleMs = 1_000;

export async function runInShell(
  shell: UserShell,
  { command, seconds, signal }: ShellRequest,
  after: After = passed,
): Promise<Expected<ShellOutcome>> {
  const over = new AbortController();
  const within = (ms: number): Promise<void> => after(ms, over.signal);
  const interrupted = abortOf(signal);
  try {
    const problem = await Promise.race([
      interrupted.then(() => "It was interrupted before anything was run."),
      shell.ready.then(() => undefined),
      shell.closed.then(() => "The user's shell ended before anything was run."),
      within(readyMs).then(() => noIntegration),
    ]);
    if (problem !== undefined) return refuse(problem);
    const line = shellLine(command, shell.name());
    if (!line.ok) return line;
    const kept = new KeptOutput();
    const end = await endOf(shell, line.value, { kept, seconds, interrupted, within });
    return { ok: true, value: { ...end, output: kept.text } };
  } finally {
    over.abort();
  }
}

const noIntegration = `Nothing was run: the user's terminal does not tell of its commands (no shell integration of VS Code within ${readyMs / 1_000} s). Use run_command, or ask the user to run it.`;

type Watch = {
  kept: KeptOutput;
  seconds: number;
  interrupted: Promise<void>;
  within: (ms: number) => Promise<void>;
};
type ShellEnd =
  | { type: "ended" | "closed"; exit: number | undefined }
  | { type: "left-running" | "interrupted" };

/** The first of all signs counts: each of them stays away at times. */
async function endOf(
  shell: UserShell,
  line: string,
  { kept, seconds, interrupted, within }: Watch,
): Promise<ShellEnd> {
  const { ended, output } = shell.begin(line);
  const read = keep(output, kept);
  const closed = shell.closed.then((exit): ShellEnd => ({ type: "closed", exit }));
  const end = await Promise.race([
    ended.then((exit): ShellEnd => ({ type: "ended", exit })),
    read.then(() => within(settleMs)).then((): ShellEnd => ({ type: "ended", exit: undefined })),
    closed,
    within(seconds * 1_000).then((): ShellEnd => ({ type: "left-running" })),
    interrupted.then((): ShellEnd => ({ type: "interrupted" })),
  ]);
  if (end.type === "interrupted") shell.interrupt();
  if (!("exit" in end)) return end;
  await Promise.race([read, within(settleMs)]); // the last of its output comes after its end
  return end.exit === undefined ? Promise.race([closed, within(settleMs).then(() => end)]) : end;
}

async function keep(output: AsyncIterable<string>, kept: KeptOutput): Promise<void> {
  try {
    for await (const text of output) kept.add(text);
  } catch {
    // A stream that breaks has ended.
  }
}

const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
