/** Who hears what happens in sessions and changes nothing of it: the log file, telemetry. */

import type { Entry, Signal } from "../protocol/facts.ts";

/** The session that is heard. */
export type SessionObserved = {
  id: string;
  /** The call of another session that gave it its task; of a new session its first fact says it. */
  parent?: { session: string; callId: string };
  /** The facts of the turn that another run of the program had left open. */
  earlier: readonly Entry[];
};

/** What is heard of one session. Nobody waits for it, and what it throws is dropped. */
export type Heard = {
  told(event: Entry | Signal): void;
  /** The session is closed here. */
  closed?(): void;
};

/** Hears sessions and changes nothing of them. */
export type Observer = {
  /** Called once for each session that is opened, before anything is told of it. */
  session(about: SessionObserved): Heard;
  /** Nothing more comes: what is kept is handed on. Never rejects, and ends by itself. */
  close?(): Promise<void>;
};
