/** All sessions by workspace, each with its state. */

import { useRef } from "preact/hooks";
import { visibleLine } from "../../view/visible.ts";
import type { App, Listed } from "../app/app-state.ts";
import { hashOf } from "../app/route.ts";
import { useClock } from "../conversation/clock.ts";
import { ago } from "../conversation/words.ts";
import { Icon } from "../icon.tsx";
import { type Group, groupsOf, isLikeItsOriginal } from "./grouping.ts";
import { useListFocus } from "./list-focus.ts";
import { Mark } from "./mark.tsx";
import { SessionActions, sessionTitle } from "./session-actions.tsx";
import "./sessions.css";

type Props = {
  app: App;
  onSearch: () => void;
  onLeave: () => void;
  onSettings: () => void;
  onKeys: () => void;
};

export function SessionList({ app, onSearch, onLeave, onSettings, onKeys }: Props) {
  const rows = app.sessions.value;
  const list = useRef<HTMLElement>(null);
  useListFocus(list, rows?.map(({ id }) => id).join(" ") ?? "");
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
          groupsOf(rows).map((group) => (
            <Workspace key={group.workspace} app={app} group={group} onLeave={onLeave} />
          ))
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

const Foot = ({ app, onSettings, onKeys }: Pick<Props, "app" | "onSettings" | "onKeys">) => (
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

type WorkspaceProps = { app: App; group: Group<Listed>; onLeave: () => void };

function Workspace({ app, group: { workspace, name, rows }, onLeave }: WorkspaceProps) {
  const now = useClock(true).value;
  return (
    <section class="workspace" aria-label={`Workspace ${visibleLine(name)}`}>
      <h2 class="workspace-name" title={visibleLine(workspace)}>
        {visibleLine(name)}
      </h2>
      <ul>
        {rows.map((row) => (
          <Row key={row.id} app={app} row={row} now={now} onLeave={onLeave} />
        ))}
      </ul>
    </section>
  );
}

function Row({ app, row, now, onLeave }: { app: App; row: Listed; now: number; onLeave: () => void }) {
  const isCurrent = app.shown.value?.id === row.id;
  const words = standingWords[row.standing];
  const copy = isLikeItsOriginal(row, app.sessions.value ?? []) ? "copy · " : "";
  return (
    <li class={`session ${isCurrent ? "session-current" : ""}`} data-session={row.id}>
      <a
        class="session-link"
        href={hashOf({ type: "session", id: row.id })}
        aria-current={isCurrent ? "page" : undefined}
        onClick={onLeave}
      >
        <span class={`standing standing-${row.standing} ${row.isUnread ? "standing-unread" : ""}`} />
        <span class={`session-title ${row.isUnread ? "session-unread" : ""}`}>{sessionTitle(row)}</span>
        <span class="session-about">
          {copy}
          {words === "" ? ago(row.updatedAt, now) : words}
          {row.isUnread && <span class="visually-hidden">, not read yet</span>}
        </span>
      </a>
      <SessionActions app={app} session={row} />
    </li>
  );
}

const standingWords: Readonly<Record<Listed["standing"], string>> = {
  idle: "",
  running: "working",
  waiting: "waiting for you",
  "left-open": "interrupted",
};

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
