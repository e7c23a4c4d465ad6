/** The state that all parts of a conversation share. */

import type { KeySettings } from "../../configuration/key-settings.ts";
import type { StatusLineSetting } from "../../configuration/screen-settings.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import type { ProviderReach, Runtime } from "../../runtime/runtime.ts";
import type { TickingClock } from "../../tui/line/status-line.ts";
import type { Terminal } from "../../tui/terminal.ts";
import type { Style } from "../../view/plain.ts";
import { type CliContext } from "../cli-context.ts";

export type TalkContext = {
  verbose: boolean;
  /** Line by line, also where a screen could be painted. */
  plain: boolean;
  /** The person's own keys for a screen. */
  keys?: KeySettings;
  /** What stands in the lowest row of a screen instead of the usual figures. */
  statusLine?: StatusLineSetting | undefined;
  clock?: TickingClock;
  /** What a command of the shell gets, where the conversation was begun by one. */
  shell?: CliContext;
  /** The models that could be used instead, of all providers or of one. */
  reach?: (provider?: string) => Promise<readonly ProviderReach[]>;
};

export type Talk = {
  context: TalkContext;
  runtime: Runtime;
  session: LiveSession;
  terminal: Terminal;
  style: Style;
  /** Sequence number of the last printed entry. */
  seen: number;
  /** Later entries printed already, because they answered a command typed at a question. */
  seenBefore: Set<number>;
  /** Attachments of the next message. */
  attached: ContentPart[];
  /** Resolves when everything typed during the turn has been sent. */
  sending: Promise<unknown>;
  /** Whether a turn is running. */
  busy: boolean;
  /** The background programs as last printed. */
  background: string;
  /** When Ctrl-C was last pressed in a turn, in milliseconds since 1970; 0 before. */
  interruptedAt: number;
  /** Runs a slash command typed at a question; false if the line is not one. */
  command: (line: string) => Promise<boolean>;
  /** Goes on with what another program or run has left open in the session. */
  takeUp: () => Promise<void>;
  /** The exit code once the person is leaving. */
  leaving: number | undefined;
  /** Commands run without a sandbox. */
  isUncontained: boolean;
  /** Until what contains the commands is known and told; no turn begins before. */
  introduced: Promise<void>;
};
