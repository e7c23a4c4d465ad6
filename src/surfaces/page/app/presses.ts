/**
 * A press counts for what it began on: what is told and drawn meanwhile may move the page before the mouse is let go.
 */

/** What can be pressed. A browser would click what is around both ends of a press, which is nothing of these. */
const pressable = "button, a[href], summary, label, [role=option]";

/** As far as a hand that clicks may shake, in pixels. Who goes farther has thought better of it. */
const shaking = 4;

/** For as long as the page is there. */
export function keepPresses(): void {
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
