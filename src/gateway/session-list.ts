/** The session list for all watchers: read once per change, however many there are. */

import type { SessionHost } from "../hosting/session-host.ts";
import type { SessionValue } from "../remote/api-values.ts";
import { sessionValue } from "./session-routes.ts";

type SessionsFrame = { type: "sessions"; sessions: SessionValue[]; more: boolean };

export class SharedSessionList {
  readonly #host: SessionHost;
  readonly #watchers = new Set<() => void>();
  /** Results by limit, since the latest change. */
  readonly #read = new Map<number, Promise<SessionsFrame>>();
  #leave: (() => void) | undefined;

  constructor(host: SessionHost) {
    this.#host = host;
  }

  /** Calls `changed` at each change until the returned function is called. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    this.#leave ??= this.#host.listen(() => this.#changed());
    return () => {
      this.#watchers.delete(changed);
      if (this.#watchers.size > 0) return;
      this.#leave?.();
      this.#leave = undefined;
      this.#read.clear();
    };
  }

  newest(limit: number): Promise<SessionsFrame> {
    const known = this.#read.get(limit);
    if (known) return known;
    const read = this.#host.rows({ limit, unfinished: true }).then(({ sessions, more }): SessionsFrame => ({
      type: "sessions",
      sessions: sessions.map(sessionValue),
      more,
    }));
    this.#read.set(limit, read);
    read.catch(() => this.#read.delete(limit));
    return read;
  }

  #changed(): void {
    this.#read.clear();
    for (const tell of this.#watchers) tell();
  }
}
