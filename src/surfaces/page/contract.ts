/** What the page hands to its cards and panels: one session as it stands, and how something is asked of it. */

import type { Expected } from "../../base/expected.ts";
import type { Command, CommandOutcome } from "../../protocol/commands.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { ContextValue, ReviewValue } from "../remote/api-reports.ts";
import type { SessionValue, SlashCommandValue } from "../remote/api-values.ts";
import type { Transcript } from "../view/transcript.ts";

/**
 * One session. `transcript` and `state` are changed in place; whenever facts came the view is a new object. Signals
 * change the transcript only, and who shows them looks at its blocks.
 */
export type SessionView = {
  id: string;
  transcript: Transcript;
  state: SessionState;
  /** Its line in the list; undefined until that is known. */
  row: SessionValue | undefined;
  /** The number of the last fact. */
  facts: number;
  /** Everything up to now has been heard; false while the beginning is still coming. */
  isComplete: boolean;
};

/** Asks something of the session. Never rejects: without a connection the outcome says so. */
export type Ask = (command: Command) => Promise<CommandOutcome>;

export type Models = {
  providers: readonly { provider: string; models: readonly string[]; problem?: string | undefined }[];
};
type Sessions = { sessions: readonly SessionValue[]; more: boolean };

/** What is read from the gateway besides facts. Never rejects. */
export type PageClient = {
  review: (session: string, turn?: number) => Promise<Expected<ReviewValue>>;
  context: (session: string) => Promise<Expected<ContextValue>>;
  /** All that is kept of a call's output. */
  result: (session: string, callId: string) => Promise<Expected<string>>;
  models: () => Promise<Expected<Models>>;
  /** Sessions with these words, newest first. */
  search: (words: string) => Promise<Expected<Sessions>>;
  /** What a message may call by `/name`: in a session, or in a new one of this workspace. */
  commands: (
    of: { session: string } | { workspace?: string },
  ) => Promise<Expected<readonly SlashCommandValue[]>>;
  fork: (session: string, beforeTurn?: number) => Promise<Expected<SessionValue>>;
  /** Saves the whole session as a file. */
  download: (session: string) => Promise<Expected<undefined>>;
};

/** What every card and panel gets. */
export type PanelProps = { view: SessionView; ask: Ask; client: PageClient };

export type Theme = "system" | "light" | "dark";

/** `by` in answers that are given here. */
export const person = "user";
