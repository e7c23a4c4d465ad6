/** `toolwright sessions rename` and `fork`. */

import {
  forkSession,
  type ForkPoint,
  renameSession,
  type SessionSummary,
  type Store,
} from "../../archive/sessions.ts";
import type { Expected } from "../../base/expected.ts";
import { jsonLine } from "../../base/json-lines.ts";
import { keepOut } from "../../base/keep-out.ts";
import { shellQuoted } from "../../base/shell-word.ts";
import type { OptionValue } from "../../configuration/options/options.ts";
import { configuredKeys } from "../../runtime/observing/known-secrets.ts";
import { realWorkspace } from "../../runtime/project-grants.ts";
import { isOfPeopleIn } from "../../runtime/runtime.ts";
import { visibleLine } from "../../view/visible.ts";
import { type CliContext, exitCodes, printAnswer } from "../cli-context.ts";
import { findSummary, refuse, shortId, type SubcommandContext } from "./words.ts";

export async function renameNamed({ context, store, words }: SubcommandContext): Promise<number> {
  const { terminal, settings } = context;
  const [wanted = "", ...title] = words;
  const found = await findSummary(store, wanted);
  if (!found.ok) return refuse(context, found.problem, exitCodes.failed);
  const { id } = found.value;
  const renamed = await renameSession(store, {
    session: id,
    title: title.join(" "),
    keepOut: keepOut(configuredKeys(settings, terminal.env)),
  });
  if (!renamed.ok) return refuse(context, renamed.problem, exitCodes.usage);
  return printAnswer(
    context,
    { session: id, title: renamed.value },
    () => `${id} is called "${visibleLine(renamed.value)}" now.`,
  );
}

export async function forkNamed({ context, store, words, flags }: SubcommandContext): Promise<number> {
  const point = readPoint(flags.at);
  if (!point.ok) return refuse(context, point.problem, exitCodes.usage);
  const [wanted] = words;
  const found = wanted === undefined ? await newestHere(context, store) : await findSummary(store, wanted);
  if (!found.ok) return refuse(context, found.problem, exitCodes.failed);
  const source = found.value;
  const forked = await forkSession(store, source.id, point.value);
  if (!forked.ok) return refuse(context, forked.problem, exitCodes.failed);
  const { id, facts, before } = forked.value;
  const { terminal, settings } = context;
  if (settings.output !== "text") {
    terminal.print(`${jsonLine({ session: id, from: source.id, facts, before: before ?? null })}\n`);
    return exitCodes.done;
  }
  const what = before === undefined ? `${facts} facts` : `everything before request ${before}`;
  terminal.print(
    `${id} has ${what} of ${source.id}. Files stay as they are; go on: toolwright -C ${shellQuoted(source.workspace)} --resume ${shortId(id)}\n`,
  );
  return exitCodes.done;
}

async function newestHere({ settings }: CliContext, store: Store): Promise<Expected<SessionSummary>> {
  const workspace = await realWorkspace(settings.workspace);
  const newest = (await store.list()).find(isOfPeopleIn(workspace));
  if (newest) return { ok: true, value: newest };
  return {
    ok: false,
    problem: "There is no session of this workspace yet: `toolwright sessions --all` lists the others.",
  };
}

/** "3": before request 3; "fact:57": up to and including fact 57. */
function readPoint(at: OptionValue | undefined): Expected<ForkPoint | undefined> {
  if (at === undefined) return { ok: true, value: undefined };
  const [, fact, number] = /^(fact:|#)?([1-9]\d{0,8})$/u.exec(String(at)) ?? [];
  if (number === undefined)
    return {
      ok: false,
      problem: `--at is the number of a request ("3": before it) or of a fact ("fact:57": up to it), not ${JSON.stringify(at)}.`,
    };
  return { ok: true, value: fact === undefined ? { before: Number(number) } : { fact: Number(number) } };
}
