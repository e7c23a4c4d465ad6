/** The sessions of a store as lines. */
import type { Runtime } from "../../runtime/runtime.ts";
import { visibleLine } from "../view/visible.ts";
import { columns } from "./room.ts";

type Summary = Awaited<ReturnType<Runtime["store"]["list"]>>[number];

/** A table, newest first; `current` is marked. */
export function sessionLines(
  sessions: readonly Summary[],
  view: { now: number; current?: string },
): string[] {
  if (sessions.length === 0) return ['There are no sessions yet: `toolwright "…"` starts one.'];
  const rows = sessions.map(({ id, updatedAt, facts, title, workspace }) => [
    id === view.current ? `${id} *` : id,
    ageInWords(view.now - updatedAt),
    String(facts),
    shortened(visibleLine(title)) || "(nothing said yet)",
    visibleLine(workspace),
  ]);
  return columns([["session", "age", "facts", "title", "workspace"], ...rows]);
}

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
