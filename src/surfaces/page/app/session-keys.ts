/** Keys that work anywhere in a session. */

import { useEffect, useRef } from "preact/hooks";

type Acts = Readonly<Record<Meaning, () => void>>;
type Keys = { isRunning: boolean; isFinding: boolean; acts: Acts };

export function useSessionKeys(keys: Keys): void {
  // As it was drawn last: a key may come before the effects of that have run.
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
/** `isElsewhere`: in something that Escape leaves by itself. */
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

/** Escape closes or leaves there what it is in. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(".side, .find-bar, .menu, [data-question=open]") !== null;
