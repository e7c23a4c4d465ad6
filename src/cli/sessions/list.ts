/** `toolwright sessions list` and `search`. */

import { sessionRows, type SessionSummary } from "../../archive/sessions.ts";
import { realWorkspace } from "../../base/paths.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { exitCodes, printAnswer } from "../cli-context.ts";
import { toldWhenSlow } from "../slow.ts";
import { nestSessions, sessionLines, titleIn, usualRows, widthOf } from "./table.ts";
import { rowAsJson, shortId, type SubcommandContext } from "./words.ts";

export async function listSessions(work: SubcommandContext): Promise<number> {
  const { context, store, flags } = work;
  const { terminal, settings } = context;
  const all = await store.list();
  const here = flags.all === true ? all : all.filter(await isHere(work));
  const usual = settings.output === "text" ? usualRows : here.length;
  const limit = typeof flags.limit === "number" ? flags.limit : usual;
  const rows = await sessionRows(store, nestSessions(here).slice(0, limit));
  return printAnswer(context, rows.map(rowAsJson), () => {
    if (rows.length === 0 && all.length > 0)
      return `There are no sessions of ${visibleLine(settings.workspace)}; \`toolwright sessions --all\` lists the ${all.length} of other workspaces.`;
    const more = here.length - rows.length;
    const rest = more > 0 ? [`… and ${more} more: --limit ${here.length} lists all`] : [];
    const view = { now: Date.now(), workspaces: flags.all === true, columns: widthOf(terminal) };
    return [...sessionLines(rows, view), ...rest].join("\n");
  });
}

/** Characters of a session's title above its matches. */
const mostTitle = 80;

/** Exit code 1 if nothing is found, as with grep. */
export async function searchSessions(work: SubcommandContext): Promise<number> {
  const { context, store, words, flags } = work;
  const { terminal } = context;
  const limit = typeof flags.limit === "number" ? flags.limit : usualRows;
  const wanted = words.join(" ");
  // The index does not know a match's workspace, so all matches are requested and filtered here.
  const most = flags.all === true ? limit : Number.MAX_SAFE_INTEGER;
  let left = 0;
  const every = await toldWhenSlow(
    () => store.search(wanted, most, { told: (count) => (left = count) }),
    () => terminal.report(`Reading what was said since the last search: ${sessionsInWords(left)} left …\n`),
  );
  const found = (flags.all === true ? every : every.filter(await isHere(work))).slice(0, limit);
  const rows = (await sessionRows(store, found)).map((row, at) => ({
    ...row,
    excerpt: found[at]?.excerpt ?? "",
  }));
  const value = rows.map(({ excerpt, ...row }) => ({ ...rowAsJson(row), excerpt }));
  printAnswer(context, value, () => {
    const others = every.length > 0 ? `; ${every.length} of other workspaces do: --all shows them` : "";
    if (rows.length === 0) return `No session has the words ${visibleLine(JSON.stringify(wanted))}${others}.`;
    const lines = rows.map(({ id, title, excerpt, workspace, from }) => {
      const copy = from === undefined ? "" : `  (copy of ${shortId(from.session)})`;
      const place = flags.all === true ? `  (${visibleLine(workspace)})` : "";
      return `${shortId(id)}  ${titleIn(title, mostTitle)}${copy}${place}\n        ${visibleLine(excerpt)}`;
    });
    return lines.join("\n");
  });
  return rows.length > 0 ? exitCodes.done : exitCodes.failed;
}

const sessionsInWords = (count: number): string => (count === 1 ? "1 session" : `${count} sessions`);

export async function isHere({ context }: SubcommandContext): Promise<(session: SessionSummary) => boolean> {
  const workspace = await realWorkspace(context.settings.workspace);
  return (session) => session.workspace === workspace;
}
