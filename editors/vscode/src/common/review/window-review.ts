/** The review that a window shows: of the session that was chosen, or else of the one that worked last. */

import type { LiveConnection, SessionValue } from "../../../../../src/client.ts";
import { type Leave, Listeners } from "../sessions/listeners.ts";
import { type IsHere, sessionsHere } from "../sessions/sessions-here.ts";
import { SessionReview, type SessionReviewContext } from "./session-review.ts";

type WindowReviewContext = Omit<SessionReviewContext, "session"> & {
  live: LiveConnection;
  isHere: IsHere;
};

export class WindowReview {
  readonly #context: WindowReviewContext;
  readonly #listeners: Listeners<void>;
  readonly #stop = new AbortController();
  #sessions: readonly SessionValue[] = [];
  #chosen: string | undefined;
  #shown: { review: SessionReview; leave: Leave } | undefined;

  constructor(context: WindowReviewContext) {
    this.#context = context;
    this.#listeners = new Listeners(context.failed);
    void this.#watch();
  }

  get review(): SessionReview | undefined {
    return this.#shown?.review;
  }

  /** Those of this window, the one that worked last first. */
  get sessions(): readonly SessionValue[] {
    return this.#sessions;
  }

  /** Told whenever another session is shown, or something about it has changed. */
  listen(listener: () => void): Leave {
    return this.#listeners.add(listener);
  }

  /** `undefined`: the session that worked last, whichever it is. */
  choose(session: string | undefined): void {
    this.#chosen = session;
    this.#show();
  }

  close(): void {
    this.#stop.abort();
    this.#leave();
  }

  async #watch(): Promise<void> {
    const { live, isHere, failed } = this.#context;
    try {
      for await (const sessions of sessionsHere(live, isHere, this.#stop.signal)) {
        this.#sessions = sessions
          .filter(({ turns }) => turns > 0)
          .toSorted((one, other) => other.updatedAt - one.updatedAt);
        this.#show();
      }
    } catch (error) {
      failed(error);
    }
    this.#gone();
  }

  /** So is the core: there is nothing to decide about. */
  #gone(): void {
    this.#leave();
    this.#sessions = [];
    if (!this.#stop.signal.aborted) this.#listeners.tell();
  }

  #show(): void {
    const wanted = this.#chosen ?? this.#usual();
    if (wanted === this.#shown?.review.session) return;
    this.#leave();
    if (wanted !== undefined) {
      const review = new SessionReview({ ...this.#context, session: wanted });
      this.#shown = { review, leave: review.listen(() => this.#listeners.tell()) };
    }
    this.#listeners.tell();
  }

  /** A session that still works is not left for another one. */
  #usual(): string | undefined {
    const current = this.#sessions.find(({ id }) => id === this.#shown?.review.session);
    const isBusy = current?.standing === "running" || current?.standing === "waiting";
    return isBusy ? current.id : this.#sessions[0]?.id;
  }

  #leave(): void {
    this.#shown?.leave();
    this.#shown?.review.close();
    this.#shown = undefined;
  }
}
