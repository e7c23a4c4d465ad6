/**
 * How long questions wait over the chat protocol: from when one is first shown for as long as a connection shows it.
 */

export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Returns what calls it off. */
  after(ms: number, run: () => void): () => void;
};

export const systemClock: Clock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** `leave`: this connection shows it no more; with the last one the time stops. */
export type Shown = { timeoutMs: number; expiresAt: number; leave(): void };

export type Waits = {
  /** `expire`: called once, of the connection that has shown it the longest. */
  show(key: string, expire: () => void): Shown;
};

type Wait = { expiresAt: number; viewers: Set<() => void>; callOff: () => void };

/** Shared by all connections: a question that two of them show is answered for both, and its time runs once. */
export function openWaits(ms: number, clock: Clock): Waits {
  const waits = new Map<string, Wait>();
  function begin(key: string): Wait {
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
