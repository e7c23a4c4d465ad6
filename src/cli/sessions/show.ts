/** `toolwright sessions show`: a session's timeline, its decisions with their reasons, and its cost. */

import { entriesOf, sessionRow, type SessionRow } from "../../archive/sessions.ts";
import { jsonLine } from "../../base/json-lines.ts";
import { costAsJson } from "../../protocol/cost.ts";
import { readSession } from "../../runtime/read-session.ts";
import { formatCost, formatUsage } from "../../view/cost.ts";
import { styleFor, type Style } from "../../view/plain.ts";
import { reviewLines } from "../../view/review.ts";
import { timeWords } from "../../view/session-markdown.ts";
import { type TimelineItem, timelineOf } from "../../view/timeline.ts";
import { visibleLine } from "../../view/visible.ts";
import { aboutTurn } from "../changes/diff.ts";
import { exitCodes, type CliContext } from "../cli-context.ts";
import { exportSession } from "./files.ts";
import { reviewsIn } from "./reviews.ts";
import { type Diffs, timelineLines } from "./timeline.ts";
import { findSummary, refuse, rowAsJson, standingWords, type SubcommandContext } from "./words.ts";

export async function showSession(work: SubcommandContext): Promise<number> {
  const { context, store, words, flags } = work;
  if (flags.html === true) return exportSession({ ...work, flags: { ...flags, format: "html" } });
  if (words.length > 1)
    return refuse(context, "FILE is for --html: toolwright sessions show ID FILE --html", exitCodes.usage);
  const found = await findSummary(store, words[0] ?? "");
  if (!found.ok) return refuse(context, found.problem, exitCodes.failed);
  const { terminal, settings } = context;
  const row = await sessionRow(store, found.value);
  const items = await timelineOf(entriesOf(store, row.id));
  if (settings.output !== "text") {
    terminal.print(`${jsonLine({ ...rowAsJson(row), timeline: items.map(itemAsJson) })}\n`);
    return exitCodes.done;
  }
  const style = styleFor(terminal.env, terminal.outputIsTerminal);
  const diffs = settings.verbose ? await diffsOf(context, row.id, style) : new Map();
  const lines = timelineLines(items, { style, verbose: settings.verbose, diffs });
  terminal.print(`${[...headLines(row, style), ...lines].join("\n")}\n`);
  return exitCodes.done;
}

const itemAsJson = (item: TimelineItem) => ("cost" in item ? { ...item, ...costAsJson(item.cost) } : item);

function headLines(row: SessionRow, style: Style): string[] {
  const { id, title, workspace, createdAt, updatedAt, facts, turns, usage, cost, from, parent } = row;
  return [
    style.bold(visibleLine(title) || "(nothing said yet)"),
    `session    ${id} (${standingWords(row)})`,
    ...(from ? [`copy of    ${visibleLine(from.session)}, up to fact ${from.seq}`] : []),
    ...(parent === undefined ? [] : [`task of    session ${visibleLine(parent)}`]),
    `workspace  ${visibleLine(workspace)}`,
    `time       ${timeWords(createdAt)} to ${timeWords(updatedAt)}`,
    `size       ${turns} ${turns === 1 ? "request" : "requests"}, ${facts} facts`,
    `used       ${formatUsage(usage)}`,
    `cost       ${formatCost(cost)}`,
  ];
}

/** The line diff of each request; empty if the workspace is missing here or its files have changed since. */
async function diffsOf({ settings }: CliContext, id: string, style: Style): Promise<Diffs> {
  const diffs: Diffs = new Map();
  await readSession({ ...settings, resume: id }, async (session) => {
    const { state } = session;
    for (const [turn, review] of await reviewsIn(session))
      diffs.set(turn, reviewLines(review, style, aboutTurn(state, turn)));
  });
  return diffs;
}
