/** The page's global state: current location, connection, session list, and the session on display. */

import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { Mode } from "../../protocol/facts.ts";
import type { SessionValue } from "../../remote/api-values.ts";
import type { LiveState } from "../../remote/live.ts";
import { type MessageDrafts, draftsIn, type DraftStorage } from "../composer/drafts.ts";
import { follow } from "../session/session-feed.ts";
import { type SessionStore, sessionStore } from "../session/session-store.ts";
import type { PageGateway } from "./gateway.ts";
import {
  isUnread,
  keepSeen,
  type SeenFacts,
  seenAfterNames,
  seenIn,
  withSeen,
  type SeenStorage,
} from "./read-marks.ts";
import { hashOf, type PageLocation, placeIn } from "./route.ts";

/** Sessions in the page's list. */
const mostListedSessions = 200;
/** Sessions that the page keeps in memory besides the one it shows. */
const mostKeptSessions = 4;
/** Notices on the page at once. */
const mostNotices = 4;

export type ListedSession = SessionValue & { isUnread: boolean };
type PageNotice = { id: number; text: string };

export type App = {
  gateway: PageGateway;
  surroundings: PageSurroundings;
  link: ReadonlySignal<LiveState>;
  /** Undefined until the list has arrived. */
  sessions: ReadonlySignal<readonly ListedSession[] | undefined>;
  moreSessions: ReadonlySignal<boolean>;
  /** The gateway's defaults for new sessions. */
  defaults: ReadonlySignal<{ workspace: string; mode: Mode; version: string } | undefined>;
  place: ReadonlySignal<PageLocation>;
  /** The session on display; `problem` says why it cannot be shown. */
  shown: ReadonlySignal<SessionStore | undefined>;
  problem: ReadonlySignal<string | undefined>;
  notices: ReadonlySignal<readonly PageNotice[]>;
  drafts: MessageDrafts;
  go: (place: PageLocation) => void;
  notify: (text: string) => void;
  dismiss: (id: number) => void;
  /** Cleans up after a deleted session. */
  forget: (session: string) => void;
};

type Cells = ReturnType<typeof cellsOf>;

const cellsOf = (surroundings: PageSurroundings) => ({
  surroundings,
  link: signal<LiveState>({ type: "connecting" }),
  rows: signal<readonly SessionValue[] | undefined>(undefined),
  sessions: signal<readonly ListedSession[] | undefined>(undefined),
  moreSessions: signal(false),
  defaults: signal<{ workspace: string; mode: Mode; version: string } | undefined>(undefined),
  place: signal<PageLocation>(placeIn(location.hash)),
  shown: signal<SessionStore | undefined>(undefined),
  problem: signal<string | undefined>(undefined),
  notices: signal<readonly PageNotice[]>([]),
  seen: signal<SeenFacts>(seenIn(surroundings.marks)),
  kept: new Map<string, SessionStore>(),
  leave: () => {},
});

/** Starts listening, for the lifetime of the page. */
export function appOf(gateway: PageGateway, surroundings: PageSurroundings = browserTab()): App {
  const cells = cellsOf(surroundings);
  void listen(gateway, cells);
  const move = (place: PageLocation): void => {
    if (hashOf(place) !== hashOf(cells.place.value)) enter(gateway, cells, place);
  };
  addEventListener("hashchange", () => move(placeIn(location.hash)));
  enter(gateway, cells, cells.place.value);
  let notices = 0;
  return {
    gateway,
    ...cells,
    drafts: draftsIn(surroundings.drafts),
    go: (place) => {
      location.hash = hashOf(place);
      move(place);
    },
    notify(text) {
      notices += 1;
      cells.notices.value = [...cells.notices.value, { id: notices, text }].slice(-mostNotices);
    },
    dismiss(id) {
      cells.notices.value = cells.notices.value.filter((notice) => notice.id !== id);
    },
    forget(session) {
      cells.kept.delete(session);
      if (cells.shown.value?.id === session) location.hash = hashOf({ type: "start" });
    },
  };
}

