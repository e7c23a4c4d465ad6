/** The core of this window: attached to a gateway that runs, or a child of our own; begun when asked, begun again when it died. */

import { errorMessage, type Expected } from "../../../../src/base/expected.ts";
import type { CoreEndpoint } from "./core-process.ts";

type CoreKeeperContext = {
  /** Attaches to a core, or starts one. */
  begin: () => Promise<Expected<CoreEndpoint>>;
  /** A core has begun. */
  begun: (endpoint: CoreEndpoint) => void;
  /** The core has ended by itself, for this reason. */
  lost: (because: string) => void;
};

/** Cores that may die one soon after the other before it is left to the next request. */
const mostDeaths = 3;
/** A core that lived this long, in milliseconds, did not die of its start. */
const settledMs = 60_000;
/** How long a failed start is told again without another try, in milliseconds. */
const failedMs = 1_000;

export class CoreKeeper {
  readonly #context: CoreKeeperContext;
  #running: CoreEndpoint | undefined;
  #beginning: Promise<CoreEndpoint> | undefined;
  #deaths = 0;
  #isOver = false;

  constructor(context: CoreKeeperContext) {
    this.#context = context;
  }

  get running(): CoreEndpoint | undefined {
    return this.#running;
  }

  /** Rejects with a sentence for people. */
  async endpoint(): Promise<CoreEndpoint> {
    return this.#running ?? (await (this.#beginning ??= this.#begin()));
  }

  /** Ends the core, if it is ours; the next request begins another one. */
  stop(): void {
    const running = this.#running;
    this.#running = undefined;
    running?.stop();
  }

  /** Ends the core for good. */
  close(): void {
    this.#isOver = true;
    this.stop();
  }

  async #begin(): Promise<CoreEndpoint> {
    const begun = await this.#context.begin().catch((error: unknown) => ({
      ok: false as const,
      problem: errorMessage(error),
    }));
    if (!begun.ok) {
      setTimeout(() => (this.#beginning = undefined), failedMs).unref?.();
      throw new Error(begun.problem);
    }
    this.#beginning = undefined;
    return this.#take(begun.value);
  }

  #take(endpoint: CoreEndpoint): CoreEndpoint {
    if (this.#isOver) {
      endpoint.stop();
      throw new Error("The window is closing.");
    }
    this.#running = endpoint;
    this.#context.begun(endpoint);
    const begunAt = Date.now();
    void endpoint.ended.then((because) => {
      if (this.#running === endpoint) this.#lost(because, Date.now() - begunAt);
    });
    return endpoint;
  }

  /** Who follows a session wants it to go on: a core that died is replaced unasked, a few times. */
  #lost(because: string, livedMs: number): void {
    this.#running = undefined;
    this.#deaths = livedMs > settledMs ? 1 : this.#deaths + 1;
    this.#context.lost(because);
    if (this.#deaths <= mostDeaths) this.endpoint().catch(() => undefined); // told to whoever asks next
  }
}
