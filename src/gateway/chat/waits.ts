/**
 * Time limits of questions in the chat protocol: the time runs from when a question is first shown, while any
 * connection shows it.
 */

export type TimerClock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void;
};

export const systemClock: TimerClock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** `leave`: this connection no longer shows the question; when the last one leaves, the timer stops. */
export type QuestionWait = { timeoutMs: number; expiresAt: number; leave(): void };

export type QuestionWaits = {
  /** `expire` is called once, on the connection that has shown the question longest. */
  show(key: string, expire: () => void): QuestionWait;
};

type RunningWait = { expiresAt: number; viewers: Set<() => void>; callOff: () => void };

/** Shared by all connections: a question shown on two of them has one timer and one answer. */
export function openWaits(ms: number, clock: TimerClock): QuestionWaits {
  const waits = new Map<string, RunningWait>();
  function begin(key: string): RunningWait {
    const viewers = new Set<() => void>();
    const callOff = clock.after(ms, () => {
      const [first] = viewers;
      first?.();
    });
    const wait = { expiresAt: clock.now() + ms, viewers, callOff };
    waits.set(key, wait);
    return wait;
  }
  return {
    show(key, expire) {
      const wait = waits.get(key) ?? begin(key);
      const viewer = () => expire();
      wait.viewers.add(viewer);
      return {
        timeoutMs: Math.max(0, wait.expiresAt - clock.now()),
        expiresAt: wait.expiresAt,
        leave() {
          wait.viewers.delete(viewer);
          if (wait.viewers.size > 0 || waits.get(key) !== wait) return;
          wait.callOff();
          waits.delete(key);
        },
      };
    },
  };
}
