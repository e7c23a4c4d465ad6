/** A field for free text. */

import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";

export function WordsField({ label, words }: { label: string; words: Signal<string> }) {
  const field = useId();
  return (
    <>
      <label for={field}>{label}</label>
      <textarea
        id={field}
        class="field"
        dir="auto"
        rows={2}
        value={words.value}
        onInput={(event) => {
          words.value = event.currentTarget.value;
        }}
      />
    </>
  );
}
