/** A modal dialog that must be answered or closed. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../icon.tsx";

type DialogProps = { title: string; children: ComponentChildren; onClose: () => void };

export function Dialog({ title, children, onClose }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  // Selecting text in a field may end with the mouse outside the dialog, which must not close it.
  const isPressedBeside = useRef(false);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = place.current;
    dialog?.showModal();
    if (!dialog?.querySelector("[autofocus]")) firstField(dialog)?.focus();
    return () => {
      dialog?.close(); // elements behind an open modal cannot take focus
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      class="dialog"
      ref={place}
      aria-label={title}
      onClose={() => place.current && onClose()}
      onPointerDown={({ target }) => (isPressedBeside.current = target === place.current)}
      onClick={({ target }) => {
        if (isPressedBeside.current && target === place.current) onClose();
      }}
    >
      <div class="dialog-content">
        <header class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

const firstField = (place: HTMLElement | null): HTMLElement | null | undefined =>
  place?.querySelector<HTMLElement>("input:checked") ??
  place?.querySelector<HTMLElement>("input, select, textarea");
