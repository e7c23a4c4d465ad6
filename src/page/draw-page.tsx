/** Draws the page: the part of its start that browsers and editors share. */

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/page.css";
import { render } from "preact";
import type { App } from "./app/app-state.ts";
import { Page } from "./app/page.tsx";

export function drawPage(app: App, place: HTMLElement): void {
  keepPresses();
  render(<Page app={app} />, place);
}

/**
 * Clickable elements. If the page moves during a press, the browser clicks a common ancestor, which is none of these.
 */
const pressable = "button, a[href], summary, label, [role=option]";

/** Pointer movement in pixels that still counts as a click; moving farther cancels it. */
const shaking = 4;

/** Active for the lifetime of the page. */
function keepPresses(): void {
  let pressed: { control: HTMLElement; x: number; y: number } | undefined;
  addEventListener(
    "pointerdown",
    ({ target, clientX: x, clientY: y }) => {
      const control = target instanceof Element ? target.closest<HTMLElement>(pressable) : null;
      pressed = control ? { control, x, y } : undefined;
    },
    { capture: true },
  );
  addEventListener(
    "click",
    (event) => {
      const press = pressed;
      pressed = undefined;
      if (!press || !event.isTrusted || event.detail === 0) return;
      const { control, x, y } = press;
      const isThere = event.target instanceof Node && control.contains(event.target);
      if (isThere || Math.hypot(event.clientX - x, event.clientY - y) > shaking) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      control.click();
    },
    { capture: true },
  );
}
