/** Keyboard shortcuts that work anywhere in a session. */

import { useEffect, useRef } from "preact/hooks";

type Acts = Readonly<Record<Meaning, () => void>>;
type Keys = { isRunning: boolean; isFinding: boolean; acts: Acts };

export function useSessionKeys(keys: Keys): void {
  // Always the latest render's keys: a key may arrive before that render's effects have run.
  const drawn = useRef(keys);
  drawn.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const { isRunning, isFinding, acts } = drawn.current;
      const meaning = keyMeaning(event, { isRunning, isFinding, isElsewhere: isElsewhere(event.target) });
      if (meaning === undefined) return;
      acts[meaning]();
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

type Meaning = "stop" | "find" | "close-find" | "review";
type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing">;
/** `isElsewhere`: the focus is in an element that handles Escape itself. */
type Standing = { isRunning: boolean; isFinding: boolean; isElsewhere: boolean };

export function keyMeaning(
  { key, ctrlKey, metaKey, altKey, shiftKey, isComposing }: Pressed,
  { isRunning, isFinding, isElsewhere }: Standing,
): Meaning | undefined {
  if (isComposing) return undefined;
  const isCommand = (ctrlKey || metaKey) && !altKey;
  if (key === "Escape" && !isElsewhere) return isFinding ? "close-find" : isRunning ? "stop" : undefined;
  if (isCommand && !shiftKey && key.toLowerCase() === "f") return "find";
  if (isCommand && shiftKey && key.toLowerCase() === "e") return "review";
  return undefined;
}

/** Elements in which Escape closes or leaves the element itself. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(".side, .find-bar, .menu, [data-question=open]") !== null;
