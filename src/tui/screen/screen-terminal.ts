/**
 * A conversation on the main screen of a terminal: what is finished scrolls away like any output, and below it stay what
 * goes on, the input and the status. The scroll-back, selection and search are the terminal's own.
 */

import type { Expected } from "../../base/expected.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { Block } from "../../view/blocks.ts";
import { type Style, styleFor } from "../../view/style.ts";
import { visibleLine } from "../../view/visible.ts";
import type { Card } from "../card.ts";
import { Completions } from "../input/completions.ts";
import { InputHistory } from "../input/history.ts";
import type { ScreenAction } from "../input/key-bindings.ts";
import type { TerminalKey } from "../input/key.ts";
import { systemClock, type TickingClock } from "../line/status-line.ts";
import { editInEditor, editorOf } from "../own-editor.ts";
import type { SignalName } from "../process-terminal.ts";
import { styledRows } from "../styled-rows.ts";
import type { MessageReceiver, Terminal } from "../terminal.ts";
import { Attention } from "./attention.ts";
import type { RowLayout } from "./block-rows.ts";
import type { CardField } from "./card-field.ts";
import { FrameClock, type FrameTimer, systemTimer } from "./frame-clock.ts";
import { MessageField } from "./message-field.ts";
import { Pager } from "./pager.ts";
import { Painter } from "./painter.ts";
import { plainMarks } from "./plain-marks.ts";
import { ScreenInput } from "./screen-input.ts";
import { ScreenModes } from "./screen-modes.ts";
import type { ScreenHandlers, ScreenSetup } from "./screen-setup.ts";
import { helpRows, screenTail } from "./screen-tail.ts";
import { SessionRows } from "./session-rows.ts";

/** While something runs, its time and its sign go on. */
const tickMs = 200;
/** Esc twice within this time goes back to an earlier message. */
const twiceMs = 1_000;

export class ScreenTerminal implements Terminal {
  readonly style: Style;
  readonly isAttended = true;
  readonly hasStatus = true;
  readonly editsLines = true;
  readonly #setup: ScreenSetup;
  readonly #handlers: ScreenHandlers;
  readonly #clock: TickingClock;
  readonly #timer: FrameTimer;
  readonly #rows: SessionRows;
  readonly #painter: Painter;
  readonly #frames: FrameClock;
  readonly #input: ScreenInput;
  readonly #modes: ScreenModes;
  readonly #attention: Attention;
  readonly #leaves: (() => void)[];
  #pager: Pager | undefined;
  #leaveClock: (() => void) | undefined;
  #runsSince: number | undefined;
  #todosAreOpen = false;
  #escapedAt = -Infinity;

