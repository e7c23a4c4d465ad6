/** Focuses a form that opens in a card, and scrolls it fully into view. */

import { useLayoutEffect } from "preact/hooks";

type FormField = { current: HTMLInputElement | HTMLTextAreaElement | null };

/** Synchronous, so that a key pressed before the next frame already goes to this form. */
export function useOpenedForm(field: FormField): void {
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.form?.scrollIntoView({ block: "nearest" });
  }, []);
}
