/** A form that opens in a card takes the focus, and is in sight whole. */

import { useLayoutEffect } from "preact/hooks";

type Field = { current: HTMLInputElement | HTMLTextAreaElement | null };

/** At once: a key that comes before the next frame is for this form. */
export function useOpenedForm(field: Field): void {
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.form?.scrollIntoView({ block: "nearest" });
  }, []);
}
