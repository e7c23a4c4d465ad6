/** A window over the page that has to be answered or closed. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../icon.tsx";

type Props = { title: string; children: ComponentChildren; onClose: () => void };

export function Dialog({ title, children, onClose }: Props) {
  const place = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    place.current?.showModal();
    if (!place.current?.querySelector("[autofocus]")) firstField(place.current)?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      class="dialog"
      ref={place}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === place.current) onClose();
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
