/** The command that a person runs beside their draft: what it shows, and the keys that end it or are handed to it. */

import type { Expected } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { duration } from "../../view/status.ts";
import type { OwnCommandProcess, OwnCommandEnd, OwnCommandLine } from "../own-command.ts";
import type { ProcessTerminal } from "../process-terminal.ts";
import { clippedRow } from "../styled-rows.ts";
import type { Terminal } from "../terminal.ts";
import type { RowLayout } from "./block-rows.ts";
import type { FrameClock } from "./frame-clock.ts";
import { spinnerAt } from "./spinner.ts";

const margin = "    │ ";
/** Its screen: more is shown once it has scrolled off. */
const fewestRows = 3;
const mostRows = 10;

export class OwnCommandDock {
  readonly #terminal: ProcessTerminal;
  readonly #screen: Pick<Terminal, "quote" | "lend">;
  readonly #frames: FrameClock;
  #command: OwnCommandProcess | undefined;

  constructor(terminal: ProcessTerminal, screen: Pick<Terminal, "quote" | "lend">, frames: FrameClock) {
    this.#terminal = terminal;
    this.#screen = screen;
    this.#frames = frames;
  }

  get isRunning(): boolean {
    return this.#command !== undefined;
  }

  async run(command: OwnCommandLine): Promise<Expected<OwnCommandEnd>> {
    const terminal = this.#terminal;
    const changed = (): void => this.#frames.request();
    const { OwnCommandProcess: Own } = await import("../own-command.ts"); // rarely needed
    const started = await Own.start({
      ...command,
      terminal,
      columns: Math.max(1, terminal.columns() - margin.length),
      rows: Math.min(mostRows, Math.max(fewestRows, Math.floor(terminal.rows() / 3))),
      changed,
      fillsScreen: () => this.handOver(),
    });
    if (!started.ok) return started;
    this.#command = started.value;
    changed();
    try {
      const end = await started.value.over();
      this.#screen.quote(...started.value.rest());
      return { ok: true, value: end };
    } finally {
      this.#command = undefined;
      changed();
    }
  }

  /** False if none runs. */
  interrupt(): boolean {
    this.#command?.interrupt();
    return this.isRunning;
  }

  stop(): void {
    void this.#command?.stop();
  }

  /** The terminal and all keys are the command's until it is over. */
  handOver(): void {
    const command = this.#command;
    if (!command) return;
    this.#screen.quote(...command.rest());
    this.#frames.now();
    void this.#screen.lend(() => command.lend());
  }

  /** Prints what has scrolled off its screen. */
  tell(): void {
    const finished = this.#command?.finished() ?? [];
    if (finished.length > 0) this.#screen.quote(...finished);
  }

  tailRows({ style, columns }: RowLayout, now: number): string[] {
    if (!this.#command) return [];
    const { line, since, rows } = this.#command;
    const passed = now - since;
    const head = `  ${style.cyan(spinnerAt(passed))} ${visibleLine(line)}${style.dim(` · ${duration(passed)}`)}`;
    return [head, ...rows.map((row) => style.dim(margin + visibleLine(row)))].map((row) =>
      clippedRow(row, columns),
    );
  }
}
