/** The terminal of a conversation: finished rows, below them what is unfinished, and the person's input, as one thing. */

import type { Expected } from "../../base/expected.ts";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { Block } from "../../view/blocks.ts";
import type { Style } from "../../view/plain.ts";
import type { LineHandlers, MessageReceiver } from "./line-input.ts";
import type { SignalName } from "./process-terminal.ts";

/** What the person does that is neither a message nor an answer. */
export type TerminalHandlers = Pick<LineHandlers, "interrupt" | "stop" | "ended" | "complete"> & {
  /** A signal terminates the program, or nobody reads its output any more. */
  terminate(signal?: SignalName): void;
};

/**
 * Whoever draws another kind of terminal implements this. Rows given to `show`, `note`, `quote` and `showQuestion` are
 * finished: they are printed once. What is unfinished (a text that streams, the status, what is typed) is the
 * terminal's own business.
 */
export type Terminal = {
  readonly style: Style;
  /** Columns for a text that is laid out for it; infinite if it is no terminal. */
  readonly columns: number;
  /** Whether a person types, so that a question can stay open for them. */
  readonly isAttended: boolean;
  /** What is known of the session, newest last. */
  readonly blocks: readonly Block[];

  /** Shows an event of the session. */
  show(event: Entry | Signal): void;
  /** Prints sentences of our own. */
  note(...lines: string[]): void;
  /** The same for lines of files, which are not wrapped. */
  quote(...lines: string[]): void;
  /** Prints a question, set off from the output before it. */
  showQuestion(...lines: string[]): void;
  /** Prints sentences above the open prompt and what is typed there; not once the input is over. */
  announce(...lines: string[]): void;
  /** Prints sentences below the open prompt, which is then repeated. */
  remind(...lines: string[]): void;
  /** Prints a message as if it had been typed at the prompt. */
  echo(prompt: string, message: string): void;

  /** Goes over to a session of which these entries are known. */
  startOver(entries: readonly Entry[]): void;
  /** A turn begins. */
  begin(): void;
  /** Shows the status; the waiting time starts now. */
  watch(): void;
  /** Hides it. */
  rest(): void;
  /** Suppresses the model's remaining text of this turn. */
  hush(): void;
  /** Ends an unfinished row: of a text that goes on no more, or of the open prompt. */
  endLine(): void;

  /** The next message; undefined at the end of the input. */
  message(prompt: string): Promise<string | undefined>;
  /** The answer to the question now on the screen; undefined at the end of the input or when interrupted. */
  answer(prompt: string): Promise<string | undefined>;
  /** Whether one of the two is awaited. */
  readonly isAsking: boolean;
  /** Cancels it, which then has no answer. */
  cancel(): void;
  /** Sets the receiver of messages typed while nothing is asked, until the next call. */
  deliverTo(deliver: MessageReceiver | undefined): void;
  /** Types a text at the prompt, for the person to edit. */
  prefill(text: string): void;
  /** Lets the person edit a text in their own editor; undefined if none is configured. */
  edit(text: string, file: string): Promise<Expected<string> | undefined>;

  /** Gives the terminal back. */
  close(): void;
  /** Gives it back and ends the process at once. */
  exit(code: number): void;
};
