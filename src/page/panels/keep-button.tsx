/** The button for keeping changes, which needs a second press because keeping cannot be undone. */

import { useSignal } from "@preact/signals";

type KeepButtonProps = { label: string; says: string; busy: boolean; keep: () => void };

export function KeepButton({ label, says, busy, keep }: KeepButtonProps) {
  const isAsked = useSignal(false);
  if (!isAsked.value)
    return (
      <button type="button" class="button" disabled={busy} onClick={() => (isAsked.value = true)}>
        {label}…
      </button>
    );
  return (
    <span class="changes-sure" role="group" aria-label={label}>
      <span>{says}</span>
      <button
        type="button"
        class="button primary"
        disabled={busy}
        ref={(button) => button?.focus()}
        onClick={() => {
          isAsked.value = false;
          keep();
        }}
      >
        {label} for good
      </button>
      <button type="button" class="button quiet" onClick={() => (isAsked.value = false)}>
        Back
      </button>
    </span>
  );
}
