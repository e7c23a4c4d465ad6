/** Moves a conversation to another session: an empty one (`/new`), a copy (`/fork`), or an earlier one (`/resume`). */

import { type SessionRow, sessionRows } from "../../archive/sessions.ts";
import type { Expected } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { inFlags } from "../../configuration/options/flag-words.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import { nestSessions, sessionChoice, sessionLines, usualRows } from "../sessions/table.ts";
import { endedWith, runningTerminals } from "./background.ts";
import { chooseOne } from "./choose-one.ts";
import { showLastRequests } from "./greeting.ts";
import type { Talk } from "./talk.ts";

export async function newSession(talk: Talk): Promise<void> {
  const { session, terminal, runtime } = talk;
  if (isBusy(talk)) return;
  if (session.state.turns.length === 0)
    return terminal.note("This session is new: nothing was said in it yet.");
  const opened = await opening(talk, runtime.open({}));
  if (!opened) return;
  await moveTo(talk, opened);
  terminal.note(`This is a new session (${opened.id}).`, ...keptLine(session));
}

/** Copies all of it; with a number, what was before that request. */
export async function forkSession(talk: Talk, rest: string): Promise<void> {
  const { session, terminal, runtime } = talk;
  if (isBusy(talk)) return;
  const before = /^#?([1-9]\d{0,8})$/u.exec(rest)?.[1];
  if (rest !== "" && before === undefined)
    return terminal.note("/fork copies the session, /fork 3 what was before request 3.");
  if (session.state.turns.length === 0) return terminal.note("There is nothing to copy yet.");
  const number = before === undefined ? undefined : Number(before);
  const opened = await opening(talk, runtime.fork(session.id, number));
  if (!opened) return;
  await moveTo(talk, opened);
  const what = before === undefined ? "all of it" : `everything before request ${before}`;
  terminal.note(
    `This is a new session (${opened.id}) with ${what}. Files stay as they are.`,
    ...keptLine(session),
  );
}

/** By its number in the list, its id, the end of that, or words of its title. */
export async function resumeSession(talk: Talk, rest: string): Promise<void> {
  const { session, terminal, runtime } = talk;
  if (isBusy(talk)) return;
  const wanted = rest === "" ? await askWhich(talk) : rest;
  if (wanted === undefined) return;
  const opened = await opening(talk, runtime.open({ resume: wanted }));
  if (!opened) return;
  if (opened === session || opened.id === session.id) {
    await opened.close(); // this conversation has it open already
    return terminal.note("That is this session.");
  }
  await leaveFor(talk, opened);
  const { title, turns } = opened.state;
  terminal.note(`This is session ${opened.id}${title === undefined ? "" : `, ${visibleLine(title)}`}.`);
  if (turns.length > 0) showLastRequests(talk);
  if (session.state.turns.length > 0) terminal.note(...keptLine(session));
  await talk.takeUp();
}

/** The other sessions of this workspace, newest first; not those of subagents. */
export async function otherSessions({ runtime, session }: Talk): Promise<SessionRow[]> {
  const all = await runtime.store.list();
  const here = all.filter(
    ({ workspace, id, parent }) =>
      workspace === runtime.workspace && id !== session.id && parent === undefined,
  );
  return sessionRows(runtime.store, nestSessions(here).slice(0, usualRows));
}

async function askWhich(talk: Talk): Promise<string | undefined> {
  const { terminal } = talk;
  const rows = await otherSessions(talk);
  if (rows.length === 0) {
    terminal.note(
      "There is no other session of this workspace; toolwright sessions --all lists those of others.",
    );
    return undefined;
  }
  const width = String(rows.length).length + 2;
  const view = { now: Date.now(), workspaces: false, columns: terminal.columns - width - 1 };
  const [head = "", ...lines] = sessionLines(rows, view);
  const isTable = lines.length === rows.length; // on a narrow terminal each has several lines
  const chosen = await chooseOne(talk, {
    title: "Which session?",
    choices: rows.map((row) => sessionChoice(row, view.now)),
    lines: [
      isTable ? `${" ".repeat(width)} ${head}` : head,
      ...lines.map((line, at) => (isTable ? `${`${at + 1}.`.padStart(width)} ${line}` : line)),
    ],
    prompt: "Which one? (number or id; Enter: none) ",
  });
  return chosen?.type === "choice" ? rows[chosen.at]?.id : chosen?.words;
}

const keptLine = ({ id }: LiveSession): string[] => [`The one before is kept: toolwright --resume ${id}`];

function isBusy({ session, terminal }: Talk): boolean {
  if (session.state.status !== "running") return false;
  terminal.note("A request is open: answer it or interrupt it first.");
  return true;
}

async function opening(
  { terminal, style }: Talk,
  opened: Promise<Expected<LiveSession>>,
): Promise<LiveSession | undefined> {
  const result = await opened;
  if (result.ok) return result.value;
  terminal.note(style.yellow(`! ${visibleLine(inFlags(result.problem))}`));
  return undefined;
}

/** Its settings carry over. */
export async function moveTo(talk: Talk, next: LiveSession): Promise<void> {
  const before = talk.session;
  await next.command({ type: "set-mode", mode: before.mode });
  if (before.model.name !== next.model.name)
    await next.command({ type: "set-model", model: before.model.name });
  await next.command({ type: "set-reasoning", reasoning: before.reasoning });
  await leaveFor(talk, next);
}

/** Background programs of the session before end with it. */
async function leaveFor(talk: Talk, next: LiveSession): Promise<void> {
  const before = talk.session;
  talk.session = next;
  talk.terminal.startOver(next.log.entries);
  talk.seen = next.state.seq;
  const running = runningTerminals(before);
  await before.close();
  if (running.length > 0) talk.terminal.note(endedWith("the session before", running));
  talk.background = "";
}
