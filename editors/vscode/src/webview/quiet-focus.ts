/**
 * Keeps the page from taking the focus while the user is elsewhere: in an editor's view that would take it from the text
 * being written.
 */

export function keepFocusQuiet(): void {
  let wanted: HTMLElement | undefined;
  const take = HTMLElement.prototype.focus;
  HTMLElement.prototype.focus = function focus(this: HTMLElement, options?: FocusOptions): void {
    if (document.hasFocus()) take.call(this, options);
    else wanted = this;
  };
  addEventListener("focus", () => {
    const element = wanted;
    wanted = undefined;
    if (element?.isConnected) take.call(element, { preventScroll: true });
  });
}
