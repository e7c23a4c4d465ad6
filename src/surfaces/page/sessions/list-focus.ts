/** Keeps the keyboard in the list of sessions when the row it is in moves or goes. */

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** `order`: differs whenever the rows or their order do. */
export function useListFocus(list: RefObject<HTMLElement | null>, order: string): void {
  const held = useRef<{ id: string | undefined; at: number }>(undefined);
  const rows = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>("[data-session]") ?? []),
  ];
  useEffect(() => {
    const look = ({ target }: Event): void => {
      const all = rows();
      const at = all.findIndex((row) => target instanceof Node && row.contains(target));
      held.current = at === -1 ? undefined : { id: all[at]?.dataset["session"], at };
    };
    // A press beside the list leaves it, too, also where nothing takes the focus.
    const events = ["focusin", "pointerdown"] as const;
    for (const name of events) document.addEventListener(name, look);
    return () => {
      for (const name of events) document.removeEventListener(name, look);
    };
  }, []);
  useLayoutEffect(() => {
    if (!held.current || document.activeElement !== document.body) return;
    const { id, at } = held.current;
    const all = rows();
    const row = all.find(({ dataset }) => dataset["session"] === id) ?? all[Math.min(at, all.length - 1)];
    (row ?? list.current)?.querySelector<HTMLElement>("a")?.focus();
  }, [order]);
}
