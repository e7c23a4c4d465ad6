/** Moves keyboard focus into an opened element and restores it afterwards. */

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Focuses the opened element before the browser blurs what is behind it, and restores the focus on close. */
export function useFocusWithin(place: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    const opened = place.current;
    if (!isOpen || !opened) return undefined;
    const before = document.activeElement;
    opened.querySelector<HTMLElement>("button, a[href], input")?.focus();
    return () => {
      const isStillThere =
        opened.contains(document.activeElement) || document.activeElement === document.body;
      // What was behind takes the focus once it is no longer inert.
      queueMicrotask(() => {
        if (isStillThere && before instanceof HTMLElement && before.isConnected) before.focus();
      });
    };
  }, [isOpen]);
}
