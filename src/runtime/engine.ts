/**
 * The in-process engine: takes steps until there is nothing to do here, and opens the turns that wait for their place.
 */

import { finishInterrupted } from "../agent/finish.ts";
import { advance } from "../agent/loop.ts";
import type { TurnRoom } from "../agent/room.ts";
import type { FactOf } from "../protocol/facts.ts";
import { currentTurn, type QueuedMessage, saidTo, type SessionState } from "../protocol/session-state.ts";
import type { SessionLog } from "../session/log.ts";

type EngineRoom = {
  log: SessionLog;
  /** What a step may reach; the signal interrupts it. */
  turn: (signal: AbortSignal) => TurnRoom;
  /** The settings of the next turn. */
  start: () => FactOf<"turn-start">;
  /** Messages that are being taken back: they must not be taken meanwhile. */
  withdrawing: ReadonlySet<string>;
  /** Makes the log whole after a failure. */
  recover: () => Promise<void>;
};

/** "wait": every call that could run has run, and a person has been asked. */
async function drive(room: () => TurnRoom): Promise<"wait" | "done"> {
  for (;;) {
    const next = await advance(room()); // its tools may be others than a step before
    if (next !== "continue") return next;
  }
}

export class Engine {
  readonly #room: EngineRoom;
  #controller = new AbortController();
  #driving: Promise<void> | undefined;
  /** Why it stopped; the log is to be mended before anything else is done. */
  #failure: { error: unknown } | undefined;
  /** A message has come since the last turn ended: what waits is wanted now. */
  #isCalled = false;

  constructor(room: EngineRoom) {
    this.#room = room;
  }

  get isRunning(): boolean {
    return this.#driving !== undefined;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** The log is whole again. */
  recovered(): void {
    this.#failure = undefined;
  }

  /** What the next step may reach. */
  turnRoom(): TurnRoom {
    return this.#room.turn(this.#controller.signal);
  }

  /** Resolves when nothing runs: the turn is over, or it waits for a person. Rejects when the log failed. */
  async idle(): Promise<void> {
    while (this.#driving) await this.#driving;
    if (this.#failure) throw this.#failure.error;
  }

  /** Starts unless it runs already. What makes it fail is told by `idle`. */
  run(first?: () => Promise<unknown>): void {
    if (this.#driving) return;
    this.#driving = this.#run(first);
    this.#driving.catch(() => undefined);
  }

  /** A message waits that came when the turn was over: it is not for later. */
  call(): void {
    this.#isCalled = true;
    this.run();
  }

  /** Ends the turn, whatever it was at, and leaves the log whole. */
  async interrupt(): Promise<void> {
    this.#controller.abort(new Error("interrupted"));
    try {
      await this.#driving?.catch(() => this.#room.recover());
      if (this.#state.status === "running") await finishInterrupted(this.turnRoom());
    } finally {
      this.#controller = new AbortController();
    }
  }

  get #state(): SessionState {
    return this.#room.log.state;
  }

  async #run(first?: () => Promise<unknown>): Promise<void> {
    try {
      await first?.();
      for (;;) {
        await drive(() => this.turnRoom());
        if (this.#answeredMeanwhile()) continue;
        const next = this.#nextWaiting();
        // Nothing may come between this look and `finally`: whoever comes later starts the engine anew.
        if (!next) break;
        await this.#room.log.append(
          { type: "user-message", content: next.content, queued: next.id },
          this.#room.start(),
          ...saidTo(next),
        );
      }
    } catch (error) {
      this.#failure = { error };
      throw error;
    } finally {
      this.#driving = undefined;
    }
  }

  /** Something that was answered while the step which asked for it was ending. */
  #answeredMeanwhile(): boolean {
    const { open, calls, status, limitAsked } = this.#state;
    if (status !== "running" || limitAsked) return false;
    const first = [...open].map((id) => calls.get(id)).find((known) => known?.asked ?? known?.question);
    if (!first) return open.size === 0;
    return (!first.asked || first.answered !== undefined) && (!first.question || first.reply !== undefined);
  }

  /** After a turn, the next message that waits opens one; after an interruption they wait on. */
  #nextWaiting(): QueuedMessage | undefined {
    const next = this.#state.queue.find(({ id }) => !this.#room.withdrawing.has(id));
    if (this.#state.status === "running" || this.#controller.signal.aborted) return undefined;
    const waitsOn = currentTurn(this.#state)?.stopped === "interrupted" && !this.#isCalled;
    this.#isCalled = false;
    return waitsOn ? undefined : next;
  }
}
