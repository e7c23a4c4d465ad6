/**
 * A conversation on the main screen of a terminal: what is finished scrolls away like any output, and below it stay what
 * goes on, the input and the status. The scroll-back, selection and search are the terminal's own.
 */

import type { Expected } from "../../base/expected.ts";
import { LongWorks } from "../../base/long-work.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { Block } from "../../view/blocks.ts";
import { type Style, styleFor } from "../../view/style.ts";
import type { Card } from "../card.ts";
import type { ChoiceAnswer, ChoiceMenu } from "../choice.ts";
import { Completions } from "../input/completions.ts";
import { InputHistory } from "../input/history.ts";
import type { ScreenAction } from "../input/key-bindings.ts";
import type { TerminalKey } from "../input/key.ts";
import { systemClock, type TickingClock } from "../line/status-line.ts";
import type { OwnCommandEnd, OwnCommandLine } from "../own-command.ts";
import { editInEditor, editorOf } from "../own-editor.ts";
import type { SignalName } from "../process-terminal.ts";
import { styledRows } from "../styled-rows.ts";
import type { MessageReceiver, SessionEvents, Terminal } from "../terminal.ts";
import { Attention } from "./attention.ts";
import type { RowLayout } from "./block-rows.ts";
import { FrameClock, type FrameTimer, systemTimer } from "./frame-clock.ts";
import { MessageField } from "./message-field.ts";
import { OwnCommandDock } from "./own-command-dock.ts";
import { PagerScreen } from "./pager-screen.ts";
import { Painter } from "./painter.ts";
import { plainMarks } from "./plain-marks.ts";
import { showOutput, writeInEditor } from "./screen-actions.ts";
import { ScreenInput } from "./screen-input.ts";
import { ScreenModes } from "./screen-modes.ts";
import { rowsSetupOf, type ScreenHandlers, type ScreenSetup } from "./screen-setup.ts";
import { helpRows, screenTail } from "./screen-tail.ts";
import { SessionPage } from "./session-page.ts";
import { SessionRows, type SessionRowsSetup } from "./session-rows.ts";

/** Esc twice within this time goes back to an earlier message. */
const twiceMs = 1_000;

