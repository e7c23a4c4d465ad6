/**
 * When a frame is painted: for a key at once, else at most 30 times a second, and less often if frames are slow. Never
 * while the terminal is being resized: what is painted for a size that it no longer has would leave copies of rows.
 */

export type FrameTimer = {
  /** Milliseconds. */
  now(): number;
  /** Calls `then` after that many milliseconds, unless the returned function is called before. */
  after(ms: number, then: () => void): () => void;
};

export const systemTimer: FrameTimer = {
  now: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

const frameMs = 33;
/** While something goes on, its time and its sign do, too. */
const tickMs = 200;
/** A frame that takes long is followed by a pause of so many times its duration. */
const pauses = 4;
/** How long a terminal has to keep a size. tmux wraps its rows at each step, but tells its programs every 250 ms. */
const settleMs = 300;

export class FrameClock {
  readonly #timer: FrameTimer;
  readonly #paint: () => boolean;
  #leaveTick: (() => void) | undefined;
  #leaveTimer: (() => void) | undefined;
  /** When the next frame may come. */
  #next = 0;
  /** Until when the terminal may be resized further. */
  #settled = 0;
  #isStopped = false;

  /** `paint` returns whether something goes on by itself, so that there is a next frame soon. */
  constructor(timer: FrameTimer, paint: () => boolean) {
    this.#timer = timer;
    this.#paint = paint;
  }

  /** Something has changed that may be shown with the next frame. */
  request(): void {
    if (this.#leaveTimer || this.#isStopped) return;
    const wait = Math.max(0, this.#next - this.#timer.now());
    this.#leaveTimer = this.#timer.after(wait, () => this.now());
  }

  /** Paints at once: a person waits for it. */
  now(): void {
    this.#leave();
    if (this.#isStopped) return;
    const begun = this.#timer.now();
    if (begun < this.#settled) return this.request();
    const goesOn = this.#paint();
    if (goesOn) this.#leaveTick = this.#timer.after(tickMs, () => this.now());
    const ended = this.#timer.now();
    this.#next = ended + Math.max(frameMs, (ended - begun) * pauses);
  }

  /** The terminal has another size: the next frame comes when it has settled. */
  settle(): void {
    this.#settled = this.#timer.now() + settleMs;
    this.#next = this.#settled;
    this.#leaveTimer?.();
    this.#leaveTimer = undefined;
    this.request();
  }

  /** No frame comes until `goOn`. */
  stop(): void {
    this.#isStopped = true;
    this.#leave();
  }

  goOn(): void {
    this.#isStopped = false;
    this.now();
  }

  #leave(): void {
    this.#leaveTick?.();
    this.#leaveTimer?.();
    this.#leaveTick = undefined;
    this.#leaveTimer = undefined;
  }
}
