/** Formats the sessions of a store as a table. */

import type { SessionRow, SessionSummary } from "../../archive/sessions.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Choice } from "../../tui/choice.ts";
import type { ProcessTerminal } from "../../tui/process-terminal.ts";
import { shortCost } from "../../view/cost.ts";
import { columns } from "../cli-context.ts";
import { shortId, standingWords } from "./words.ts";

type SessionTableRow = SessionSummary & Partial<Pick<SessionRow, "standing" | "holder" | "cost" | "from">>;

/** `current` is marked. Without `workspaces`, all rows share one workspace. */
type TableView = { now: number; current?: string; workspaces: boolean; columns?: number | undefined };

/**
 * A table in the given order, with usage and cost for the rows that have them. Titles shrink on narrow terminals; on
 * very narrow ones each session takes several lines.
 */
export function sessionLines(sessions: readonly SessionTableRow[], view: TableView): string[] {
  if (sessions.length === 0) return ['There are no sessions yet: `toolwright "…"` starts one.'];
  const lines = table(sessions, view, mostTitle);
  const tooWide = Math.max(...lines.map((line) => line.length)) - (view.columns ?? Number.POSITIVE_INFINITY);
  if (tooWide <= 0) return lines;
  const longest = Math.max(...sessions.map((session) => titleOf(session, mostTitle).length));
  const left = longest - tooWide;
  return left < leastTitle
    ? sessions.flatMap((session) => ownLines(session, view))
    : table(sessions, view, left);
}

function table(sessions: readonly SessionTableRow[], view: TableView, titles: number): string[] {
  const isRead = sessions.some(({ cost }) => cost !== undefined);
  const hasCopies = sessions.some(({ from }) => from !== undefined);
  const rows = sessions.map((session) => [
    session.id === view.current ? `${session.id} *` : session.id,
    ageInWords(view.now - session.updatedAt),
    String(session.facts),
    ...(isRead ? figures(session) : []),
    ...(hasCopies ? [originalOf(session)] : []),
    titleOf(session, titles),
    ...(view.workspaces ? [visibleLine(session.workspace)] : []),
  ]);
  const head = ["session", "age", "facts", ...(isRead ? ["cost", "state"] : [])];
  const last = [...(hasCopies ? ["copy of"] : []), "title", ...(view.workspaces ? ["workspace"] : [])];
  return columns([[...head, ...last], ...rows]);
}

/** The same as a row of a menu, which is looked for by its title. */
export const sessionChoice = (row: SessionTableRow, now: number): Choice => ({
  name: `${titleIn(row.title, mostTitle)}${row.from === undefined ? "" : " (copy)"}`,
  says: [ageInWords(now - row.updatedAt), ...figures(row), row.id].filter((word) => word !== "").join(" · "),
});

/** "20261122-131055-ee977e · 2 min · idle", and the title and workspace below. */
function ownLines(session: SessionTableRow, view: TableView): string[] {
  const { id, cost, from } = session;
  const age = ageInWords(view.now - session.updatedAt);
  const told = [id === view.current ? `${id} *` : id, age, ...(cost ? figures(session).slice(1) : [])];
  if (from) told.push(`copy of ${originalOf(session)}`);
  const place = view.workspaces ? [`  ${visibleLine(session.workspace)}`] : [];
  return [told.filter((word) => word !== "").join(" · "), `  ${titleOf(session, mostTitle)}`, ...place];
}

const figures = ({ cost, standing = "idle", holder }: SessionTableRow): [string, string] => [
  cost ? shortCost(cost) : "",
  standingWords({ standing, holder }),
];

/** A fork has its original's title until it is renamed, so the original's id is shown. */
const originalOf = ({ from }: SessionTableRow): string => (from === undefined ? "" : shortId(from.session));

/** How many sessions are listed by default. */
export const usualRows = 30;

/** Only a terminal has a width. */
export const widthOf = (
  terminal: Pick<ProcessTerminal, "outputIsTerminal" | "columns">,
): number | undefined => (terminal.outputIsTerminal ? terminal.columns() : undefined);

/** Keeps most rows on one line. */
const mostTitle = 32;
/** A shorter title tells too little for a table. */
const leastTitle = 14;

/** Sanitized, and cut to the given length. */
export function titleIn(title: string, most: number): string {
  const shown = visibleLine(title) || "(nothing said yet)";
  return shown.length <= most ? shown : `${shown.slice(0, most - 1).trimEnd()}…`;
}

/** Marks the sessions of subagents. */
const titleOf = ({ title, parent }: SessionTableRow, most: number): string =>
  parent === undefined ? titleIn(title, most) : `${mark}${titleIn(title, most - mark.length)}`;

const mark = "↳ ";

/** Sorts subagents' sessions, oldest first, below their parent if it is in the list; where nothing was said comes last. */
export function nestSessions<One extends SessionSummary>(sessions: readonly One[]): One[] {
  const ids = new Set(sessions.map(({ id }) => id));
  const below = Map.groupBy(sessions, ({ parent }) =>
    parent !== undefined && ids.has(parent) ? parent : "",
  );
  const { said = [], unsaid = [] } = Object.groupBy(below.get("") ?? [], ({ title }) =>
    title === "" ? "unsaid" : "said",
  );
  return [...said, ...unsaid].flatMap((one) => [one, ...(below.get(one.id) ?? []).toReversed()]);
}

/** "now", "5 min", "3 h", "12 d". */
export function ageInWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
