/** Whoever answers a card by keyboard stays at that card when its buttons go. */

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** For the card's element; what it is folded to, or its heading, gets the focus when it is not open any more. */
export function useKeptFocus(open: boolean): { current: HTMLElement | null } {
  const place = useRef<HTMLElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    const look = ({ target }: FocusEvent): void => {
      wasInside.current = target instanceof Node && place.current?.contains(target) === true;
    };
    document.addEventListener("focusin", look);
    return () => document.removeEventListener("focusin", look);
  }, []);
  useLayoutEffect(() => {
    const { current } = place;
    if (open || !wasInside.current || current?.contains(document.activeElement)) return;
    current?.querySelector<HTMLElement>("summary, h2")?.focus({ preventScroll: true });
  }, [open]);
  return place;
}
