/** Where the keyboard is while something is open, and afterwards. */

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * What was opened takes the focus, before the browser takes it from what is behind, and gives it back when it closes.
 */
export function useFocusWithin(place: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    const opened = place.current;
    if (!isOpen || !opened) return undefined;
    const before = document.activeElement;
    opened.querySelector<HTMLElement>("button, a[href], input")?.focus();
    return () => {
      const isStillThere =
        opened.contains(document.activeElement) || document.activeElement === document.body;
      if (isStillThere && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isOpen]);
}
