/** The interface of a session host: sessions of many workspaces in one program, opened only while there is work. */

import type { ContextReport } from "../agent/context/report.ts";
import type { ImportedSession, NewPlace } from "../archive/session-bundles.ts";
import type { SessionRow } from "../archive/sessions.ts";
import type { Expected } from "../base/expected.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Entry, Mode, Signal } from "../protocol/facts.ts";
import type { Reasoning } from "../protocol/messages.ts";
import type { Right } from "../protocol/rights.ts";
import type { McpServers } from "../runtime/addons/lent-servers.ts";
import type { FileCommand } from "../runtime/messages/file-commands.ts";
import type { Review } from "../runtime/undoing.ts";
import type { EditorBuffers } from "../runtime/unsaved-files.ts";
import type { OutcomeWanted, WorkOutcome } from "../session/checkouts/checkouts.ts";
import type { RepositorySource } from "../session/checkouts/repository-source.ts";
import type { Belonging, ShareRight, Viewer } from "../session/team.ts";
import type { EngineFigures, HostFigures } from "./figures.ts";
import type { HistoryPage } from "./shared-history.ts";

/**
 * Absent members default to the host's settings. `workspace`: an absolute path of an existing directory; or a
 * `repository` of git, with a `ref` and a `subdirectory`, of which the session gets a checkout of its own.
 */
export type NewSession = Partial<RepositorySource> & {
  workspace?: string;
  mode?: Mode;
  model?: string;
  reasoning?: Reasoning;
  title?: string;
  /** Tool servers lent to it, as `lend` does. */
  servers?: McpServers;
  /** Whose it will be: they choose its settings. */
  owner?: Pick<Belonging, "tenant" | "person">;
};

export type SessionSettings = { mode: Mode; model: string; reasoning: Reasoning };

/**
 * `search`: sessions with these words. `parent`: the subagent sessions of that one, which other lists omit unless words
 * are searched for. `after`: sessions that come after this one. `unfinished`: those with an unfinished request come first
 where they are too old for the list. `seenBy`: only what is for this viewer.
 */
export type SessionFilter = {
  search?: string;
  limit: number;
  after?: string;
  parent?: string;
  unfinished?: boolean;
  seenBy?: Viewer;
};

/**
 * `excerpt`: the passage found by a search. `heldBy`: another living program that has the session open. `access`: the
 * most that the person who asks may do with it; everything without it. `owner`: whose it is, where it is another's.
 */
export type HostedRow = SessionRow & { excerpt?: string; heldBy?: string; access?: Right; owner?: string };

/** The slash commands a message may call; `problems`: one line each. */
export type SlashCommands = { commands: FileCommand[]; problems: string[] };

export interface SessionHost {
  /** The workspace of sessions that name none. */
  readonly workspace: string;
  readonly mode: Mode;
  create(which: NewSession): Promise<Expected<HostedRow>>;
  /** Newest first. */
  rows(which: SessionFilter): Promise<{ sessions: HostedRow[]; more: boolean }>;
  row(id: string): Promise<HostedRow | undefined>;
  /**
   * Lends tool servers to a session, in place of those lent before, until the host closes: its calls may use them beside
   * the configured ones. A session in which something runs gets them at its next step.
   */
  lend(id: string, servers: McpServers): Promise<void>;
  /** Lends them to all sessions of a workspace, those that are yet to come as well. */
  lendIn(workspace: string, servers: McpServers): Promise<Expected<undefined>>;
  /**
   * Lets the session read what an editor has open and not saved; call the returned function when the editor leaves. Of
   * several editors the last one counts.
   */
  openBuffers(id: string, buffers: EditorBuffers): () => void;
  /** Opens the session if necessary. A message may call a command or skill, and mention files of the workspace. */
  command(id: string, command: Command): Promise<CommandOutcome>;
  /**
   * Yields the facts after `after`, then open blocks, then live events, whichever process writes the session and
   * however often it is opened and closed; until aborted. `person`: the follower can answer questions. Throws
   * NoSuchSession, CursorAhead.
   */
  follow(
    id: string,
    after: number,
    how: { signal: AbortSignal; person?: boolean },
  ): AsyncIterable<Entry | Signal>;
  /** As `follow`, but what the follower missed comes in pages, which are shared with others who missed it. */
  followInPages(
    id: string,
    after: number,
    how: { signal: AbortSignal; person?: boolean },
  ): AsyncIterable<HistoryPage | Entry | Signal>;
  /** A page of facts, fewer if they are long; empty only at the end. */
  facts(id: string, after: number, limit: number): Promise<Entry[]>;
  /** Everything stored of a call's output. */
  result(id: string, callId: string): Promise<Expected<string>>;
  /** What stood in a changed file before or after, by its hash in the change; undefined if it is not kept. */
  image(id: string, hash: string): Promise<Uint8Array | undefined>;
  review(id: string, turn?: number): Promise<Expected<Review>>;
  context(id: string): Promise<Expected<ContextReport>>;
  /** What the work of a session in a checkout becomes. `by`: who wants it. */
  outcome(id: string, wanted: OutcomeWanted, by?: string): Promise<Expected<WorkOutcome>>;
  /** What the session's next request runs under; the model as "provider/model". */
  settings(id: string): Promise<Expected<SessionSettings>>;
  /** For a session, or for a workspace (the host's own by default). Throws NoSuchSession. */
  slashCommands(which: { session: string } | { workspace?: string }): Promise<Expected<SlashCommands>>;
  fork(id: string, beforeTurn?: number): Promise<Expected<HostedRow>>;
  remove(id: string): Promise<Expected<undefined>>;
  export(id: string): AsyncIterable<string>;
  /** Into the host's workspace, unless a place is given. */
  import(pieces: AsyncIterable<Uint8Array>, place?: NewPlace): Promise<Expected<ImportedSession>>;
  /** Whose the session is, and with whom it is shared; undefined if it is nobody's. */
  sharing(id: string): Promise<Belonging | undefined>;
  /** With a person, or everybody of the tenant; without a right no longer. `by`: who shares it. */
  share(id: string, person: string, right: ShareRight | undefined, by?: string): Promise<Expected<undefined>>;
  /** Calls the listener when a session was created, renamed, deleted or changed its status; at most twice a second. */
  listen(listener: () => void): () => void;
  figures(): HostFigures;
  /** Of the queues that this host shares with others; undefined if there are none, or nobody could be asked. */
  queues(): Promise<EngineFigures | undefined>;
  /** Makes one attempt to read the store. Throws StoreError. */
  probe(): Promise<void>;
  /**
   * Accepts no more messages, waits up to `mostMs` for running work, then stops it. Requests waiting for a person stay
   * open.
   */
  drain(mostMs: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * The requested position is past the end of the log: the client knows a log that this session does not have (any more).
 */
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
