/** Keyboard shortcuts that work anywhere on the page. */

import { useEffect } from "preact/hooks";
import type { App } from "./app-state.ts";

type PageKeyActions = { app: App; search: () => void; help: () => void };

export function usePageKeys({ app, search, help }: PageKeyActions): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (act(event, { app, search, help })) event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [app]);
}

function act(
  { key, ctrlKey, metaKey, altKey, target }: KeyboardEvent,
  { app, search, help }: PageKeyActions,
): boolean {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") return did(search);
  if (altKey && key.toLowerCase() === "n") return did(() => app.go({ type: "start" }));
  if (altKey && (key === "ArrowUp" || key === "ArrowDown"))
    return did(() => neighbour(app, key === "ArrowUp" ? -1 : 1));
  if (isWriting(target) || ctrlKey || metaKey || altKey) return false;
  if (key === "?") return did(help);
  if (key === "/") return did(() => document.querySelector<HTMLElement>(".composer-text")?.focus());
  return false;
}

function did(run: () => void): true {
  run();
  return true;
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

/** Opens a neighbouring session, in the order of the list. */
function neighbour(app: App, step: number): void {
  const ids = [...document.querySelectorAll<HTMLElement>("[data-session]")].map(
    ({ dataset }) => dataset["session"] ?? "",
  );
  const at = ids.indexOf(app.shown.value?.id ?? "");
  const next = ids[at === -1 ? 0 : at + step];
  if (next !== undefined) app.go({ type: "session", id: next });
}
