/** `toolwright sessions delete`: permanent, so it asks first. */

import { deleteSessions, livingHolder, type SessionSummary, withChildren } from "../../archive/sessions.ts";
import type { Expected } from "../../base/expected.ts";
import { jsonLine } from "../../base/json-lines.ts";
import { readDuration, type Values } from "../../configuration/options/options.ts";
import { askingAt } from "../../tui/line/asking.ts";
import { complain, exitCodes, printAnswer, type CliContext } from "../cli-context.ts";
import { confirm } from "../conversation/questions.ts";
import { isHere } from "./list.ts";
import { sessionLines, widthOf } from "./table.ts";
import { findSummary, refuse, type SubcommandContext } from "./words.ts";

/** Exit code 1 if a session could not be deleted, 130 if the question was cancelled. */
export async function removeSessions(work: SubcommandContext): Promise<number> {
  const { context, store, words, flags } = work;
  const wrong = misuse(words, flags);
  if (wrong !== undefined) return refuse(context, wrong, exitCodes.usage);
  const chosen = await choose(work);
  if (!chosen.ok) return refuse(context, chosen.problem, exitCodes.failed);
  const agreed = await agree(work, chosen.value);
  if (agreed !== true) return agreed;
  const ids = chosen.value.map(({ id }) => id);
  const { deleted, refused } = await deleteSessions(store, ids);
  const { terminal, settings } = context;
  if (settings.output !== "text") terminal.print(`${jsonLine({ deleted, refused })}\n`);
  else if (refused.length === 0 || deleted.length > 0)
    terminal.print(
      deleted.length === 1 ? `${deleted[0]} is deleted.\n` : `${deleted.length} sessions are deleted.\n`,
    );
  for (const { problem } of refused) complain(terminal, problem);
  return refused.length === 0 ? exitCodes.done : exitCodes.failed;
}

function misuse(words: readonly string[], flags: Values): string | undefined {
  const { olderThan } = flags;
  if (words.length === 0 && olderThan === undefined)
    return "Which sessions? toolwright sessions delete ID…, or delete --older-than 30d";
  if (words.length > 0 && olderThan !== undefined) return "Name the sessions, or say --older-than: not both.";
  if (flags.all === true && olderThan === undefined) return "--all goes with --older-than only.";
  if (olderThan !== undefined && readDuration(String(olderThan)) === undefined)
    return `--older-than is an age such as 12h, 30d or 8w, not ${JSON.stringify(olderThan)}.`;
  return undefined;
}

/** Fewer characters may be a typo. */
const leastOfId = 4;

/** The sessions named, by id only; or those unused for the given time, except open ones. */
async function choose(work: SubcommandContext): Promise<Expected<SessionSummary[]>> {
  const { store, words, flags } = work;
  if (flags.olderThan !== undefined) return { ok: true, value: await old(work) };
  const chosen = new Map<string, SessionSummary>();
  for (const word of words) {
    const found = await findSummary(store, word);
    if (!found.ok) return found;
    if (!found.value.id.endsWith(word))
      return {
        ok: false,
        problem: `A session is deleted by its id only; ${JSON.stringify(word)} fits the title of ${found.value.id}.`,
      };
    if (word.length < leastOfId && found.value.id !== word)
      return {
        ok: false,
        problem: `Give at least ${leastOfId} characters of an id that is to be deleted: ${found.value.id} ends with ${word}.`,
      };
    chosen.set(found.value.id, found.value);
  }
  return { ok: true, value: [...chosen.values()] };
}

async function old(work: SubcommandContext): Promise<SessionSummary[]> {
  const { store, flags } = work;
  const before = Date.now() - (readDuration(String(flags.olderThan)) ?? Number.POSITIVE_INFINITY);
  const isChosen = flags.all === true ? () => true : await isHere(work);
  const here = (await store.list()).filter(isChosen);
  const ids = new Set(here.map(({ id }) => id));
  // A subagent's session takes its age from its parent.
  const isOwn = ({ parent }: SessionSummary): boolean => parent === undefined || !ids.has(parent);
  const all = here.filter((one) => one.updatedAt < before && isOwn(one));
  const held = await Promise.all(all.map(({ id }) => livingHolder(store, id)));
  return all.filter((_, at) => held[at] === undefined);
}

/** True, or the exit code with which the command ends. */
async function agree(
  { context, store, flags }: SubcommandContext,
  chosen: readonly SessionSummary[],
): Promise<true | number> {
  const { terminal, settings } = context;
  if (chosen.length === 0) {
    return printAnswer(context, { deleted: [], refused: [] }, () => "There is nothing to delete.");
  }
  if (flags.yes === true) return true;
  if (!terminal.inputIsTerminal || !terminal.outputIsTerminal || settings.output !== "text")
    return refuse(context, "Nobody can be asked here whether to delete them: add --yes.", exitCodes.usage);
  const all = await withChildren(store, chosen);
  terminal.print(
    `${sessionLines(all, { now: Date.now(), workspaces: true, columns: widthOf(terminal) }).join("\n")}\n`,
  );
  return ask(context, all.length === 1 ? "Delete it for good?" : `Delete these ${all.length} for good?`);
}

async function ask({ terminal }: CliContext, question: string): Promise<true | number> {
  const person = askingAt(terminal);
  try {
    const agreed = await confirm(person, question);
    if (agreed === true) return true;
    terminal.print(`${agreed === undefined ? "\n" : ""}Nothing was deleted.\n`);
    return person.wasInterrupted ? exitCodes.interrupted : exitCodes.failed;
  } finally {
    person.close();
  }
}
