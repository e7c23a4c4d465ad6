/** The sessions of a store as lines. */
import type { SessionRow, SessionSummary } from "../../runtime/sessions.ts";
import { shortCost } from "../view/cost.ts";
import { visibleLine } from "../view/visible.ts";
import { columns } from "./room.ts";
import { standingWords } from "./session-words.ts";

type Row = SessionSummary & Partial<Pick<SessionRow, "standing" | "holder" | "cost">>;

/** `current` is marked. Without `workspaces` all are of one. */
export type TableView = { now: number; current?: string; workspaces: boolean };

/** A table, in the order in which they are given; what they came to where that was read. */
export function sessionLines(sessions: readonly Row[], view: TableView): string[] {
  if (sessions.length === 0) return ['There are no sessions yet: `toolwright "…"` starts one.'];
  const isRead = sessions.some(({ cost }) => cost !== undefined);
  const rows = sessions.map((session) => [
    session.id === view.current ? `${session.id} *` : session.id,
    ageInWords(view.now - session.updatedAt),
    String(session.facts),
    ...(isRead ? figures(session) : []),
    shortened(visibleLine(session.title)) || "(nothing said yet)",
    ...(view.workspaces ? [visibleLine(session.workspace)] : []),
  ]);
  const head = ["session", "age", "facts", ...(isRead ? ["cost", "state"] : []), "title"];
  return columns([[...head, ...(view.workspaces ? ["workspace"] : [])], ...rows]);
}

const figures = ({ cost, standing = "idle", holder }: Row): [string, string] => [
  cost ? shortCost(cost) : "",
  standingWords({ standing, ...(holder ? { holder } : {}) }),
];

/** So that a row fits a line, mostly. */
const mostTitle = 32;
const shortened = (title: string): string =>
  title.length <= mostTitle ? title : `${title.slice(0, mostTitle - 1).trimEnd()}…`;

/** "now", "5 min", "3 h", "12 d". */
export function ageInWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
