/** Watches for silent turns: after each period without events, checks whether a program still works on the turn. */

import type { TimerClock } from "./waits.ts";

export type Silence = {
  /** An event arrived; `isOver`: no further events are expected. */
  heard(isOver: boolean): void;
  stop(): void;
};

/** Silence of a turn streamed over the chat protocol, in milliseconds. */
const most = 30_000;

/** `look` is called after each such period of silence. */
export function openSilence(clock: TimerClock, look: () => void): Silence {
  let lastHeard = clock.now();
  let callOff: (() => void) | undefined;
  const stop = (): void => {
    callOff?.();
    callOff = undefined;
  };
  /** One timer serves many events: when it fires, it compares the clock with the latest event. */
  const wait = (ms: number): void => {
    callOff = clock.after(ms, () => {
      const left = lastHeard + most - clock.now();
      if (left <= 0) look();
      wait(left > 0 ? left : most);
    });
  };
  return {
    heard(isOver) {
      lastHeard = clock.now();
      if (isOver) stop();
      else if (!callOff) wait(most);
    },
    stop,
  };
}
