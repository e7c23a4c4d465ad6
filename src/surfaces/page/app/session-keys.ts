/** Keys that work anywhere in a session. */
import { useEffect } from "preact/hooks";

type Keys = { isRunning: boolean; stop: () => void; find: () => void; review: () => void };

export function useSessionKeys({ isRunning, stop, find, review }: Keys): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      const isCommand = (ctrlKey || metaKey) && !altKey;
      if (key === "Escape" && isRunning && !isElsewhere(event.target)) stop();
      else if (isCommand && !shiftKey && key.toLowerCase() === "f") find();
      else if (isCommand && shiftKey && key.toLowerCase() === "e") review();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [isRunning, stop, find, review]);
}

/** Escape closes or leaves there what it is in. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(".side, .find-bar, .menu, [data-question=open]") !== null;
