/** What a conversation needs of a terminal, whether it is written line by line or painted as a screen. */

import type { Expected } from "../base/expected.ts";
import type { Delivery, Entry, Signal } from "../protocol/facts.ts";
import type { Block } from "../view/blocks.ts";
import type { Style } from "../view/style.ts";
import type { Card } from "./card.ts";
import type { ChoiceAnswer, ChoiceMenu } from "./choice.ts";
import type { LineCompletion } from "./line/line-editor.ts";
import type { OwnCommandEnd, OwnCommandLine } from "./own-command.ts";
import type { SignalName } from "./process-terminal.ts";

/** Receives a message typed while no prompt is open. Resolves when it is in the log, or its problem has been told. */
export type MessageReceiver = (text: string, when: Delivery) => Promise<unknown>;

/** What happens in a session, until the signal is aborted. */
export type SessionEvents = (signal: AbortSignal) => AsyncIterable<Entry | Signal>;

/** What the person does that is neither a message nor an answer. */
export type TerminalHandlers = {
  /** Ctrl-C, unless it only clears what is being typed at a prompt. */
  interrupt(): void;
  /** Esc during a turn. */
  stop(): void;
  /** Ctrl-D while no prompt is open: no more input will come. */
  ended(): void;
  /** A signal terminates the program, or nobody reads its output any more. */
  terminate(signal?: SignalName): void;
  /** Completes a line up to the cursor. */
  complete(line: string): Promise<LineCompletion>;
};

/**
 * Owns the process's terminal until it is closed. Rows given to `note` and `quote` are finished: they are printed once.
 * What is unfinished (a text that streams, the status, what is typed) is the terminal's own business.
 */
export interface Terminal {
  readonly style: Style;
  /** Whether a person types, so that a question can stay open for them. */
  readonly isAttended: boolean;
  /** Mode, model and context are always in sight, so that they need not be told. */
  readonly hasStatus: boolean;
  /** Several lines can be edited at a prompt. */
  readonly editsLines: boolean;
  /** A choice is a menu, and does not stand in the way of what is typed next. */
  readonly hasMenus: boolean;
  /** Columns for a text that is laid out for it; infinite if it is no terminal. */
  readonly columns: number;
  /** What is known of the session, newest last. */
  readonly blocks: readonly Block[];
  /** Whether a message or an answer is awaited at an open prompt. */
  readonly isAsking: boolean;

  /** Shows an event of the session. */
  show(event: Entry | Signal): void;
  /** Prints sentences of our own. */
  note(...lines: string[]): void;
  /** The same for lines of files, which are not wrapped. */
  quote(...lines: string[]): void;
  /** Prints sentences above the open prompt and what is typed there; not once the input is over. */
  announce(...lines: string[]): void;
  /** Prints sentences below the open prompt, which is then repeated. */
  remind(...lines: string[]): void;
  /** Prints a message as if it had been typed at the prompt. */
  echo(prompt: string, message: string): void;

  /** Goes over to a session of which these entries are known. */
  startOver(entries: readonly Entry[]): void;
  /**
   * Shows the session's last requests again, and what came of them; false if that is not its business. `told`: is called
   * before, with their number.
   */
  replay(told: (requests: number) => void): boolean;
  /** A turn begins. */
  begin(): void;
  /** Shows the status; the waiting time starts now. */
  watch(): void;
  /** Hides it. */
  rest(): void;
  /** Shows that this goes on, and for how long, if it takes a while. */
  during<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** Suppresses the model's remaining text of this turn. */
  hush(): void;
  /** Ends an unfinished row: of a text that goes on no more, or of the open prompt. */
  endLine(): void;

  /** The next message; undefined at the end of the input. */
  message(prompt: string): Promise<string | undefined>;
  /** The line that answers the card; undefined at the end of the input or when interrupted. */
  ask(card: Card): Promise<string | undefined>;
  /** What the person chooses; undefined if all shall stay as it is, or a question was put first. */
  choose(menu: ChoiceMenu): Promise<ChoiceAnswer | undefined>;
  /** The line that answers a question that stands in its prompt; undefined as for a card, and after Esc. */
  answer(prompt: string): Promise<string | undefined>;
  /** Cancels the open prompt, which then has no answer. */
  cancel(): void;
  /** Sets the receiver of messages typed while nothing is asked, until the next call. */
  deliverTo(deliver: MessageReceiver | undefined): void;
  /** Types a text at the prompt, for the person to edit. */
  prefill(text: string): void;
  /** Lets the person edit a text in their own editor; undefined if none is configured. */
  edit(text: string, file: string): Promise<Expected<string> | undefined>;

  /** Runs a command of the person, shows what it prints, and lets them end it. */
  run(command: OwnCommandLine): Promise<Expected<OwnCommandEnd>>;
  /** Lends the terminal to another program while `work` runs. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** Shows another session on a page of its own, until the person has seen enough, which aborts the signal. */
  follow(events: SessionEvents): Promise<void>;
  /** Whether the reason of each decision is told, too. */
  setVerbose(verbose: boolean): void;
  /** Switches vi's keys on or off; returns whether they are on. Undefined where the terminal has none. */
  toggleVi(): boolean | undefined;

  /** Gives the terminal back. */
  close(): void;
  /** Gives it back and ends the process at once. */
  exit(code: number): void;
}
