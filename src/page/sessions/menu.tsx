/** A small menu behind a button: arrow keys move through it; Escape or moving elsewhere closes it. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "../icon.tsx";

export type MenuItem = { label: string; icon: IconName; isDangerous?: true; run: () => void };

export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const { isOpen, place, button, toggle, close, left, pressed } = useMenu();
  return (
    <div class="menu" ref={place} onKeyDown={isOpen ? pressed : undefined} onFocusOut={left}>
      <button
        type="button"
        class="icon-button"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={toggle}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <div class="menu-items" role="menu" aria-label={label}>
          {items.map(({ label, icon, isDangerous, run }) => (
            <button
              type="button"
              role="menuitem"
              key={label}
              class={`menu-item ${isDangerous ? "danger" : ""}`}
              onClick={() => {
                close();
                run();
              }}
            >
              <Icon name={icon} />
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function useMenu() {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const items = (): HTMLElement[] => [
    ...(place.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? []),
  ];
  useEffect(() => {
    if (!isOpen) return undefined;
    items()[0]?.focus();
    const outside = ({ target }: Event): void => {
      if (target instanceof Node && !place.current?.contains(target)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  // In browsers that do not focus buttons, pressing a menu item moves the focus nowhere, which must not close the menu.
  const left = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Node && !place.current?.contains(relatedTarget)) setOpen(false);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    all[(at + step + all.length) % all.length]?.focus();
  };
  return { isOpen, place, button, toggle: () => setOpen(!isOpen), close, left, pressed };
}
