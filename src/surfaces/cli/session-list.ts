/** `toolwright sessions list` and `search`. */
import { realWorkspace } from "../../runtime/project-grants.ts";
import { sessionRows, type SessionSummary } from "../../runtime/sessions.ts";
import { visibleLine } from "../view/visible.ts";
import { jsonLine } from "./judged-lines.ts";
import { exitCodes } from "./room.ts";
import { sessionLines, titleIn, usualRows, widthOf } from "./session-table.ts";
import { rowAsJson, shortId, type SessionWork } from "./session-words.ts";

export async function listSessions(work: SessionWork): Promise<number> {
  const { room, store, flags } = work;
  const { terminal, settings } = room;
  const all = await store.list();
  const here = flags.all === true ? all : all.filter(await isHere(work));
  const isText = settings.output === "text";
  const limit = typeof flags.limit === "number" ? flags.limit : isText ? usualRows : here.length;
  const rows = await sessionRows(store, here.slice(0, limit));
  if (!isText) terminal.print(`${jsonLine(rows.map(rowAsJson))}\n`);
  else if (rows.length === 0 && all.length > 0)
    terminal.print(
      `There are no sessions of ${visibleLine(settings.workspace)}; \`toolwright sessions --all\` lists the ${all.length} of other workspaces.\n`,
    );
  else {
    const more = here.length - rows.length;
    const rest = more > 0 ? [`… and ${more} more: --limit ${here.length} lists all`] : [];
    const view = { now: Date.now(), workspaces: flags.all === true, columns: widthOf(terminal) };
    const lines = sessionLines(rows, view);
    terminal.print(`${[...lines, ...rest].join("\n")}\n`);
  }
  return exitCodes.done;
}

/** Characters of a title above what was found. */
const mostTitle = 80;

/** Exit code 1 where nothing is found, as search programs do. */
export async function searchSessions(work: SessionWork): Promise<number> {
  const { room, store, words, flags } = work;
  const { terminal, settings } = room;
  const limit = typeof flags.limit === "number" ? flags.limit : usualRows;
  const wanted = words.join(" ");
  // Which workspace they are of is not in the index, so as many are asked for as there may be.
  const every = await store.search(wanted, flags.all === true ? limit : Number.MAX_SAFE_INTEGER);
  const found = (flags.all === true ? every : every.filter(await isHere(work))).slice(0, limit);
  if (settings.output !== "text") {
    const rows = await sessionRows(store, found);
    terminal.print(
      `${jsonLine(rows.map((row, at) => ({ ...rowAsJson(row), excerpt: found[at]?.excerpt })))}\n`,
    );
  } else if (found.length === 0) {
    const others = every.length > 0 ? `; ${every.length} of other workspaces do: --all shows them` : "";
    terminal.print(`No session has the words ${visibleLine(JSON.stringify(wanted))}${others}.\n`);
  } else
    for (const { id, title, excerpt, workspace } of found) {
      const place = flags.all === true ? `  (${visibleLine(workspace)})` : "";
      terminal.print(
        `${shortId(id)}  ${titleIn(title, mostTitle)}${place}\n        ${visibleLine(excerpt)}\n`,
      );
    }
  return found.length > 0 ? exitCodes.done : exitCodes.failed;
}

export async function isHere({ room }: SessionWork): Promise<(session: SessionSummary) => boolean> {
  const workspace = await realWorkspace(room.settings.workspace);
  return (session) => session.workspace === workspace;
}
