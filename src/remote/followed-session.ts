/** One followed session across reconnections: each fact once, in order, and the newest signals. */

import { mib } from "../base/bound.ts";
import type { Entry, Signal } from "../protocol/facts.ts";
import { EventCursor } from "./cursor.ts";
import type { ClientFrame } from "./frames.ts";
import { clientCodes, GatewayError } from "./gateway-error.ts";
import { Bell } from "./news.ts";

/** Frames of one followed session waiting for their reader, in characters. */
const mostFollowText = 8 * mib;

/** `after`: the number of the last known fact. `person`: a person is present who can answer questions. @public */
export type FollowOptions = { after?: number; person?: boolean; signal?: AbortSignal };

type FollowedSessionContext = {
  session: string;
  options: FollowOptions;
  /** Sends the frame if there is a connection; otherwise drops it. */
  send: (frame: ClientFrame) => void;
  /** Registers a new id for the session's events, replacing the previous one. */
  rename: (previous: string) => string;
};

export class FollowedSession {
  readonly #context: FollowedSessionContext;
  readonly #cursor: EventCursor;
  readonly #bell = new Bell();
  #id: string;
  #waiting: (Entry | Signal)[] = [];
  /** Total length of the frames whose events are still unread. */
  #characters = 0;
  /** The session was left until the reader has caught up. */
  #isPaused = false;
  /** Nothing has arrived since the last request. */
  #isFresh = true;
  #end: { problem?: GatewayError } | undefined;

  constructor(id: string, context: FollowedSessionContext) {
    this.#context = context;
    this.#id = id;
    this.#cursor = new EventCursor(context.options.after ?? 0);
  }

  /** The id of the followed session on the present connection. */
  get id(): string {
    return this.#id;
  }

  /** Requests all events not yet received. Call it for each new connection. */
  ask(): void {
    if (this.#isPaused || this.#end) return;
    this.#isFresh = true;
    const { session, options, send } = this.#context;
    const frame = { type: "follow", id: this.#id, session, after: this.#cursor.seq } as const;
    send(options.person ? { ...frame, person: true } : frame);
  }

  /** `characters`: the length of the frame with these events. */
  take(events: readonly (Entry | Signal)[], characters: number): void {
    if (this.#isPaused) return;
    for (const event of events) {
      const place = this.#cursor.take(event);
      if (place === "gap") return this.#again();
      if ("seq" in event) this.#isFresh = false;
      if (place === "next") this.#waiting.push(event);
    }
    this.#characters += characters;
    if (this.#characters > mostFollowText) this.#pause();
    this.#bell.ring();
  }

  /** The reader first gets what has arrived; then the stream ends, with this error if there is one. */
  end(problem?: GatewayError): void {
    this.#end ??= problem ? { problem } : {};
    this.#bell.ring();
  }

  async *events(): AsyncGenerator<Entry | Signal, void> {
    const { signal } = this.#context.options;
    const isLeft = () => signal?.aborted === true;
    const wake = () => this.#bell.ring();
    signal?.addEventListener("abort", wake);
    try {
      while (!isLeft()) {
        const batch = this.#waiting;
        [this.#waiting, this.#characters] = [[], 0];
        for (const event of batch) {
          yield event;
          if (isLeft()) return;
        }
        if (this.#waiting.length > 0) continue;
        if (this.#end?.problem) throw this.#end.problem;
        if (this.#end) return;
        if (this.#isPaused) this.#goOn();
        await this.#bell.next();
      }
    } finally {
      signal?.removeEventListener("abort", wake);
      this.#context.send({ type: "leave", id: this.#id });
    }
  }

  #pause(): void {
    this.#isPaused = true;
    this.#context.send({ type: "leave", id: this.#id });
  }

  #goOn(): void {
    this.#isPaused = false;
    this.#id = this.#context.rename(this.#id);
    this.ask();
  }

  /** A fact is missing: discards the present stream and requests the events again. */
  #again(): void {
    if (this.#isFresh)
      return this.end(
        new GatewayError({
          code: clientCodes.unreadable,
          message: `The gateway leaves out facts of session ${this.#context.session}.`,
        }),
      );
    this.#context.send({ type: "leave", id: this.#id });
    this.#id = this.#context.rename(this.#id);
    this.ask();
    this.#bell.ring();
  }
}
