/** The modes that a screen needs of its terminal: on while it has it, off for whoever has it meanwhile, and at the end. */

import type { TerminalKey } from "../input/key.ts";
import { KeyReader, keyModes } from "../input/keys.ts";
import type { ProcessTerminal } from "../process-terminal.ts";
import { typedAhead } from "../typed-ahead.ts";

type RawInput = NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown };

/** A program may leave the terminal with a part of it that scrolls alone; to end that moves the cursor. */
const scrollsWhole = "\u001B7\u001B[r\u001B8";
const showCursor = "\u001B[?25h";

export class ScreenModes {
  readonly #terminal: ProcessTerminal;
  readonly #input: RawInput;
  readonly #reader: KeyReader;
  readonly #leave: (() => void)[];
  #isOn = false;
  #isLent = false;

  /** `over`: the input has ended, or the terminal is gone. */
  constructor(
    terminal: ProcessTerminal,
    { heard, over }: { heard: (key: TerminalKey) => void; over: () => void },
  ) {
    this.#terminal = terminal;
    this.#input = terminal.input;
    this.#reader = new KeyReader(heard);
    const asTyped = typedAhead();
    const read = (chunk: Buffer | string): void => {
      if (!this.#isLent) this.#reader.read(asTyped(chunk));
    };
    this.#input.on("data", read);
    this.#input.on("end", over);
    this.#input.on("error", over);
    this.#leave = [
      () => this.#input.off("data", read),
      () => this.#input.off("end", over),
      terminal.onExit(() => this.off()),
    ];
    this.on();
  }

  get isLent(): boolean {
    return this.#isLent;
  }

  on(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#input.setRawMode?.(true);
    this.#input.resume();
    this.#terminal.print(keyModes.on);
  }

  /** Also the last thing that is done when the program ends, however it does. */
  off(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#terminal.print(keyModes.off + showCursor);
    this.#input.setRawMode?.(false);
    this.#input.pause();
  }

  /** Lends the terminal to another program, or to the shell, while `work` runs. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#isLent = true;
    this.off();
    try {
      return await work();
    } finally {
      this.#isLent = false;
      this.#terminal.print(scrollsWhole);
      this.on();
    }
  }

  close(): void {
    this.off();
    this.#reader.close();
    for (const leave of this.#leave) leave();
  }
}
