/**
 * Keeps the page from taking the focus while the user is elsewhere: in an editor's view that would take it from the text
 * being written.
 */

/** The element that last wanted the focus gets it when the user comes. */
export function keepFocusQuiet(): void {
  const take: unknown = Reflect.get(HTMLElement.prototype, "focus");
  if (typeof take !== "function") return;
  let wanted: HTMLElement | undefined;
  const focus = new Proxy(take, {
    apply(_, element: unknown, given) {
      if (document.hasFocus()) Reflect.apply(take, element, given);
      else if (element instanceof HTMLElement) wanted = element;
    },
  });
  Object.defineProperty(HTMLElement.prototype, "focus", { value: focus, writable: true, configurable: true });
  addEventListener("focus", () => {
    if (wanted?.isConnected) Reflect.apply(take, wanted, [{ preventScroll: true }]);
    wanted = undefined;
  });
}