export class ScreenTerminal implements Terminal {
  readonly style: Style;
  readonly isAttended = true;
  readonly hasStatus = true;
  readonly editsLines = true;
  readonly hasMenus = true;
  readonly #setup: ScreenSetup;
  readonly #handlers: ScreenHandlers;
  readonly #clock: TickingClock;
  readonly #timer: FrameTimer;
  readonly #rowsSetup: SessionRowsSetup;
  readonly #rows: SessionRows;
  readonly #painter: Painter;
  readonly #frames: FrameClock;
  readonly #input: ScreenInput;
  readonly #modes: ScreenModes;
  readonly #attention: Attention;
  readonly #leaves: (() => void)[];
  readonly #pages: PagerScreen;
  readonly #works = new LongWorks();
  readonly #own: OwnCommandDock;
  #isWatched = false;
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
    this.#rowsSetup = rowsSetupOf({ ...setup, clock }, this.style, (session) => handlers.subagent(session));
    this.#rows = new SessionRows(this.#rowsSetup);
    const print = setup.unicode ? terminal.print : (text: string) => terminal.print(plainMarks(text));
    this.#painter = new Painter({ print, columns: () => this.columns, rows: () => terminal.rows() });
    this.#frames = new FrameClock(timer, () => this.#paint());
    this.#attention = new Attention(terminal.print);
    const message = new MessageField({
      bindings,
      completions: new Completions(setup.completions),
      history: new InputHistory(setup.said),
      changed: () => this.#frames.now(),
      takeBack: () => this.#handlers.takeBack(),
      below: () => this.#handlers.review(),
    });
    this.#input = new ScreenInput({
      message,
      bindings,
      now: () => timer.now(),
      handlers: {
        sent: (shown) => this.#rows.said(shown),
        act: (action) => this.#act(action),
        view: (card) => void this.#pages.open((layout) => card.whole(layout)),
        changed: () => this.#frames.now(),
      },
    });
    this.#modes = new ScreenModes(terminal, {
      heard: (key) => this.#press(key),
      over: () => this.#input.close(),
    });
    this.#own = new OwnCommandDock(terminal, this, this.#frames);
    this.#pages = new PagerScreen(terminal, () => this.#layout);
    this.#leaves = [
      terminal.onResize(() => (this.#pages.isOpen ? this.#pages.paint() : this.#frames.settle())),
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
    if (event.type === "turn-end") {
      this.#runsSince = undefined;
      this.#attention.call("The request is done.");
    }
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

  replay(told: (requests: number) => void): boolean {
    this.#rows.replay(told);
    this.#frames.request();
    return true;
  }

  begin(): void {
    this.#works.clear();
    this.#runsSince = this.#clock.now();
    this.#frames.request();
  }

  watch(): void {
    this.#rows.transcript.heardAt = this.#clock.now();
    this.#runsSince ??= this.#clock.now();
    this.#isWatched = true;
    this.#frames.request();
  }

  rest(): void {
    this.#isWatched = false;
    this.#frames.request();
  }

  during<T>(what: string, work: () => Promise<T>): Promise<T> {
    const shown = this.#works.during(what, work).finally(() => this.#frames.request());
    this.#frames.request();
    return shown;
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

  choose(menu: ChoiceMenu): Promise<ChoiceAnswer | undefined> {
    return this.#shown(this.#input.choose(menu));
  }

  answer(prompt: string): Promise<string | undefined> {
    return this.#shown(this.#input.answer(prompt));
  }

  run(command: OwnCommandLine): Promise<Expected<OwnCommandEnd>> {
    return this.#own.run(command);
  }

  cancel(): void {
    this.#own.stop();
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
    return { style: this.style, columns: this.columns, bindings: this.#setup.bindings };
  }

  /** Everything that was on the screen stays there; the tail goes. */
  #rest(): void {
    for (const leave of this.#leaves.splice(0)) leave();
    this.#frames.stop();
    this.#pages.close();
    const { finished, open } = this.#rows.frame();
    this.#painter.paint([...finished, ...open], { rows: [""], cursor: { row: 0, column: 0 } });
    this.#painter.clear();
    this.#attention.answered();
    this.#handlers.closed();
    this.#modes.close();
  }

  /** Returns whether it changes by itself. */
  #paint(): boolean {
    if (this.#pages.isOpen) this.#pages.paint();
    if (this.#pages.isOpen) return this.#isWatched;
    const { terminal } = this.#setup;
    this.#own.tell();
    const { finished, open } = this.#rows.frame();
    const works = [...this.#works.all(), ...this.#handlers.works()];
    const tail = screenTail(
      {
        works,
        own: this.#own,
        open,
        transcript: this.#rows.transcript,
        input: this.#input,
        figures: this.#handlers.figures(() => this.#frames.request()),
        runsSince: this.#runsSince,
        now: this.#clock.now(),
        todosAreOpen: this.#todosAreOpen,
      },
      this.#layout,
      terminal.rows(),
    );
    this.#painter.paint(finished, tail);
    return this.#isWatched || this.#own.isRunning || works.length > 0;
  }

  /** A Ctrl-C belongs to the program that has the terminal. */
  #heardSignal(signal: SignalName): void {
    if (signal !== "SIGINT") this.#handlers.terminate(signal);
    else if (!this.#modes.isLent) this.#handlers.interrupt();
  }

  /** The card disappears, and the next one appears, at once. */
  async #shown<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#frames.request();
    const line = await answer;
    this.#works.again();
    this.#attention.answered();
    this.#frames.request();
    return line;
  }

  #press(key: TerminalKey): void {
    if (key.type === "focus") return this.#attention.focus(key.isFocused);
    if (this.#pages.isOpen) return this.#pages.press(key) ? this.#frames.now() : undefined;
    this.#input.press(key);
    return this.#frames.now();
  }

  #act(action: ScreenAction): void {
    switch (action) {
      case "interrupt":
        return this.#own.interrupt() ? undefined : this.#handlers.interrupt();
      case "hand-over":
        return this.#own.handOver();
      case "escape":
        return this.#escape();
      case "next-mode":
        return this.#handlers.nextMode();
      case "todos":
        this.#todosAreOpen = !this.#todosAreOpen;
        return undefined;
      case "help":
        return void this.#pages.open((layout) => helpRows(this.#setup.bindings, layout));
      case "exit":
        return this.#leave();
      case "suspend":
        return void this.lend(() => this.#setup.terminal.stopped());
      case "redraw":
        return this.#painter.clear();
      case "edit-in-editor":
        return void writeInEditor(this, this.#input.message.field).then(() => this.#frames.now());
      case "last-output":
        return void showOutput(this, this.#pages, this.#handlers.lastOutput());
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
    if (this.#own.interrupt()) return undefined;
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

  follow(events: SessionEvents): Promise<void> {
    return this.#pages.follow(events, new SessionPage(this.#rowsSetup), () => this.#frames.request());
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
