/** The interface between the page and its cards and panels: one session's view, and how to send it commands. */

import type { Expected } from "../base/expected.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { SessionState } from "../protocol/session-state.ts";
import type { ContextValue, ReviewValue } from "../remote/api-reports.ts";
import type {
  DeviceValue,
  SessionValue,
  ShareValue,
  SharingValue,
  SlashCommandValue,
} from "../remote/api-values.ts";
import type { SessionList } from "../remote/live.ts";
import type { Transcript } from "../view/transcript.ts";

/**
 * One session. `transcript` and `state` are changed in place, and each batch of facts gives a new view object. Signals
 * change only the transcript; a component that shows them must subscribe to its blocks.
 */
export type SessionView = {
  id: string;
  transcript: Transcript;
  state: SessionState;
  /** The session's row in the list; undefined until it is known. */
  row: SessionValue | undefined;
  /** The number of the last fact. */
  facts: number;
  /** All facts up to now have arrived; false while the earlier ones are loading. */
  isComplete: boolean;
};

/** Sends the session a command. Never rejects: without a connection the outcome says so. */
export type CommandSender = (command: Command) => Promise<CommandOutcome>;

export type Models = {
  providers: readonly { provider: string; models: readonly string[]; problem?: string | undefined }[];
  /** The model of sessions that name none; absent if those are refused. */
  usual?: string | undefined;
};

/** Reads data from the gateway other than facts. Never rejects. */
export type PageClient = {
  review: (session: string, turn?: number) => Promise<Expected<ReviewValue>>;
  context: (session: string) => Promise<Expected<ContextValue>>;
  /** The complete stored output of a call. */
  result: (session: string, callId: string) => Promise<Expected<string>>;
  models: () => Promise<Expected<Models>>;
  /** Sessions that contain these words, newest first. */
  search: (words: string) => Promise<Expected<SessionList>>;
  /** What a message can invoke by `/name`: in a session, or in a new one in this workspace. */
  commands: (
    of: { session: string } | { workspace?: string },
  ) => Promise<Expected<readonly SlashCommandValue[]>>;
  /** The signed-in browsers. */
  devices: () => Promise<Expected<readonly DeviceValue[]>>;
  /** Signs a browser out. */
  revoke: (id: string) => Promise<Expected<undefined>>;
  fork: (session: string, beforeTurn?: number) => Promise<Expected<SessionValue>>;
  /** Whose the session is, and who else may do what. */
  sharing: (session: string) => Promise<Expected<SharingValue>>;
  share: (session: string, share: ShareValue) => Promise<Expected<undefined>>;
  /** Saves the whole session as a file. */
  download: (session: string) => Promise<Expected<undefined>>;
};

/** Props of every card and panel. */
export type PanelProps = { view: SessionView; ask: CommandSender; client: PageClient };

export type Theme = "system" | "light" | "dark";

/** The value of `by` in answers given on this page. */
export const person = "user";
