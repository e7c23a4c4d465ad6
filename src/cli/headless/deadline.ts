/** The time that a headless run may take (`--timeout`): it is interrupted then, and left if that does not end it. */

/** How long an interrupted run may take to end. */
const graceMs = 5_000;

export class Deadline {
  #passed = false;
  #timer: NodeJS.Timeout | undefined;
  #interrupt: (() => void) | undefined;

  /** Begins now; without `ms` it never passes. `leave` ends the program at once. */
  constructor(ms: number | undefined, leave: () => void) {
    if (ms === undefined) return;
    this.#timer = setTimeout(() => {
      this.#passed = true;
      if (!this.#interrupt) return leave();
      this.#timer = setTimeout(leave, graceMs);
      this.#interrupt();
    }, ms);
  }

  get passed(): boolean {
    return this.#passed;
  }

  /** There is something to interrupt from now on. */
  interrupts(interrupt: () => void): void {
    this.#interrupt = interrupt;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
