/** A terminal that shows the commands of one session. It is opened behind what the user looks at, and runs nothing itself. */

import * as vscode from "vscode";
import type { MirrorPiece } from "../../common/terminal/command-mirror.ts";
import { TerminalText } from "../../common/terminal/terminal-text.ts";

type SessionTerminalSetup = {
  title: string;
  /** Called when the user types Ctrl-C. */
  interrupt: () => void;
  /** Called when the user closes it. */
  closed: () => void;
};

/** Characters kept until VS Code draws it. */
const mostUndrawn = 200_000;
const interruptKey = "\u0003";

export class SessionTerminal implements vscode.Pseudoterminal {
  readonly #setup: SessionTerminalSetup;
  readonly #text = new TerminalText();
  readonly #written = new vscode.EventEmitter<string>();
  readonly #terminal: vscode.Terminal;
  readonly onDidWrite = this.#written.event;
  #undrawn = "";
  #isDrawn = false;
  #hasExplained = false;

  constructor(setup: SessionTerminalSetup) {
    this.#setup = setup;
    this.#terminal = vscode.window.createTerminal({
      name: setup.title,
      pty: this,
      iconPath: new vscode.ThemeIcon("tools"),
      isTransient: true,
    });
  }

  add(piece: MirrorPiece): void {
    this.#write(this.#text.of(piece));
  }

  show(): void {
    this.#terminal.show();
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  open(): void {
    this.#isDrawn = true;
    this.#written.fire(this.#undrawn);
    this.#undrawn = "";
  }

  close(): void {
    this.#written.dispose();
    this.#setup.closed();
  }

  handleInput(typed: string): void {
    if (typed === interruptKey) return this.#setup.interrupt();
    if (this.#hasExplained) return;
    this.#hasExplained = true;
    const words = vscode.l10n.t("This terminal shows what Toolwright runs. Ctrl-C interrupts its request.");
    this.#write(this.#text.note(words));
  }

  #write(text: string): void {
    if (this.#isDrawn) this.#written.fire(text);
    else this.#undrawn = (this.#undrawn + text).slice(-mostUndrawn);
  }
}
