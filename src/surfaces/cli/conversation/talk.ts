/** What the parts of a conversation share. */

import type { Part } from "../../../protocol/messages.ts";
import type { LiveSession } from "../../../runtime/live-session.ts";
import type { Reach, Runtime } from "../../../runtime/runtime.ts";
import type { Style } from "../../view/plain.ts";
import type { Printer } from "../printer.ts";
import type { Clock } from "../status-line.ts";
import type { Terminal } from "../terminal.ts";
import type { LineInput } from "./line-input.ts";

export type TalkRoom = {
  terminal: Terminal;
  verbose: boolean;
  clock?: Clock;
  /** Which models could be used instead: of all providers, or of this one. */
  reach?: (provider?: string) => Promise<readonly Reach[]>;
};

export type Talk = {
  room: TalkRoom;
  runtime: Runtime;
  session: LiveSession;
  printer: Printer;
  input: LineInput;
  style: Style;
  /** The last entry that has been printed, */
  seen: number;
  /** and those behind it that have been, since they answered a command at a question. */
  seenBefore: Set<number>;
  /** Files that go with the next message. */
  attached: Part[];
  /** Resolves when what was typed while a turn ran has been dealt with. */
  sending: Promise<unknown>;
  /** A turn is being worked on. */
  busy: boolean;
  /** What runs in the background, as it was told last. */
  background: string;
  /** When Ctrl-C was last pressed in a turn, in milliseconds since 1970; 0 before. */
  interruptedAt: number;
  /** Carries out one of our commands that is typed at a question; false where it is none. */
  command: (line: string) => Promise<boolean>;
  /** The exit code, once it is time to leave. */
  leaving: number | undefined;
};
