/** Opens the session of a headless run, and tells on standard error what there is to know about it. */

import type { Expected } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { LiveSession } from "../../runtime/live-session.ts";
import { openingWarnings } from "../../runtime/opening-warnings.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { untrustedNotice } from "../../trust/words.ts";
import { openQuestions } from "../../view/person-questions.ts";
import { type CliContext } from "../cli-context.ts";
import { waitedFor } from "./result.ts";
import type { AwaitedQuestion } from "./schemas.ts";

/** `waited`: what an earlier run had left waiting for a person. */
export type OpenedSession = { session: LiveSession; waited: AwaitedQuestion[] };

export async function openHeadless(runtime: Runtime, context: CliContext): Promise<Expected<OpenedSession>> {
  const { settings, terminal } = context;
  const warn = (words: string): void => terminal.report(`! ${words}\n`);
  const { notice } = runtime.model;
  const told = settings.verbose && notice !== undefined ? [...runtime.warnings, notice] : runtime.warnings;
  for (const warning of told) warn(visibleLine(warning));
  const opened = await openOne(runtime, context);
  if (!opened.ok) return opened;
  const { session } = opened.value;
  const requests = session.state.turns.length;
  if (settings.sessionId !== undefined && requests > 0)
    warn(
      `Session ${session.id} exists (${requests} ${requests === 1 ? "request" : "requests"}): it is continued.`,
    );
  for (const warning of openingWarnings(session.log.entries)) warn(visibleLine(warning));
  const untrusted = untrustedNotice(runtime.trust.waiting());
  if (untrusted) warn(untrusted.text);
  return opened;
}

/** The new request takes precedence: a turn that was left open is closed as interrupted first. */
async function openOne(
  runtime: Runtime,
  { terminal, settings }: CliContext,
): Promise<Expected<OpenedSession>> {
  const opened = await runtime.open({
    continue: settings.continue,
    fork: settings.fork,
    ...(settings.resume === undefined ? {} : { resume: settings.resume }),
    ...(settings.sessionId === undefined ? {} : { id: settings.sessionId }),
    takeOver: settings.takeOver,
  });
  if (!opened.ok) return opened;
  const session = opened.value;
  const waited = openQuestions(session.state).map(waitedFor);
  if (session.state.status === "running") {
    await session.command({ type: "interrupt", by: "terminal" });
    const what = waited.length > 0 ? "waited for an answer" : "had been left open";
    if (settings.output === "text")
      terminal.report(`! The last request of this session ${what}: it is closed as interrupted.\n`);
  }
  return { ok: true, value: { session, waited } };
}
