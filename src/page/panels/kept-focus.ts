/** Keeps keyboard focus at an answered card when its buttons disappear. */

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** The ref for the card's element. When the card closes, what stands in its place or its heading receives the focus. */
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
    current?.querySelector<HTMLElement>(".call-head, h2")?.focus({ preventScroll: true });
  }, [open]);
  return place;
}
