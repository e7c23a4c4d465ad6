/**
 * `toolwright trust`: shows what the workspace brings along that would run by itself, and records a person's approval.
 */

import { isDirectoryAt } from "../../base/paths.ts";
import { type BroughtAlong, broughtAlong } from "../../runtime/addons/brought-along.ts";
import { notAsShown, rememberAlso, rememberShown } from "../../trust/shown-contents.ts";
import { isNamed, wholeNames } from "../../trust/trust.ts";
import { visibleLine } from "../../view/visible.ts";
import { type CliContext, failWith, usageError, printAnswer } from "../cli-context.ts";
import { showTrust } from "./contents.ts";
import {
  agreedLines,
  allBesides,
  broughtLines,
  forgottenLines,
  isAnother,
  meansAll,
  whatToSay,
} from "./lines.ts";

export async function runTrust(context: CliContext, words: readonly string[]): Promise<number> {
  const { terminal, settings } = context;
  if (!(await isDirectoryAt(settings.workspace)))
    return usageError(terminal, `There is no directory ${JSON.stringify(settings.workspace)}.`);
  const found = await broughtAlong(settings, terminal.env);
  for (const problem of found.problems) terminal.report(`! ${visibleLine(problem)}\n`);
  const [first, ...rest] = words;
  if (first === undefined) {
    await rememberShown(settings.stateDir, found.workspace, found.things);
    return list(context, found);
  }
  if (first === "show") return show(context, found, rest);
  if (first === "forget") return forget(context, found, rest);
  return agree(context, found, words);
}

function list(context: CliContext, { workspace, trust, things }: BroughtAlong): number {
  const waiting = things.filter((thing) => !trust.allows(thing));
  const agreed = things.filter((thing) => !waiting.includes(thing));
  return printAnswer(context, { workspace, waiting, agreed }, () =>
    broughtLines({ waiting, agreed, before: trust.agreed() }).join("\n"),
  );
}

/** After seeing the contents a person may approve by name, as after the list. */
async function show(context: CliContext, found: BroughtAlong, typed: readonly string[]): Promise<number> {
  const { workspace, trust, things } = found;
  const words = wholeNames(typed, things);
  const shown = await showTrust(things, words, { workspace, agreed: trust.agreed(), by: "toolwright trust" });
  if (!shown.ok) return usageError(context.terminal, shown.problem);
  await rememberAlso(context.settings.stateDir, workspace, shown.things);
  return printAnswer(context, { workspace, things: shown.things }, () => shown.lines.join("\n"));
}

async function agree(context: CliContext, found: BroughtAlong, typed: readonly string[]): Promise<number> {
  const { terminal, settings } = context;
  const { workspace, trust, things } = found;
  const words = wholeNames(typed, things);
  const waiting = things.filter((thing) => !trust.allows(thing));
  const isAll = meansAll(words, things);
  if (isAll && words.length > 1) return usageError(terminal, allBesides());
  const unknown = isAll ? undefined : words.find((word) => !things.some((thing) => isNamed(thing, [word])));
  if (unknown !== undefined) return usageError(terminal, whatToSay(unknown));
  const meant = isAll ? waiting : waiting.filter((thing) => isNamed(thing, words));
  const byName = meant.filter(({ hash }) => !words.some((word) => isNamed({ name: "", hash }, [word])));
  const [changed] = notAsShown(settings.stateDir, workspace, byName);
  if (changed) return failWith(terminal, isAnother(changed));
  const kept = meant.length === 0 ? { ok: true as const } : await trust.agree(meant);
  if (!kept.ok) return failWith(terminal, kept.problem);
  return printAnswer(context, { workspace, agreed: meant }, () => agreedLines(meant).join("\n"));
}

async function forget(context: CliContext, found: BroughtAlong, typed: readonly string[]): Promise<number> {
  const { terminal } = context;
  const { workspace, trust } = found;
  const words = wholeNames(typed, trust.agreed());
  const isAll = words.length === 0 || meansAll(words, trust.agreed());
  if (isAll && words.length > 1) return usageError(terminal, allBesides("toolwright trust forget"));
  const unknown = isAll
    ? undefined
    : words.find((word) => !trust.agreed().some((one) => isNamed(one, [word])));
  if (unknown !== undefined)
    return usageError(terminal, `Nothing is agreed to that is called ${JSON.stringify(unknown)}.`);
  const forgotten = await trust.forget(isAll ? "all" : words);
  if (!forgotten.ok) return failWith(terminal, forgotten.problem);
  return printAnswer(context, { workspace, forgotten: forgotten.value }, () =>
    forgottenLines(forgotten.value).join("\n"),
  );
}
