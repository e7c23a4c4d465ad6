/**
 * `toolwright trust`: shows what the workspace brings along that would run by itself, and records a person's approval.
 */

import { isDirectoryAt } from "../../base/paths.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { broughtAlong } from "../../runtime/addons/brought-along.ts";
import { notAsShown, rememberAlso, rememberShown } from "../../trust/shown-contents.ts";
import { type CliContext, exitCodes, failWith, usageError, printAnswer } from "../cli-context.ts";
import { replyToTrust } from "./replies.ts";

export async function runTrust(context: CliContext, words: readonly string[]): Promise<number> {
  const { terminal, settings } = context;
  const { stateDir } = settings;
  if (!(await isDirectoryAt(settings.workspace)))
    return usageError(terminal, `There is no directory ${JSON.stringify(settings.workspace)}.`);
  const { problems, workspace, trust, things } = await broughtAlong(settings, terminal.env);
  for (const problem of problems) terminal.report(`! ${visibleLine(problem)}\n`);
  if (words.length === 0) await rememberShown(stateDir, workspace, things);
  const reply = await replyToTrust(words, {
    workspace,
    trust,
    things,
    by: "toolwright trust",
    notAsShown: (named) => notAsShown(stateDir, workspace, named),
  });
  if (!reply.ok)
    return failWith(terminal, reply.problem, reply.isMisuse ? exitCodes.usage : exitCodes.failed);
  if (reply.shows) await rememberAlso(stateDir, workspace, reply.shows);
  return printAnswer(context, reply.value, () => reply.lines.join("\n"));
}
