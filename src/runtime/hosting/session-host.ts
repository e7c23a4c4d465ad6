/** Sessions of many workspaces in one program: open while there is work, followed all the same while there is none. */

import type { ContextReport } from "../../agent/context/report.ts";
import type { Expected } from "../../base/expected.ts";
import type { Command, CommandOutcome } from "../../protocol/commands.ts";
import type { Entry, Mode, Signal } from "../../protocol/facts.ts";
import type { FileCommand } from "../messages/file-commands.ts";
import type { Imported } from "../sessions/session-bundles.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import type { Review } from "../undoing.ts";

/** What is absent is as the host was started. `workspace`: an absolute path of a directory that exists. */
export type NewSession = { workspace?: string; mode?: Mode; model?: string; title?: string };

/**
 * `search`: sessions with these words. `parent`: those that its calls have given their tasks, which other lists leave
 * out unless words are searched for. `after`: those that come after this one.
 */
export type Which = { search?: string; limit: number; after?: string; parent?: string };

/** `excerpt`: where words were searched for. `heldBy`: the other living program that has it open. */
export type HostedRow = SessionRow & { excerpt?: string; heldBy?: string };

export type Figures = { open: number; working: number; followers: number };

/** What a message may call by `/name`; `problems`: a line each. */
export type SlashCommands = { commands: FileCommand[]; problems: string[] };

export interface SessionHost {
  /** Of sessions that name none. */
  readonly workspace: string;
  readonly mode: Mode;
  create(which: NewSession): Promise<Expected<HostedRow>>;
  /** Newest first. */
  rows(which: Which): Promise<{ sessions: HostedRow[]; more: boolean }>;
  row(id: string): Promise<HostedRow | undefined>;
  /**
   * Opens the session where that is necessary. A message may call a command or skill, and mention files of the
   * workspace.
   */
  command(id: string, command: Command): Promise<CommandOutcome>;
  /**
   * Facts after `after`, then what is open, then live, whoever writes the session and however often it is opened and
   * closed meanwhile; until aborted. `person`: somebody follows who can answer. Throws NoSuchSession, CursorAhead.
   */
  follow(
    id: string,
    after: number,
    how: { signal: AbortSignal; person?: boolean },
  ): AsyncIterable<Entry | Signal>;
  /** A page of facts, fewer of long ones; only none where there are no more. */
  facts(id: string, after: number, limit: number): Promise<Entry[]>;
  /** All that is kept of a call's output. */
  result(id: string, callId: string): Promise<Expected<string>>;
  review(id: string, turn?: number): Promise<Expected<Review>>;
  context(id: string): Promise<Expected<ContextReport>>;
  /** Of a session, or of a workspace: the host's own by default. Throws NoSuchSession. */
  slashCommands(which: { session: string } | { workspace?: string }): Promise<Expected<SlashCommands>>;
  fork(id: string, beforeTurn?: number): Promise<Expected<HostedRow>>;
  remove(id: string): Promise<Expected<undefined>>;
  export(id: string): AsyncIterable<string>;
  import(pieces: AsyncIterable<Uint8Array>): Promise<Expected<Imported>>;
  /** Called when a session was made, changed its standing or name, or is gone; at most twice a second. */
  listen(listener: () => void): () => void;
  figures(): Figures;
  /**
   * Takes no more messages, waits for what runs, at most so long, then stops it. What waits for a person stays open.
   */
  drain(mostMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Facts after one that is not there: whoever asks knows a log that this session does not have (any more). */
export class CursorAhead extends Error {
  override readonly name = "CursorAhead";
  constructor(id: string, after: number) {
    super(
      `Session ${id} has no fact ${after}: it was put back to an earlier state since. Begin again with after=0.`,
    );
  }
}

export class NoSuchSession extends Error {
  override readonly name = "NoSuchSession";
}
