/** Moves a conversation to another session: an empty one (`/new`), or a fork with an earlier message changed. */

import type { LiveSession } from "../../runtime/live-session.ts";
import { visibleLine } from "../../view/visible.ts";
import { endedWith, runningTerminals } from "./background.ts";
import type { Talk } from "./talk.ts";

export async function newSession(talk: Talk): Promise<void> {
  const { session, terminal, runtime, style } = talk;
  const { status, turns } = session.state;
  if (status === "running") return terminal.note("A request is open: answer it or interrupt it first.");
  if (turns.length === 0) return terminal.note("This session is new: nothing was said in it yet.");
  const opened = await runtime.open({});
  if (!opened.ok) return terminal.note(style.yellow(`! ${visibleLine(opened.problem)}`));
  await moveTo(talk, opened.value);
  terminal.note(
    `This is a new session (${opened.value.id}).`,
    `The one before is kept: toolwright --resume ${session.id}`,
  );
}

/** Its settings carry over; background programs of the previous session end with it. */
export async function moveTo(talk: Talk, next: LiveSession): Promise<void> {
  const before = talk.session;
  talk.session = next;
  talk.terminal.startOver(next.log.entries);
  await next.command({ type: "set-mode", mode: before.mode });
  if (before.model.name !== next.model.name)
    await next.command({ type: "set-model", model: before.model.name });
  await next.command({ type: "set-reasoning", reasoning: before.reasoning });
  talk.seen = next.state.seq;
  const running = runningTerminals(before);
  await before.close();
  if (running.length > 0) talk.terminal.note(endedWith("the session before", running));
  talk.background = "";
}
