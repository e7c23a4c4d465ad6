/** The core of this window: attached to a gateway that runs, or a child of our own; begun when asked, begun again when it died. */

import { errorMessage, type Expected } from "../../../../src/base/expected.ts";
import { t } from "../common/translate.ts";

/** What has a life of its own: `ended` resolves with the reason when it is over. */
type KeptCore = { ended: Promise<string>; stop: () => void };

type CoreKeeperContext<Kept> = {
  /** Attaches to a core, or starts one. */
  begin: () => Promise<Expected<Kept>>;
  /** A core has begun. */
  begun: (core: Kept) => void;
  /** This core has ended by itself, for this reason. */
  lost: (core: Kept, because: string) => void;
};

/** Cores that may die one soon after the other before it is left to the next request. */
const mostDeaths = 3;
/** A core that lived this long, in milliseconds, did not die of its start. */
const settledMs = 60_000;
/** How long a failed start is told again without another try, in milliseconds. */
const failedMs = 1_000;

export class CoreKeeper<Kept extends KeptCore> {
  readonly #context: CoreKeeperContext<Kept>;
  #running: Kept | undefined;
  #beginning: Promise<Kept> | undefined;
  #deaths = 0;
  #isOver = false;

  constructor(context: CoreKeeperContext<Kept>) {
    this.#context = context;
  }

  get running(): Kept | undefined {
    return this.#running;
  }

  /** Rejects with a sentence for people. */
  async core(): Promise<Kept> {
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

  async #begin(): Promise<Kept> {
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

  #take(core: Kept): Kept {
    if (this.#isOver) {
      core.stop();
      throw new Error(t("The window is closing."));
    }
    this.#running = core;
    this.#context.begun(core);
    void this.#watch(core);
    return core;
  }

  async #watch(core: Kept): Promise<void> {
    const begunAt = Date.now();
    const because = await core.ended;
    if (this.#running !== core) return;
    this.#context.lost(core, because);
    this.#replace(Date.now() - begunAt);
  }

  /** Who follows a session wants it to go on: a core that died is replaced unasked, a few times. */
  #replace(livedMs: number): void {
    this.#running = undefined;
    this.#deaths = livedMs > settledMs ? 1 : this.#deaths + 1;
    if (this.#deaths <= mostDeaths) this.core().catch(() => undefined); // told to whoever asks next
  }
}
