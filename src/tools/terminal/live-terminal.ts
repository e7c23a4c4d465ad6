/** One terminal: its program, its screen, and its end. It outlives the call that started it. */

import { inTime } from "../../base/async.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { stopTree } from "../../base/process-tree.ts";
import { runVariable } from "../../base/process.ts";
import { terminalModes } from "../../base/terminal/modes.ts";
import type { OpenPty, Pty, PtyEnd } from "../../base/terminal/pty.ts";
import { isShell, readerOf } from "../../base/terminal/reader.ts";
import { TerminalScreen } from "../../base/terminal/screen.ts";
import type { SandboxRecord } from "../../protocol/facts.ts";
import { terminalBounds } from "../bounds.ts";
import type { ContainedCommand, ContainedOutcome } from "./contained-command.ts";

export type TerminalStart = {
  name: string;
  /** The mark that identifies every process it starts. */
  run: string;
  /** The command line; undefined for an interactive shell. */
  line: string | undefined;
  contained: ContainedCommand;
  cwd: string;
};

/** `isTold` is false if the end was never confirmed, although everything was done to kill it (A34). */
export type TerminalEnd = PtyEnd & { isTold: boolean };

const screenSize = { columns: 120, rows: 30 };
/** Characters of output stored for reading back. */
const space = terminalBounds.log.most;
/** Most queued replies; a program requests one at a time. */
const mostReplies = 16;
const hangUpMs = 300;
/** Wait for a terminal that was told to end, in milliseconds. */
const longestEndMs = 2_000;
/** Inspection of what a terminal's program left behind, in milliseconds. */
const longestFinishMs = 10_000;

export class LiveTerminal {
  readonly name: string;
  readonly line: string | undefined;
  readonly runsIn: SandboxRecord | undefined;
  readonly startedAt = Date.now();
  readonly screen: TerminalScreen;
  readonly #marker: string;
  readonly #finish: () => Promise<ContainedOutcome>;
  #pty: Pty | undefined;
  #end: TerminalEnd | undefined;
  #aftermath: Promise<ContainedOutcome> | undefined;
  readonly #ended = Promise.withResolvers<void>();
  /** Called with every output; each decodes it separately. */
  readonly listeners = new Set<(bytes: Uint8Array) => void>();
  /** Milliseconds on `performance`'s clock. */
  lastOutputAt = performance.now();
  /** The last line, and its length, that the model has seen. */
  seen = { line: 0, length: 0 };
  /** Typed lines whose echo is not to be shown as output. */
  echoes: readonly string[] = [];
  /** Input sent without Enter may remain on the line: of the shell itself, or of an earlier program. */
  left: "own" | "foreign" | undefined;
  /** Notes already given besides the output, not to be repeated. */
  readonly #told = new Set<string>();
  readonly #whyFailed: ContainedCommand["whyFailed"];
  #replying = Promise.resolve();
  #replies = 0;

  constructor({ name, run, line, contained }: TerminalStart) {
    this.name = name;
    this.line = line;
    this.runsIn = contained.runsIn;
    this.#marker = `${runVariable}=${run}`;
    this.#finish = contained.finished;
    this.#whyFailed = contained.whyFailed;
    this.screen = new TerminalScreen({ ...screenSize, space, answer: (text) => this.#reply(text) });
  }

  /** How the sandbox may have caused what the output shows, unless already reported. */
  hintFor(output: string): string[] {
    const hint = this.#whyFailed?.(output);
    return hint === undefined ? [] : this.tellOnce(hint);
  }

  tellOnce(words: string): string[] {
    if (this.#told.has(words)) return [];
    this.#told.add(words);
    return [words];
  }

  /** Replies are typed input: send them only to a program that asked, never to a shell printing an untrusted file. */
  #reply(text: string): void {
    if (this.#replies >= mostReplies) return;
    this.#replies += 1;
    this.#replying = this.#replyAfter(this.#replying, text);
  }

  async #replyAfter(earlier: Promise<void>, text: string): Promise<void> {
    await earlier;
    if (await takesReplies(this)) this.#pty?.write(text);
    this.#replies -= 1;
  }

  /** Undefined while it runs. */
  get end(): TerminalEnd | undefined {
    return this.#end;
  }

  get pid(): number | undefined {
    return this.#pty?.pid;
  }

  get pty(): Pty | undefined {
    return this.#pty;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** False if the program has not yet read earlier input. */
  write(text: string): boolean {
    return this.#pty?.write(text) ?? false;
  }

  hear(bytes: Uint8Array): void {
    this.screen.write(bytes);
    this.lastOutputAt = performance.now();
    for (const listener of this.listeners) listener(bytes);
  }

  began(pty: Pty): void {
    this.#pty = pty;
  }

  over(end: TerminalEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#aftermath = this.#finish().catch((error: unknown) => ({
      warnings: [`After its end: ${errorMessage(error)}`],
      changes: [],
    }));
    this.#ended.resolve();
  }

  /** What the command changed; available once, after it has ended. */
  async takeAftermath(): Promise<ContainedOutcome | undefined> {
    const aftermath = this.#aftermath;
    this.#aftermath = undefined;
    return aftermath && inTime(aftermath, { ms: longestFinishMs });
  }

  /** Sends hangup, terminate and kill to the program and everything it started. Takes at most two seconds. */
  async kill(): Promise<void> {
    const { pid } = this;
    if (pid !== undefined && !this.#end) {
      hangUp(pid);
      await inTime(this.ended, { ms: hangUpMs });
    }
    // The id of an ended process may already belong to another.
    await stopTree(this.#end ? undefined : pid, { marker: this.#marker });
    await inTime(this.ended, { ms: longestEndMs });
    this.over({ isTold: false });
  }
}

/** Starts the terminal. The sandbox is released in every case, even if the start fails. */
export async function openTerminal(start: TerminalStart, open: OpenPty): Promise<Expected<LiveTerminal>> {
  const terminal = new LiveTerminal(start);
  const { command, env, feeds = [] } = start.contained;
  const opened: Expected<Pty> =
    feeds.length > 0
      ? refuse("On a terminal a program cannot be given further input.")
      : await open({
          command,
          cwd: start.cwd,
          env: { ...definedIn(env), [runVariable]: start.run },
          ...screenSize,
          onOutput: (bytes) => terminal.hear(bytes),
          onEnd: (end) => terminal.over({ ...end, isTold: true }),
        });
  if (!opened.ok) {
    await start.contained.finished();
    return opened;
  }
  terminal.began(opened.value);
  start.contained.onStart?.(opened.value.pid, `${runVariable}=${start.run}`);
  return { ok: true, value: terminal };
}

/** Programs that request replies read input key by key; shells make no requests. */
async function takesReplies({ pid, pty, screen }: LiveTerminal): Promise<boolean> {
  const modes = await terminalModes(pty?.descriptor());
  if (pid === undefined || modes?.lines !== false) return false;
  const { name } = readerOf(pid, pty?.device);
  return name === undefined ? screen.isFullScreen : name === "fish" || !isShell({ name });
}

function hangUp(pid: number): void {
  try {
    process.kill(-pid, "SIGHUP");
  } catch {
    // Gone already.
  }
}

function definedIn(env: EnvironmentVariables): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(entries);
}