async function listen(gateway: PageGateway, cells: Cells): Promise<void> {
  void eachOf(gateway.live.states(), (state) => {
    if (state.type === "open" && cells.defaults.value?.version !== state.version) void learn(gateway, cells);
    cells.link.value = state;
  });
  void eachOf(gateway.live.watch(mostListedSessions), ({ sessions, more }) => {
    batch(() => {
      const seen = seenAfterNames(cells.seen.peek(), cells.rows.peek(), sessions);
      if (seen !== cells.seen.peek()) keepSeen(cells.surroundings.marks, seen);
      cells.seen.value = seen;
      cells.rows.value = sessions;
      cells.moreSessions.value = more;
      showRows(cells);
    });
  });
}

/** Ignores errors, because the connection state already reports them. */
async function eachOf<T>(values: AsyncIterable<T>, take: (value: T) => void): Promise<void> {
  try {
    for await (const value of values) take(value);
  } catch {
    return;
  }
}

async function learn(gateway: PageGateway, { defaults }: Cells): Promise<void> {
  const about = await gateway.about();
  if (about.ok) defaults.value = about.value;
}

function showRows(cells: Cells): void {
  const own = cells.rows.value?.find(({ id }) => id === cells.shown.value?.id);
  if (own) cells.shown.value?.begin(own);
  markRows(cells);
}

/** The session on display is never marked unread, even if the list is ahead of it. */
function markRows({ rows, sessions, seen, shown }: Cells): void {
  const looked = document.hidden ? undefined : shown.peek()?.id;
  sessions.value = rows
    .peek()
    ?.map((row) => ({ ...row, isUnread: row.id !== looked && isUnread(seen.peek(), row) }));
}

function enter(gateway: PageGateway, cells: Cells, place: PageLocation): void {
  cells.leave();
  const store = place.type === "session" ? (cells.kept.get(place.id) ?? sessionStore(place.id)) : undefined;
  batch(() => {
    cells.place.value = place;
    cells.shown.value = store;
    cells.problem.value = undefined;
  });
  cells.leave = store ? show(gateway, cells, store) : () => {};
}

/** Returns a function that leaves the session. */
function show(gateway: PageGateway, cells: Cells, store: SessionStore): () => void {
  const leaving = new AbortController();
  const unmark = store.view.subscribe(({ facts }) => markSeen(cells, store.id, facts));
  const looked = (): void => markSeen(cells, store.id, store.view.peek().facts);
  document.addEventListener("visibilitychange", looked);
  keep(cells, store);
  void readLength(gateway, store, leaving.signal);
  void followSession(gateway, cells, { store, signal: leaving.signal });
  return () => {
    leaving.abort();
    unmark();
    document.removeEventListener("visibilitychange", looked);
    keepSeen(cells.surroundings.marks, cells.seen.value);
  };
}

/** Fetches the session's length, without which the store cannot tell when it is complete. */
async function readLength(gateway: PageGateway, store: SessionStore, signal: AbortSignal): Promise<void> {
  const row = await gateway.row(store.id);
  if (!signal.aborted) store.begin(row.ok ? row.value : undefined);
}

type ShownSession = { store: SessionStore; signal: AbortSignal };

async function followSession(
  gateway: PageGateway,
  { problem }: Cells,
  { store, signal }: ShownSession,
): Promise<void> {
  const because = await follow(gateway.live, store, signal);
  if (!signal.aborted) problem.value = because;
}

/** Retains the sessions shown last, so that returning to one is instant. */
function keep({ kept }: Cells, store: SessionStore): void {
  kept.delete(store.id);
  kept.set(store.id, store);
  const [oldest] = kept.keys();
  if (kept.size > mostKeptSessions + 1 && oldest !== undefined) kept.delete(oldest);
}

function markSeen(cells: Cells, session: string, facts: number): void {
  if (facts === 0 || document.hidden || (cells.seen.peek().get(session) ?? 0) >= facts) return;
  cells.seen.value = withSeen(cells.seen.peek(), session, facts);
  keepSeen(cells.surroundings.marks, cells.seen.peek());
  markRows(cells);
}

type PageSurroundings = {
  /** An editor chooses the theme itself, and nobody signs in or out there. */
  type: "browser" | "editor";
  /** Kept for later pages too. */
  marks: SeenStorage;
  /** Kept as long as the tab or the view. */
  drafts: DraftStorage;
};

/** What holds the page: a browser's tab, or a view of an editor. */
const browserTab = (): PageSurroundings => ({
  type: "browser",
  marks: localStorage,
  drafts: sessionStorage,
});
