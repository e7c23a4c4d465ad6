/** Keyboard shortcuts that work anywhere in a session. */

import { useEffect, useRef } from "preact/hooks";

type SessionKeyActions = Readonly<Record<SessionKeyAction, () => void>>;
type SessionKeysState = { isRunning: boolean; isFinding: boolean; acts: SessionKeyActions };

export function useSessionKeys(keys: SessionKeysState): void {
  // Always the latest render's keys: a key may arrive before that render's effects have run.
  const drawn = useRef(keys);
  drawn.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector(covering)) return;
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

/** What is over the session: the key that closes it is for that alone. */
const covering = "dialog[open], [inert]";

type SessionKeyAction = "stop" | "find" | "close-find" | "review";
type SessionKeyPress = Pick<
  KeyboardEvent,
  "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing"
>;
/** `isElsewhere`: the focus is in an element that handles Escape itself. */
type SessionKeyContext = { isRunning: boolean; isFinding: boolean; isElsewhere: boolean };

export function keyMeaning(
  { key, ctrlKey, metaKey, altKey, shiftKey, isComposing }: SessionKeyPress,
  { isRunning, isFinding, isElsewhere }: SessionKeyContext,
): SessionKeyAction | undefined {
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
