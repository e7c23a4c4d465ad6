/** One session in the list: its state, its title, and its menu. */

import { visibleLine } from "../../base/visible-text.ts";
import type { App, ListedSession } from "../app/app-state.ts";
import { hashOf } from "../app/route.ts";
import { useMinute } from "../conversation/clock.ts";
import { ago } from "../conversation/words.ts";
import { SessionActions, sessionTitle } from "./session-actions.tsx";

/** `copies`: the sessions to be marked as copies. */
export type RowProps = { app: App; row: ListedSession; copies: ReadonlySet<string>; onLeave: () => void };

export function SessionRow({ app, row, copies, onLeave }: RowProps) {
  const isCurrent = app.shown.value?.id === row.id;
  const state = stateOf(row);
  return (
    <li class={`session ${isCurrent ? "session-current" : ""}`} data-session={row.id}>
      <a
        class="session-link"
        href={hashOf({ type: "session", id: row.id })}
        aria-current={isCurrent ? "page" : undefined}
        onClick={onLeave}
      >
        <span class={`standing standing-${state} ${row.isUnread ? "standing-unread" : ""}`} />
        <span class={`session-title ${row.isUnread ? "session-unread" : ""}`}>{sessionTitle(row)}</span>
        <span class={`session-about session-about-${state}`}>
          {row.owner !== undefined && `${visibleLine(row.owner)} · `}
          {copies.has(row.id) && "copy · "}
          {stateWords[state]}
          {state === "failed" && " · "}
          {(state === "failed" || state === "idle") && <Ago at={row.updatedAt} />}
          {row.isUnread && <span class="visually-hidden">, not read yet</span>}
        </span>
      </a>
      <SessionActions app={app} session={row} />
    </li>
  );
}

/** Drawn again by itself: the rows need not be. */
const Ago = ({ at }: { at: number }) => <>{ago(at, useMinute().value)}</>;

const stateOf = ({ standing, failed }: ListedSession): ListedSession["standing"] | "failed" =>
  standing === "idle" && failed === true ? "failed" : standing;

const stateWords: Readonly<Record<ReturnType<typeof stateOf>, string>> = {
  idle: "",
  failed: "failed",
  running: "working",
  waiting: "waiting for you",
  "left-open": "interrupted",
};
