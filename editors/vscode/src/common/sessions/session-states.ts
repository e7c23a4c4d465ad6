/** The sessions that the extension follows: each once, however many features look at it. */

import { sleep } from "../../../../../src/base/async.ts";
import type { LiveConnection, SessionState } from "../../../../../src/client.ts";
import { step } from "../../../../../src/protocol/fold.ts";
import { emptyState } from "../../../../../src/protocol/session-state.ts";
import { type Leave, Listeners } from "./listeners.ts";

/** `state` is changed in place; a listener is told once for any number of facts that arrive together. */
type StateListener = (state: SessionState) => void;

type FollowedState = { stop: AbortController; state: SessionState; listeners: Listeners<SessionState> };

/** How long facts are gathered before anybody is told. */
const gatherMs = 50;
/** A long session is read in pieces: other extensions share the thread. */
const mostBlockedMs = 10;

export class SessionStates {
  readonly #live: LiveConnection;
  readonly #failed: (error: unknown) => void;
  readonly #followed = new Map<string, FollowedState>();

  /** `failed`: told of a session that cannot be followed, and of listeners that throw. */
  constructor(live: LiveConnection, failed: (error: unknown) => void) {
    this.#live = live;
    this.#failed = failed;
  }

  /** A person can answer here. Told at once, unless the session's first facts have yet to arrive. */
  follow(session: string, listener: StateListener): Leave {
    const followed = this.#followed.get(session) ?? this.#begin(session);
    const leave = followed.listeners.add(listener);
    if (followed.state.seq > 0) listener(followed.state);
    return () => {
      leave();
      if (followed.listeners.size === 0) this.#end(session, followed);
    };
  }

  close(): void {
    for (const [session, followed] of this.#followed) this.#end(session, followed);
  }

  #begin(session: string): FollowedState {
    const followed = {
      stop: new AbortController(),
      state: emptyState(),
      listeners: new Listeners<SessionState>(this.#failed),
    };
    this.#followed.set(session, followed);
    void this.#take(session, followed);
    return followed;
  }

  async #take(session: string, followed: FollowedState): Promise<void> {
    const { signal } = followed.stop;
    const tell = gathering(() => {
      if (!signal.aborted) followed.listeners.tell(followed.state);
    });
    let since = performance.now();
    try {
      for await (const event of this.#live.follow(session, { person: true, signal })) {
        if (!("seq" in event)) continue;
        followed.state = step(followed.state, event);
        tell();
        if (performance.now() - since < mostBlockedMs) continue;
        await sleep(0);
        since = performance.now();
      }
    } catch (error) {
      this.#failed(error);
    }
    this.#end(session, followed);
  }

  #end(session: string, followed: FollowedState): void {
    followed.stop.abort();
    if (this.#followed.get(session) === followed) this.#followed.delete(session);
  }
}

/** Runs soon, once for any number of calls. */
function gathering(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      run();
    }, gatherMs);
  };
}
