/** A window over the page that has to be answered or closed. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../icon.tsx";

type Props = { title: string; children: ComponentChildren; onClose: () => void };

export function Dialog({ title, children, onClose }: Props) {
  const place = useRef<HTMLDialogElement>(null);
  // Whoever marks words in a field may let the mouse go beside the window.
  const isPressedBeside = useRef(false);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = place.current;
    dialog?.showModal();
    if (!dialog?.querySelector("[autofocus]")) firstField(dialog)?.focus();
    return () => {
      dialog?.close(); // what lies behind a window takes no focus while that is open
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
