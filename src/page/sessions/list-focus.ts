/** Keeps keyboard focus in the session list when the focused row moves or disappears. */

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** `order`: changes whenever the rows or their order do. */
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
    // A press outside the list also leaves it, even where nothing takes the focus.
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
