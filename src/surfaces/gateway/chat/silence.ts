/** A turn that nothing is heard of: now and then it is looked whether anybody works on it still. */

import { bounds } from "../../../base/bounds.ts";
import type { Clock } from "./waits.ts";

export type Silence = {
  /** Something was heard; `isOver`: there is nothing more to wait for. */
  heard(isOver: boolean): void;
  stop(): void;
};

const most = bounds.gateway.chatSilence.most;

/** `look`: called after each so long a silence. */
export function openSilence(clock: Clock, look: () => void): Silence {
  let lastHeard = clock.now();
  let callOff: (() => void) | undefined;
  const stop = (): void => {
    callOff?.();
    callOff = undefined;
  };
  /** One timer for many events: it looks at the clock when its time comes. */
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
