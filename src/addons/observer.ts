/** The interface for read-only observers of sessions, such as the log file and telemetry. */

import type { Entry, Signal } from "../protocol/facts.ts";

/** The session being observed. @public */
export type ObservedSession = {
  id: string;
  /** The call of the parent session that delegated this task; for a new session, its first fact has this, too. */
  parent?: { session: string; callId: string };
  /** Facts of a turn that an earlier process left unfinished. */
  earlier: readonly Entry[];
};

/** Receives the events of one session. Calls are not awaited, and exceptions are dropped. @public */
export type EventReceiver = {
  receive(event: Entry | Signal): void;
  /** The session was closed in this process. */
  closed?(): void;
};

/** Observes all sessions of this process, read-only. @public */
export type Observer = {
  /** Called once per opened session, before any of its events. */
  session(about: ObservedSession): EventReceiver;
  /** No more events follow: flushes what is buffered. Never rejects, and has its own timeout. */
  close?(): Promise<void>;
};
