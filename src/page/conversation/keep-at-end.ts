/** Keeps a scrolled container at its end, but only while the reader is there. */

import type { RefObject } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

type ScrollEnd = {
  isAtEnd: boolean;
  /** New content has arrived since the reader left the end. */
  isNew: boolean;
  toEnd: () => void;
};

/** A distance from the end, in pixels, that still counts as being there. */
const near = 60;

/** Dispatched by an element that unfolds later than the click on it. */
export const unfolds = "unfolds";

/** Milliseconds after a click or an `unfolds` event in which growth is attributed to it. */
const justNowMs = 600;

const distance = (place: HTMLElement): number => place.scrollHeight - place.scrollTop - place.clientHeight;

type ElementRef = RefObject<HTMLElement | null>;

/** `last`: what stands at the end, another object when that has changed. Earlier parts and a new width are not news. */
export function useEnd(place: ElementRef, content: ElementRef, last: () => unknown): ScrollEnd {
  const [isAtEnd, setAtEnd] = useState(true);
  const [isNew, setNew] = useState(false);
  const follow = useRef<() => void>(undefined);
  useEffect(() => {
    const [scroller, inner] = [place.current, content.current];
    if (!scroller || !inner) return undefined;
    let follows = true;
    let seen = last();
    let top = scroller.scrollTop;
    const set = (next: boolean): void => {
      if (follows && !next) seen = last();
      follows = next;
      setAtEnd(next);
      if (next) setNew(false);
    };
    // At once: by the time of the scroll event the end may be further on.
    follow.current = () => {
      set(true);
      scroller.scrollTo({ top: scroller.scrollHeight });
    };
    const unfolding = watchUnfolding(inner);
    const grown = (): void => {
      const isAllShown = scroller.scrollHeight <= scroller.clientHeight;
      if (isAllShown && !follows) set(true);
      else if (follows && unfolding.isUnfolded()) set(distance(scroller) < near);
      else if (follows) scroller.scrollTop = scroller.scrollHeight;
      else if (last() !== seen) setNew(true);
      top = scroller.scrollTop;
    };
    // Told of our own scrolling a frame later, when more may have arrived: only who scrolls up has left the end.
    const scrolled = (): void => {
      const isBack = scroller.scrollTop < top;
      top = scroller.scrollTop;
      if (isBack || !follows) set(distance(scroller) < near);
    };
    // Scrolling up takes precedence over content that arrives at the same time.
    const turned = ({ deltaY }: WheelEvent): void => {
      if (deltaY < 0 && scroller.scrollHeight > scroller.clientHeight) set(false);
    };
    const observer = new ResizeObserver(grown);
    observer.observe(inner);
    observer.observe(scroller);
    scroller.addEventListener("scroll", scrolled, { passive: true });
    scroller.addEventListener("wheel", turned, { passive: true });
    grown();
    return () => {
      observer.disconnect();
      scroller.removeEventListener("scroll", scrolled);
      scroller.removeEventListener("wheel", turned);
      unfolding.leave();
    };
  }, []);
  const toEnd = useCallback(() => follow.current?.(), []);
  return { isAtEnd, isNew, toEnd };
}

/** What the reader has just unfolded must stay in place. */
function watchUnfolding(inner: HTMLElement): { isUnfolded: () => boolean; leave: () => void } {
  let touched: { block: Element; height: number; at: number } | undefined;
  const touch = ({ target }: Event): void => {
    const block = target instanceof Element ? target.closest(".block") : null;
    touched = block ? { block, height: block.clientHeight, at: performance.now() } : undefined;
  };
  inner.addEventListener("click", touch, { capture: true });
  inner.addEventListener(unfolds, touch);
  return {
    isUnfolded: () =>
      touched !== undefined &&
      performance.now() - touched.at < justNowMs &&
      touched.block.isConnected &&
      touched.block.clientHeight > touched.height,
    leave() {
      inner.removeEventListener("click", touch, { capture: true });
      inner.removeEventListener(unfolds, touch);
    },
  };
}
