/** The in-process engine: runs steps until nothing is left to do here, then opens turns for queued messages. */

import { finishInterrupted } from "../agent/finish.ts";
import { Interruption, type Stopper } from "../agent/interruption.ts";
import { advance } from "../agent/loop.ts";
import type { TurnContext } from "../agent/turn-context.ts";
import {
  currentTurn,
  type QueuedMessage,
  saidTo,
  type SessionState,
  takenMessage,
} from "../protocol/session-state.ts";
import type { SessionCore } from "./session-core.ts";

/** "wait" means that every call that could run has run, and a person has been asked. */
async function drive(context: () => TurnContext, core: SessionCore): Promise<"wait" | "done"> {
  for (;;) {
    const next = await advance(context()); // rebuilt per step: the tools may have changed
    await core.keepWork();
    if (next !== "continue") return next;
  }
}

export class Engine {
  readonly #core: SessionCore;
  #controller = new AbortController();
  #driving: Promise<void> | undefined;
  /** Why the engine stopped; the log must be repaired before it runs again. */
  #failure: { error: unknown } | undefined;
  /** A message arrived since the last turn ended, so queued messages start even after an interruption. */
  #isCalled = false;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  get isRunning(): boolean {
    return this.#driving !== undefined;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Repairs the log after a crash or a failure. */
  async recover(): Promise<void> {
    await this.#core.recover();
    this.#failure = undefined;
  }

  /** Builds what the next step may reach. */
  turnContext(): TurnContext {
    return this.#core.turnContext(this.#controller.signal);
  }

  /** Resolves when nothing runs: the turn is over, or it waits for a person. Rejects when the log failed. */
  async idle(): Promise<void> {
    while (this.#driving) await this.#driving;
    if (this.#failure) throw this.#failure.error;
  }

  /** Starts the engine unless it is running. Failures surface through `idle`. */
  run(first?: () => Promise<unknown>): void {
    if (this.#driving) return;
    this.#driving = this.#run(first);
    this.#driving.catch(() => undefined);
  }

  /** Starts the engine for a message that arrived after the turn ended, so it does not stay queued. */
  call(): void {
    this.#isCalled = true;
    this.run();
  }

  /** Ends the turn at whatever point it has reached and leaves the log whole. */
  async interrupt(stopper: Stopper): Promise<void> {
    this.#controller.abort(new Interruption(stopper));
    try {
      await this.#driving?.catch(() => this.recover());
      if (this.#state.status === "running") await finishInterrupted(this.turnContext());
    } finally {
      this.#controller = new AbortController();
    }
  }

  get #state(): SessionState {
    return this.#core.log.state;
  }

  async #run(first?: () => Promise<unknown>): Promise<void> {
    try {
      await first?.();
      for (;;) {
        await drive(() => this.turnContext(), this.#core);
        if (this.#answeredMeanwhile()) continue;
        const next = this.#nextWaiting();
        // No `await` may come between this check and `finally`: later callers start the engine anew.
        if (!next) break;
        await this.#core.log.append(
          { type: "user-message", ...takenMessage(next) },
          ...this.#core.turnStart(),
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

  /** Whether the answer arrived while the step that asked for it was still ending. */
  #answeredMeanwhile(): boolean {
    const { open, calls, status, limitAsked } = this.#state;
    if (status !== "running" || limitAsked) return false;
    const first = [...open].map((id) => calls.get(id)).find((known) => known?.asked ?? known?.question);
    if (!first) return open.size === 0;
    return (!first.asked || first.answered !== undefined) && (!first.question || first.reply !== undefined);
  }

  /** After a finished turn the next queued message opens one; after an interruption the queue stays put. */
  #nextWaiting(): QueuedMessage | undefined {
    const next = this.#state.queue.find(({ id }) => !this.#core.withdrawing.has(id));
    if (this.#state.status === "running" || this.#controller.signal.aborted) return undefined;
    const waitsOn = currentTurn(this.#state)?.stopped === "interrupted" && !this.#isCalled;
    this.#isCalled = false;
    return waitsOn ? undefined : next;
  }
}
