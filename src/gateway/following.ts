/** The sessions followed on one socket: takes events from the host only as fast as the client reads. */

import { errorMessage } from "../base/expected.ts";
import { CursorAhead, NoSuchSession } from "../hosting/session-host.ts";
import { encodeEntry } from "../protocol/codec.ts";
import type { Entry, Signal } from "../protocol/facts.ts";
import type { ClientFrame } from "../remote/frames.ts";
import { gatewayBounds } from "./bounds.ts";
import { type GatewayContext, logFailure } from "./gateway-context.ts";
import type { Outbox } from "./outbox.ts";

type FollowFrame = Extract<ClientFrame, { type: "follow" }>;
const { followed } = gatewayBounds;

export class FollowedSessions {
  readonly #context: GatewayContext;
  readonly #outbox: Outbox;
  /** Keyed by the client's id. */
  readonly #open = new Map<string, AbortController>();

  constructor(gateway: GatewayContext, outbox: Outbox) {
    this.#context = gateway;
    this.#outbox = outbox;
  }

  /** Reusing an id replaces what was followed under it. */
  follow(frame: FollowFrame): void {
    this.leave(frame.id);
    if (this.#open.size >= followed.most)
      return this.#tellLeft(
        frame.id,
        "too-many",
        `One connection follows at most ${followed.most} sessions: open another one for more.`,
      );
    const stop = new AbortController();
    this.#open.set(frame.id, stop);
    void this.#followed(frame, stop);
  }

  leave(id: string): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
    this.#outbox.drop(id);
  }

  leaveAll(): void {
    for (const id of this.#open.keys()) this.leave(id);
  }

  async #followed(frame: FollowFrame, stop: AbortController): Promise<void> {
    const end = await this.#run(frame, stop.signal);
    if (this.#open.get(frame.id) === stop) this.#open.delete(frame.id);
    if (!stop.signal.aborted) this.#tellLeft(frame.id, end.code, end.message);
  }

  #tellLeft(id: string, code: string, message: string): void {
    this.#outbox.flush();
    this.#outbox.send({ type: "left", id, code, message });
  }

  async #run({ id, session, after, person }: FollowFrame, signal: AbortSignal): Promise<FollowEnd> {
    const how = { signal, person };
    const events = this.#context.host.followInPages(session, after, how)[Symbol.asyncIterator]();
    try {
      for (;;) {
        await this.#outbox.untilSpace();
        const next = await events.next();
        if (next.done || signal.aborted) return endOfSession(session);
        const { value } = next;
        if ("entries" in value) this.#outbox.facts(id, value.texts);
        else if ("seq" in value) this.#outbox.facts(id, [eventJson(value)]);
        else this.#outbox.signal(id, eventJson(value));
      }
    } catch (error) {
      if (!(error instanceof NoSuchSession || error instanceof CursorAhead))
        logFailure(this.#context, `following session ${session} failed`, error);
      return endOf(error);
    } finally {
      await events.return?.().catch(() => undefined);
    }
  }
}

type FollowEnd = { code: string; message: string };

const endOfSession = (session: string): FollowEnd => ({
  code: "no-such-session",
  message: `Session ${session} is gone: it was deleted, or is no longer shared with you.`,
});

function endOf(error: unknown): FollowEnd {
  const message = errorMessage(error);
  if (error instanceof NoSuchSession) return { code: "no-such-session", message };
  if (error instanceof CursorAhead) return { code: "cursor-ahead", message };
  return { code: "failed", message: `The session cannot be followed: ${message}` };
}

/** Events never change, and all followers of a session get the same ones. */
const texts = new WeakMap<Entry | Signal, string>();

/** Written once for all followers. A fact that this version does not know is sent exactly as it was read. */
export function eventJson(event: Entry | Signal): string {
  const text = texts.get(event) ?? ("seq" in event ? encodeEntry(event) : JSON.stringify(event));
  texts.set(event, text);
  return text;
}