  constructor(setup: ScreenSetup, handlers: ScreenHandlers) {
    const { terminal, clock = systemClock, timer = systemTimer, bindings } = setup;
    this.#setup = setup;
    this.#handlers = handlers;
    this.#clock = clock;
    this.#timer = timer;
    this.style = styleFor(terminal.env, true);
    this.#rows = new SessionRows({
      style: this.style,
      columns: () => terminal.columns(),
      markdown: setup.markdown,
      verbose: setup.verbose,
      now: () => clock.now(),
    });
    const print = setup.unicode ? terminal.print : (text: string) => terminal.print(plainMarks(text));
    this.#painter = new Painter({ print, columns: () => this.columns, rows: () => terminal.rows() });
    this.#frames = new FrameClock(timer, () => this.#paint());
    this.#attention = new Attention(terminal.print);
    const message = new MessageField({
      bindings,
      completions: new Completions(setup.completions),
      history: new InputHistory(setup.said),
      changed: () => this.#frames.now(),
      below: () => this.#handlers.review(),
    });
    this.#input = new ScreenInput({
      message,
      bindings,
      now: () => timer.now(),
      handlers: {
        sent: (shown) => this.#rows.said(shown),
        act: (action) => this.#act(action),
        view: (card) => this.#view(card),
      },
    });
    this.#modes = new ScreenModes(terminal, {
      heard: (key) => this.#press(key),
      over: () => this.#input.close(),
    });
    this.#leaves = [
      terminal.onResize(() => (this.#pager ? this.#pager.paint() : this.#frames.settle())),
      terminal.onSignal((signal) => this.#heardSignal(signal)),
    ];
    terminal.outputGone.addEventListener("abort", () => handlers.terminate(), { once: true });
  }

  get columns(): number {
    return this.#setup.terminal.columns();
  }

  get blocks(): readonly Block[] {
    return this.#rows.transcript.blocks;
  }

  get isAsking(): boolean {
    return this.#input.isAsking;
  }

  show(event: Entry | Signal): void {
    this.#rows.show(event);
    if (event.type === "turn-end") this.#attention.call("The request is done.");
    this.#frames.request();
  }

  note(...lines: string[]): void {
    this.#rows.note(lines);
    this.#frames.request();
  }

  quote(...lines: string[]): void {
    this.#rows.addRows(
      lines.flatMap((line) => styledRows(line, this.columns, { first: "  ", rest: "    " })),
    );
    this.#frames.request();
  }

  announce(...lines: string[]): void {
    if (!this.#input.isClosed) this.note(...lines);
  }

  remind(...lines: string[]): void {
    this.note(...lines.filter((line) => line !== ""));
  }

  echo(_prompt: string, message: string): void {
    this.#rows.said(message);
    this.#frames.request();
  }

  startOver(entries: readonly Entry[]): void {
    this.#rows.startOver(entries);
    this.#frames.request();
  }

  replay(): boolean {
    this.#rows.replay();
    this.#frames.request();
    return true;
  }

  begin(): void {
    this.#runsSince = this.#clock.now();
    this.#frames.request();
  }

  watch(): void {
    this.#rows.transcript.heardAt = this.#clock.now();
    this.#runsSince ??= this.#clock.now();
    this.#leaveClock ??= this.#clock.every(tickMs, () => this.#frames.request());
    this.#frames.request();
  }

  rest(): void {
    this.#leaveClock?.();
    this.#leaveClock = undefined;
    this.#frames.request();
  }

  hush(): void {
    this.#rows.hush();
    this.#frames.request();
  }

  endLine(): void {
    this.#frames.request();
  }

  message(): Promise<string | undefined> {
    this.#runsSince = undefined;
    this.rest();
    return this.#input.nextMessage();
  }

  ask(card: Card): Promise<string | undefined> {
    this.#attention.call("Your answer is needed.");
    return this.#shown(this.#input.ask(card));
  }

  answer(prompt: string): Promise<string | undefined> {
    return this.#shown(this.#input.answer(prompt));
  }

  cancel(): void {
    this.#input.cancel();
    this.#frames.request();
  }

  deliverTo(deliver: MessageReceiver | undefined): void {
    this.#input.deliverTo(deliver);
  }

  prefill(text: string): void {
    this.#input.prefill(text);
    this.#frames.request();
  }

  async edit(text: string, file: string): Promise<Expected<string> | undefined> {
    const editor = editorOf(this.#setup.terminal.env);
    return editor === undefined ? undefined : this.lend(() => editInEditor(editor, text, file));
  }

  setVerbose(verbose: boolean): void {
    this.#rows.verbose = verbose;
  }

  toggleVi(): boolean {
    return this.#input.message.toggleVi();
  }

  close(): void {
    this.#input.close();
    this.#rest();
  }

  exit(code: number): void {
    this.#rest();
    this.#setup.terminal.exit(code);
  }

  get #layout(): RowLayout {
    return { style: this.style, columns: this.columns };
  }

  /** Everything that was on the screen stays there; the tail goes. */
  #rest(): void {
    for (const leave of this.#leaves.splice(0)) leave();
    this.#leaveClock?.();
    this.#frames.stop();
    this.#pager?.close();
    this.#pager = undefined;
    const { finished, open } = this.#rows.frame();
    this.#painter.paint([...finished, ...open], { rows: [""], cursor: { row: 0, column: 0 } });
    this.#painter.clear();
    this.#attention.answered();
    this.#modes.close();
  }

  #paint(): void {
    if (this.#pager) return;
    const { terminal, bindings } = this.#setup;
    const { finished, open } = this.#rows.frame();
    const tail = screenTail(
      {
        open,
        transcript: this.#rows.transcript,
        input: this.#input,
        bindings,
        figures: this.#handlers.figures(),
        runsSince: this.#runsSince,
        now: this.#clock.now(),
        todosAreOpen: this.#todosAreOpen,
      },
      this.#layout,
      terminal.rows(),
    );
    this.#painter.paint(finished, tail);
  }

  /** A Ctrl-C belongs to the program that has the terminal. */
  #heardSignal(signal: SignalName): void {
    if (signal !== "SIGINT") this.#handlers.terminate(signal);
    else if (!this.#modes.isLent) this.#handlers.interrupt();
  }

  /** The card disappears, and the next one appears, at once. */
  async #shown(answer: Promise<string | undefined>): Promise<string | undefined> {
    this.#frames.request();
    const line = await answer;
    this.#attention.answered();
    this.#frames.request();
    return line;
  }

  #press(key: TerminalKey): void {
    if (key.type === "focus") return this.#attention.focus(key.isFocused);
    if (this.#pager) {
      if (!this.#pager.press(key)) return undefined;
      this.#pager = undefined;
      return this.#frames.goOn();
    }
    this.#input.press(key);
    return this.#frames.now();
  }

  #act(action: ScreenAction): void {
    switch (action) {
      case "interrupt":
        return this.#handlers.interrupt();
      case "escape":
        return this.#escape();
      case "next-mode":
        return this.#handlers.nextMode();
      case "todos":
        this.#todosAreOpen = !this.#todosAreOpen;
        return undefined;
      case "help":
        return this.#open((layout) => helpRows(this.#setup.bindings, layout));
      case "exit":
        return this.#leave();
      case "suspend":
        return void this.lend(() => this.#setup.terminal.stopped());
      case "redraw":
        return this.#painter.forget();
      case "edit-in-editor":
        return void this.#editInput();
      case "last-output":
        return void this.#showLastOutput();
      case "paste-picture":
        return this.#handlers.pastePicture();
      case "complete":
      case "history-search":
      case "send":
      case "send-after":
        return undefined;
      default:
        return action satisfies never;
    }
  }

  #escape(): void {
    if (this.#runsSince !== undefined) return this.#handlers.stop();
    if (this.#input.asked) return this.#input.leaveCard();
    const now = this.#timer.now();
    if (now - this.#escapedAt < twiceMs && this.#input.message.field.isEmpty) this.#input.send("/edit");
    this.#escapedAt = now;
    return undefined;
  }

  /** Ctrl-D with an empty input. */
  #leave(): void {
    const isIdle = this.#input.awaitsMessage;
    this.#input.close();
    if (!isIdle) this.#handlers.ended();
  }

  async #editInput(): Promise<void> {
    const { field } = this.#input.message;
    const edited = await this.edit(field.expanded(), "message.md");
    if (edited === undefined) return this.note("Set $VISUAL or $EDITOR to write in your editor.");
    if (!edited.ok) return this.note(edited.problem);
    field.set(edited.value.trimEnd());
    return this.#frames.now();
  }

  async #showLastOutput(): Promise<void> {
    const text = await this.#handlers.lastOutput();
    if (text === undefined) return this.note(this.style.dim("There is no output yet."));
    const lines = text.split("\n").map(visibleLine);
    return this.#open((layout) => lines.flatMap((line) => styledRows(line, layout.columns)));
  }

  #view(card: CardField): void {
    this.#open((layout) => card.whole(layout));
  }

  #open(content: (layout: RowLayout) => readonly string[]): void {
    const { terminal } = this.#setup;
    this.#frames.stop();
    this.#pager = new Pager({
      print: terminal.print,
      layout: () => this.#layout,
      height: () => terminal.rows(),
      content,
    });
  }

  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#frames.stop();
    this.#painter.clear();
    try {
      return await this.#modes.lend(work);
    } finally {
      this.#painter.forget();
      this.#frames.goOn();
    }
  }
}
