/** All sessions by workspace, each with its state. */

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { visibleLine } from "../../base/visible-text.ts";
import type { App, ListedSession } from "../app/app-state.ts";
import { Icon } from "../icon.tsx";
import { copiesIn, firstRows, type WorkspaceGroup, groupsOf } from "./grouping.ts";
import { Mark } from "./mark.tsx";
import "./sessions.css";
import { type RowProps, SessionRow } from "./session-row.tsx";

/** Sessions drawn at once in the page's list. */
export const mostDrawnSessions = 50;

type SessionListProps = {
  app: App;
  onSearch: () => void;
  onLeave: () => void;
  onSettings: () => void;
  onKeys: () => void;
};

export function SessionList({ app, onSearch, onLeave, onSettings, onKeys }: SessionListProps) {
  const rows = app.sessions.value;
  const list = useRef<HTMLElement>(null);
  useListFocus(list, rows?.map(({ id }) => id).join(" ") ?? "");
  const current = app.shown.value?.id;
  const isListed = rows?.some(({ id }) => id === current) ?? false;
  useLayoutEffect(() => {
    list.current?.querySelector(".session-current")?.scrollIntoView({ block: "nearest" });
  }, [current, isListed]);
  return (
    <nav class="sidebar" aria-label="Sessions" id="sessions" ref={list}>
      <header class="sidebar-head">
        <a class="brand" href="#/" onClick={onLeave}>
          <Mark />
          Toolwright
        </a>
        <button type="button" class="icon-button sidebar-close" aria-label="Close the list" onClick={onLeave}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sidebar-actions">
        <a class="button sidebar-new" href="#/" onClick={onLeave}>
          <Icon name="plus" />
          New session
        </a>
        <button
          type="button"
          class="icon-button"
          aria-label="Search sessions"
          title="Search (Ctrl+K)"
          onClick={onSearch}
        >
          <Icon name="search" />
        </button>
      </div>
      <div class="sidebar-list">
        {rows === undefined ? (
          <p class="muted sidebar-note">Loading…</p>
        ) : rows.length === 0 ? (
          <p class="muted sidebar-note">Your sessions will appear here.</p>
        ) : (
          <Rows app={app} rows={rows} onLeave={onLeave} />
        )}
        {app.moreSessions.value && (
          <button type="button" class="button quiet sidebar-note" onClick={onSearch}>
            Search older sessions
          </button>
        )}
      </div>
      <Foot app={app} onSettings={onSettings} onKeys={onKeys} />
    </nav>
  );
}

type RowsProps = { app: App; rows: readonly ListedSession[]; onLeave: () => void };

/** Draws the rows at the top and, once scrolled to, those below; the session on display is always drawn. */
function Rows({ app, rows, onLeave }: RowsProps) {
  const groups = useMemo(() => groupsOf(rows), [rows]);
  const copies = useMemo(() => copiesIn(rows), [rows]);
  const [most, setMost] = useState(atOnce);
  const current = groups.flatMap((group) => group.rows).findIndex(({ id }) => id === app.shown.value?.id);
  const drawn = Math.max(most, current + 1);
  return (
    <>
      {firstRows(groups, drawn).map((group) => (
        <Workspace key={group.workspace} app={app} group={group} copies={copies} onLeave={onLeave} />
      ))}
      {drawn < rows.length && (
        <More key={drawn} count={rows.length - drawn} show={() => setMost(drawn + atOnce)} />
      )}
    </>
  );
}

const atOnce = mostDrawnSessions;

/** Draws further rows before they scroll into view. */
function More({ count, show }: { count: number; show: () => void }) {
  const mark = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!mark.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && show(), {
      root: mark.current.parentElement,
      rootMargin: "0px 0px 600px 0px",
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, []);
  return (
    <button type="button" class="button quiet sidebar-note" ref={mark} onClick={show}>
      Show {count} more
    </button>
  );
}

const Foot = ({ app, onSettings, onKeys }: Pick<SessionListProps, "app" | "onSettings" | "onKeys">) => (
  <footer class="sidebar-foot">
    <Import app={app} />
    <button type="button" class="icon-button" aria-label="Settings" title="Settings" onClick={onSettings}>
      <Icon name="settings" />
    </button>
    <button
      type="button"
      class="icon-button"
      aria-label="Keyboard shortcuts"
      title="Shortcuts (?)"
      onClick={onKeys}
    >
      <Icon name="keyboard" />
    </button>
  </footer>
);

type WorkspaceProps = Pick<RowProps, "app" | "copies" | "onLeave"> & { group: WorkspaceGroup<ListedSession> };

const Workspace = ({ group: { workspace, name, rows }, ...context }: WorkspaceProps) => (
  <section class="workspace" aria-label={`Workspace ${visibleLine(name)}`}>
    <h2 class="workspace-name" title={visibleLine(workspace)}>
      {visibleLine(name)}
    </h2>
    <ul>
      {rows.map((row) => (
        <SessionRow key={row.id} row={row} {...context} />
      ))}
    </ul>
  </section>
);

function Import({ app }: { app: App }) {
  const field = useRef<HTMLInputElement>(null);
  const take = async (file: File): Promise<void> => {
    const imported = await app.gateway.import(file);
    if (imported.ok) app.go({ type: "session", id: imported.value.id });
    else app.notify(`${file.name} could not be imported: ${imported.problem}`);
  };
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label="Import a session"
        title="Import a session"
        onClick={() => field.current?.click()}
      >
        <Icon name="upload" />
      </button>
      <input
        ref={field}
        type="file"
        hidden
        accept=".jsonl,.ndjson,application/x-ndjson"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = "";
          if (file) void take(file);
        }}
      />
    </>
  );
}

/** `order`: changes whenever the rows or their order do. */
function useListFocus(list: RefObject<HTMLElement | null>, order: string): void {
  const held = useRef<{ id: string | undefined; at: number }>(undefined);
  const rows = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>("[data-session]") ?? []),
  ];
  useEffect(() => {
    const look = ({ target }: Event): void => {
      const all = rows();
      const at = all.findIndex((row) => target instanceof Node && row.contains(target));
      held.current = at === -1 ? undefined : { id: all[at]?.dataset["session"], at };
    };
    // A press outside the list also leaves it, even where nothing takes the focus.
    const events = ["focusin", "pointerdown"] as const;
    for (const name of events) document.addEventListener(name, look);
    return () => {
      for (const name of events) document.removeEventListener(name, look);
    };
  }, []);
  useLayoutEffect(() => {
    if (!held.current || document.activeElement !== document.body) return;
    const { id, at } = held.current;
    const all = rows();
    const row = all.find(({ dataset }) => dataset["session"] === id) ?? all[Math.min(at, all.length - 1)];
    (row ?? list.current)?.querySelector<HTMLElement>("a")?.focus();
  }, [order]);
}
