/** Fits a field's height to its content, also when its width shrinks. */

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";

export function useFittingHeight(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  placeholder: string,
): void {
  useLayoutEffect(() => fit(field.current), [text, placeholder]);
  useEffect(() => {
    const place = field.current;
    if (!place) return undefined;
    let width = place.clientWidth;
    const observer = new ResizeObserver(() => {
      if (place.clientWidth === width) return;
      width = place.clientWidth;
      fit(place);
    });
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
}

function fit(place: HTMLTextAreaElement | null): void {
  if (!place) return;
  place.style.height = "auto";
  place.style.height = `${place.scrollHeight}px`;
}
