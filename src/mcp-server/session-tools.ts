/** Tools with which another agent inspects sessions and undoes their changes. */

import * as z from "zod/mini";
import { otherProgramBounds } from "../base/bounds.ts";
import type { HostedRow } from "../hosting/session-host.ts";
import { countField, switchField, textField } from "../tools/arguments/shape.ts";
import { reviewLines } from "../view/review.ts";
import { styleFor } from "../view/style.ts";
import { problem, textResult } from "./outcome.ts";
import { runTask } from "./run-task.ts";
import { type SessionToolContext, type SessionTool, sessionTool, type ToolReply } from "./session-tool.ts";
import { transcriptPage } from "./transcript.ts";
import { findSession, sessionPage } from "./workspace-sessions.ts";

const reads = { readOnlyHint: true, openWorldHint: false } as const;
const sessionField = () => textField("The id of a session, or the end of it");

const listSessions = sessionTool({
  name: "list_sessions",
  title: "List sessions",
  description: "The coding sessions kept for this workspace, newest first, with their titles and standing.",
  annotations: reads,
  input: {
    search: z.optional(textField("Only those with these words")),
    after: z.optional(textField("Read on behind this session")),
  },
  async run({ search, after }, { surface }) {
    const given = { search, after };
    const page = await sessionPage(surface, given);
    const rows = page.sessions.map(rowOf);
    const lines = rows.map(
      ({ session, title, standing, updatedAt }) => `${session}  ${updatedAt}  ${standing}  ${title}`,
    );
    if (lines.length === 0) lines.push("There is no such session of this workspace.");
    if (page.after !== undefined) lines.push(`There are more: list_sessions with after ${page.after}.`);
    return textResult(lines.join("\n"), { sessions: rows, after: page.after ?? null });
  },
});

const rowOf = ({ id, title, standing, updatedAt, createdAt, turns, facts }: HostedRow) => ({
  session: id,
  title,
  standing,
  requests: turns,
  facts,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
});

const readSession = sessionTool({
  name: "read_session",
  title: "Read a session",
  description: "What was asked, said, done and decided in a session, as Markdown, page by page.",
  annotations: reads,
  input: {
    session: sessionField(),
    page: z.optional(countField("Which page, from 1; the first by default")),
  },
  run: async ({ session, page = 1 }, { surface }) => {
    const found = await findSession(surface, session);
    if (!found.ok) return problem(found.problem);
    const { text, pages } = await transcriptPage(surface.host, found.value, page);
    const more = page < pages ? `\n\n[Page ${page} of ${pages}: read on with page ${page + 1}.]` : "";
    return textResult(`${text}${more}`);
  },
});

const turnField = () =>
  z.optional(countField("Which request, by its number; the newest that changed something"));

const reviewChanges = sessionTool({
  name: "review_changes",
  title: "Show what was changed",
  description: "The diff of what a request of a session changed, as it stands now.",
  annotations: reads,
  input: { session: z.optional(sessionField()), turn: turnField() },
  run: async ({ session, turn }, given) => {
    const id = await idOf(session, given);
    if (typeof id !== "string") return id;
    const reviewed = await hostOf(id, given).review(id, turn);
    if (!reviewed.ok) return problem(reviewed.problem);
    const text = reviewLines(reviewed.value, styleFor({}, false)).join("\n");
    const { text: page } = otherProgramBounds;
    return textResult(
      text.length > page.most ? `${text.slice(0, page.most)}\n[The rest is left out.]` : text,
    );
  },
});

const undoChanges = sessionTool({
  name: "undo_changes",
  title: "Undo changes",
  description:
    "Undo the file changes of a request, all of them or none: in a session of run_task, or (without `session`) those made by your own tool calls here. Later work is never overwritten unless `onConflict` says so.",
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  input: {
    session: z.optional(sessionField()),
    turn: turnField(),
    paths: z.optional(z.array(textField("Only of this file or directory, relative to the workspace"))),
    again: z.optional(switchField("Redo what was undone last")),
    onConflict: z.optional(z.enum(["skip", "restore", "merge"])),
  },
  run: async ({ session, turn, paths, again, onConflict }, given) => {
    const id = await idOf(session, given);
    if (typeof id !== "string") return id;
    const which = {
      turn,
      paths,
      onConflict,
    };
    const host = hostOf(id, given);
    const before = (await host.row(id))?.facts ?? 0;
    const done = await host.command(id, { type: again === true ? "redo" : "undo", ...which });
    if (!done.ok) return problem(done.problem);
    const told = await host.facts(id, before, 1);
    const changes = told.flatMap((fact) => (fact.type === "changes-undone" ? fact.changes : []));
    const files = changes.map(({ path }) => path);
    return textResult(`${again === true ? "Redone" : "Undone"}: ${files.join(", ")}.`, {
      session: id,
      files,
    });
  },
});

/** Without a session, uses the one that holds the client's own direct calls. */
async function idOf(
  session: string | undefined,
  { surface }: SessionToolContext,
): Promise<string | ToolReply> {
  if (session === undefined)
    return surface.calls.session ?? problem("No tool was called here yet: name a session.");
  const found = await findSession(surface, session);
  return found.ok ? found.value.id : problem(found.problem);
}

/** A session must be reached through the host that has it open. */
const hostOf = (id: string, { surface }: SessionToolContext) =>
  surface.calls.has(id) ? surface.calls.host : surface.host;

export const sessionTools: readonly SessionTool[] = [
  runTask,
  listSessions,
  readSession,
  reviewChanges,
  undoChanges,
];
