/** A command of the person in their own shell, on a terminal of its own, and what it shows. Nothing of it is sandboxed. */

import { StringDecoder } from "node:string_decoder";
import { countOf } from "../base/amounts.ts";
import type { Expected } from "../base/expected.ts";
import { stopTree } from "../base/process-tree.ts";
import { type OpenPty, openPty, type Pty, type PtyEnd } from "../base/terminal/pty.ts";
import { TerminalScreen } from "../base/terminal/screen.ts";
import { tuiBounds } from "./bounds.ts";
import type { ProcessTerminal } from "./process-terminal.ts";

/** `shown`: the lines that stood on the screen in the end, without full-screen programs. */
export type OwnCommandEnd = PtyEnd & { shown: string };

export type OwnCommandLine = { line: string; workspace: string };

type OwnCommandSetup = OwnCommandLine & {
  terminal: ProcessTerminal;
  /** The size of its terminal, until the person's own is lent to it. */
  columns: number;
  rows: number;
  /** It has shown something. */
  changed: () => void;
  /** It draws on the whole screen: lend it the terminal at once. */
  fillsScreen: () => void;
};

const nothing = (): void => undefined;
const interrupt = "\u0003";
const fullScreen = "\u001B[?1049h";
const beginsFullScreen = /^[^]*\u001B\[\?(?:47|1047|1049)h/u; // eslint-disable-line no-control-regex

export class OwnCommandProcess {
  readonly line: string;
  /** Milliseconds since 1970. */
  readonly since = Date.now();
  readonly #terminal: ProcessTerminal;
  readonly #screen: TerminalScreen;
  readonly #pty: Pty;
  readonly #ended: Promise<PtyEnd>;
  readonly #decoder = new StringDecoder("utf8");
  /** Lines that have been given out. */
  #given = 0;
  #isLent = false;
  #isInterrupted = false;

  private constructor(
    { line, terminal }: OwnCommandSetup,
    { screen, pty, ended }: { screen: TerminalScreen; pty: Pty; ended: Promise<PtyEnd> },
  ) {
    this.line = line;
    this.#terminal = terminal;
    this.#screen = screen;
    this.#pty = pty;
    this.#ended = ended;
  }

  static async start(setup: OwnCommandSetup, open: OpenPty = openPty): Promise<Expected<OwnCommandProcess>> {
    const { line, workspace, terminal, columns, rows } = setup;
    const screen = new TerminalScreen({
      columns,
      rows,
      space: tuiBounds.ownOutput.most,
      answer: () => undefined,
    });
    const ended = Promise.withResolvers<PtyEnd>();
    let own: OwnCommandProcess | undefined;
    const pty = await open({
      command: [terminal.env["SHELL"] || "/bin/sh", "-c", line],
      cwd: workspace,
      env: textsIn(terminal.env),
      columns,
      rows,
      onOutput: (bytes) => {
        if (own) own.#heard(bytes, setup);
      },
      onEnd: ended.resolve,
    });
    if (!pty.ok) return pty;
    own = new OwnCommandProcess(setup, { screen, pty: pty.value, ended: ended.promise });
    return { ok: true, value: own };
  }

  /** What stands on its screen and may change. */
  get rows(): string[] {
    return this.#screen.present();
  }

  /** The lines since the last call that will not change any more. */
  finished(): string[] {
    return this.#give(this.#screen.scrolledOff);
  }

  /** Lines that have not been given out yet, once it is over or the terminal is lent. */
  rest(): string[] {
    return this.#give(Infinity);
  }

  async over(): Promise<OwnCommandEnd> {
    const end = await this.#ended;
    return { ...end, shown: this.#screen.since(this.#screen.first).join("\n").trimEnd() };
  }

  /** Ctrl-C; again, and whatever it has started is stopped. */
  interrupt(): void {
    if (this.#isInterrupted) return void this.stop();
    this.#isInterrupted = true;
    this.#pty.write(interrupt);
  }

  stop(): Promise<void> {
    return stopTree(this.#pty.pid);
  }

  /** Until it is over the terminal, which must be lent, and all keys are the command's. */
  async lend(): Promise<void> {
    this.#isLent = true;
    const takeBack = connect(this.#terminal, this.#pty);
    try {
      await this.#ended;
      if (this.#screen.cursor.column > 1) this.#terminal.print("\r\n");
    } finally {
      this.#isLent = false;
      this.#given = Infinity; // what it showed since stands on the screen
      takeBack();
    }
  }

  #heard(bytes: Uint8Array, { changed, fillsScreen }: OwnCommandSetup): void {
    this.#screen.write(bytes);
    const text = this.#decoder.write(Buffer.from(bytes));
    if (this.#isLent) return this.#terminal.print(text);
    if (!this.#screen.isFullScreen) return changed();
    fillsScreen();
    if (this.#isLent) this.#terminal.print(fullScreen + text.replace(beginsFullScreen, ""));
  }

  #give(to: number): string[] {
    const { first } = this.#screen;
    if (this.#given >= to) return [];
    const lost = Math.max(0, first - this.#given);
    const from = this.#given + lost;
    const lines = this.#screen.since(from).slice(0, to - from);
    this.#given = from + lines.length;
    return lost > 0 ? [`… ${countOf(lost, "line")}, which came too fast to be shown`, ...lines] : lines;
  }
}

/** The terminal must be lent: from the start it is the command's. */
export async function runOwnCommand(
  command: OwnCommandLine,
  terminal: ProcessTerminal,
  open?: OpenPty,
): Promise<Expected<OwnCommandEnd>> {
  const size = { columns: terminal.columns(), rows: terminal.rows() };
  const started = await OwnCommandProcess.start(
    { ...command, ...size, terminal, changed: nothing, fillsScreen: nothing },
    open,
  );
  if (!started.ok) return started;
  await started.value.lend();
  return { ok: true, value: await started.value.over() };
}

/** What is typed goes to the command as it is. */
function connect(terminal: ProcessTerminal, pty: Pty): () => void {
  const input: NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown } = terminal.input;
  const typed = (chunk: string | Buffer): void => {
    pty.write(typeof chunk === "string" ? chunk : chunk.toString("utf8"));
  };
  const resize = (): void => pty.resize(terminal.columns(), terminal.rows());
  const leaveSize = terminal.onResize(resize);
  resize();
  input.setRawMode?.(true);
  input.on("data", typed);
  input.resume();
  return () => {
    leaveSize();
    input.off("data", typed);
    input.pause();
    input.setRawMode?.(false);
  };
}

const textsIn = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
