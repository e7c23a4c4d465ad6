/** Sessions of many workspaces in one program: open while there is work, followed all the same while there is none. */
import type { ContextReport } from "../agent/context/report.ts";
import type { Parsed } from "../base/json.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Entry, Mode, Signal } from "../protocol/facts.ts";
import type { Imported } from "./session-bundles.ts";
import type { SessionRow } from "./sessions.ts";
import type { Review } from "./undoing.ts";

/** What is absent is as the host was started. `workspace`: an absolute path of a directory that exists. */
export type NewSession = { workspace?: string; mode?: Mode; model?: string; title?: string };

/** `search`: sessions with these words. `after`: those that come after this one. */
export type Which = { search?: string; limit: number; after?: string };

/** `excerpt`: where words were searched for. `heldBy`: the other living program that has it open. */
export type HostedRow = SessionRow & { excerpt?: string; heldBy?: string };

export type Figures = { open: number; working: number; followers: number };

export interface SessionHost {
  /** Of sessions that name none. */
  readonly workspace: string;
  readonly mode: Mode;
  create(which: NewSession): Promise<Parsed<HostedRow>>;
  /** Newest first. */
  rows(which: Which): Promise<{ sessions: HostedRow[]; more: boolean }>;
  row(id: string): Promise<HostedRow | undefined>;
  /** Opens the session where that is necessary. */
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
  /** A page of facts. */
  facts(id: string, after: number, limit: number): Promise<Entry[]>;
  /** All that is kept of a call's output. */
  result(id: string, callId: string): Promise<Parsed<string>>;
  review(id: string, turn?: number): Promise<Parsed<Review>>;
  context(id: string): Promise<Parsed<ContextReport>>;
  fork(id: string, beforeTurn?: number): Promise<Parsed<HostedRow>>;
  remove(id: string): Promise<Parsed<undefined>>;
  export(id: string): AsyncIterable<string>;
  import(pieces: AsyncIterable<Uint8Array>): Promise<Parsed<Imported>>;
  /** Called when a session was made, changed its standing or name, or is gone; at most twice a second. */
  listen(listener: () => void): () => void;
  figures(): Figures;
  /** Takes no more messages, waits for what runs, at most so long, then stops it. What waits for a person stays open. */
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
