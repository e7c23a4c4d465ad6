/** Actions on a whole session: rename, fork, export, delete. */

import { useState, useEffect, useRef } from "preact/hooks";
import { visibleLine } from "../../base/visible-text.ts";
import { includes } from "../../protocol/rights.ts";
import type { SessionValue } from "../../remote/api-values.ts";
import type { App } from "../app/app-state.ts";
import { Icon, type IconName } from "../icon.tsx";
import { Dialog } from "./dialog.tsx";
import { ShareDialog } from "./share-dialog.tsx";

/** `access`: of a person; without it there are no people, and nobody to share with. */
type SessionActionsProps = { app: App; session: Pick<SessionValue, "id" | "title" | "access"> };

/** `more`: further actions available here. */
export function SessionActions({
  app,
  session,
  more = [],
}: SessionActionsProps & { more?: readonly MenuItem[] }) {
  const [asked, setAsked] = useState<"rename" | "share" | "delete">();
  const title = sessionTitle(session);
  const mayShare = session.access !== undefined && includes(session.access, "work");
  const fork = async (): Promise<void> => {
    const forked = await app.gateway.client.fork(session.id);
    if (forked.ok) app.go({ type: "session", id: forked.value.id });
    else app.notify(`It could not be copied: ${forked.problem}`);
  };
  const download = async (): Promise<void> => {
    const saved = await app.gateway.client.download(session.id);
    if (!saved.ok) app.notify(`It could not be saved: ${saved.problem}`);
  };
  return (
    <>
      <Menu
        label={`Actions for ${title}`}
        items={[
          ...more,
          { label: "Rename", icon: "pen", run: () => setAsked("rename") },
          ...(mayShare ? [{ label: "Share…", icon: "share" as const, run: () => setAsked("share") }] : []),
          { label: "Continue in a copy", icon: "fork", run: () => void fork() },
          { label: "Save as a file", icon: "download", run: () => void download() },
          { label: "Delete", icon: "trash", isDangerous: true, run: () => setAsked("delete") },
        ]}
      />
      {asked === "rename" && <Rename app={app} session={session} onClose={() => setAsked(undefined)} />}
      {asked === "share" && (
        <ShareDialog app={app} session={session.id} onClose={() => setAsked(undefined)} />
      )}
      {asked === "delete" && <Delete app={app} session={session} onClose={() => setAsked(undefined)} />}
    </>
  );
}

export const sessionTitle = ({ title }: { title: string }): string =>
  title.trim() === "" ? "New session" : visibleLine(title);

function Rename({ app, session, onClose }: SessionActionsProps & { onClose: () => void }) {
  const [title, setTitle] = useState(session.title);
  const [problem, setProblem] = useState("");
  const rename = async (): Promise<void> => {
    const outcome = await app.gateway.askOf(session.id)({ type: "rename", title });
    if (outcome.ok) onClose();
    else setProblem(outcome.problem);
  };
  return (
    <Dialog title="Rename the session" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <label>
          <span class="visually-hidden">Name</span>
          <input
            class="field"
            dir="auto"
            value={title}
            onInput={({ currentTarget: { value } }) => setTitle(value)}
            autofocus
          />
        </label>
        {problem !== "" && <p class="problem">{problem}</p>}
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={title.trim() === ""}>
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Delete({ app, session, onClose }: SessionActionsProps & { onClose: () => void }) {
  const [problem, setProblem] = useState("");
  const remove = async (): Promise<void> => {
    const removed = await app.gateway.remove(session.id);
    if (!removed.ok) return setProblem(removed.problem);
    onClose();
    app.forget(session.id);
  };
  return (
    <Dialog title="Delete the session?" onClose={onClose}>
      <p>
        “{sessionTitle(session)}” and everything needed to undo its changes will be deleted for good. Your
        files stay as they are.
      </p>
      {problem !== "" && <p class="problem">{problem}</p>}
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={onClose} autofocus>
          Keep it
        </button>
        <button type="button" class="button danger" onClick={() => void remove()}>
          Delete for good
        </button>
      </div>
    </Dialog>
  );
}

type MenuItem = { label: string; icon: IconName; isDangerous?: true; run: () => void };

/** A small menu behind a button: arrow keys move through it; Escape or moving elsewhere closes it. */
function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
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
