/** Work that no result waits for: it is done when the program is likely to wait itself, or when somebody needs it. */

export type LaterWork = {
  /** Takes what is to be done; what waited until then is done first. */
  later(this: void, work: () => Promise<void>): void;
  /** Once nothing is left to be done; never rejects. */
  settle(this: void): Promise<void>;
};

/** Milliseconds in which a result is stored and sent: starting a process holds the whole program up. */
const quietMs = 50;

export function laterWork(): LaterWork {
  let waiting: (() => Promise<void>) | undefined;
  let working: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const settle = (): Promise<void> => {
    clearTimeout(timer);
    const work = waiting;
    waiting = undefined;
    if (work) working = working.then(work).catch(() => undefined);
    return working;
  };
  const later = (work: () => Promise<void>): void => {
    void settle();
    waiting = work;
    timer = setTimeout(() => void settle(), quietMs).unref();
  };
  return { later, settle };
}
