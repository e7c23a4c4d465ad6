/**
 * `toolwright trust`: shows what the workspace brings along that would run by itself, and records a person's approval.
 */

import { stat } from "node:fs/promises";
import { type BroughtAlong, broughtAlong } from "../../runtime/addons/brought-along.ts";
import { notAsShown, rememberAlso, rememberShown } from "../../trust/shown-contents.ts";
import { isNamed, wholeNames } from "../../trust/trust.ts";
import { visibleLine } from "../../view/visible.ts";
import { complain, exitCodes, type CliContext } from "../cli-context.ts";
import { jsonLine } from "../inspecting/judged-lines.ts";
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
  if (!(await isDirectory(settings.workspace)))
    return refuse(context, `There is no directory ${JSON.stringify(settings.workspace)}.`);
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

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

function list({ terminal, settings }: CliContext, { workspace, trust, things }: BroughtAlong): number {
  const waiting = things.filter((thing) => !trust.allows(thing));
  const agreed = things.filter((thing) => !waiting.includes(thing));
  if (settings.output !== "text") terminal.print(`${jsonLine({ workspace, waiting, agreed })}\n`);
  else terminal.print(`${broughtLines({ waiting, agreed, before: trust.agreed() }).join("\n")}\n`);
  return exitCodes.done;
}

/** After seeing the contents a person may approve by name, as after the list. */
async function show(context: CliContext, found: BroughtAlong, typed: readonly string[]): Promise<number> {
  const { terminal, settings } = context;
  const { workspace, trust, things } = found;
  const words = wholeNames(typed, things);
  const shown = await showTrust(things, words, { workspace, agreed: trust.agreed(), by: "toolwright trust" });
  if (!shown.ok) return refuse(context, shown.problem);
  await rememberAlso(settings.stateDir, workspace, shown.things);
  if (settings.output !== "text") terminal.print(`${jsonLine({ workspace, things: shown.things })}\n`);
  else terminal.print(`${shown.lines.join("\n")}\n`);
  return exitCodes.done;
}

async function agree(context: CliContext, found: BroughtAlong, typed: readonly string[]): Promise<number> {
  const { terminal, settings } = context;
  const { workspace, trust, things } = found;
  const words = wholeNames(typed, things);
  const waiting = things.filter((thing) => !trust.allows(thing));
  const isAll = meansAll(words, things);
  if (isAll && words.length > 1) return refuse(context, allBesides());
  const unknown = isAll ? undefined : words.find((word) => !things.some((thing) => isNamed(thing, [word])));
  if (unknown !== undefined) return refuse(context, whatToSay(unknown));
  const meant = isAll ? waiting : waiting.filter((thing) => isNamed(thing, words));
  const byName = meant.filter(({ hash }) => !words.some((word) => isNamed({ name: "", hash }, [word])));
  const [changed] = notAsShown(settings.stateDir, workspace, byName);
  if (changed) {
    complain(terminal, isAnother(changed));
    return exitCodes.failed;
  }
  const kept = meant.length === 0 ? { ok: true as const } : await trust.agree(meant);
  if (!kept.ok) {
    complain(terminal, kept.problem);
    return exitCodes.failed;
  }
  if (settings.output !== "text") terminal.print(`${jsonLine({ workspace, agreed: meant })}\n`);
  else terminal.print(`${agreedLines(meant).join("\n")}\n`);
  return exitCodes.done;
}

async function forget(context: CliContext, found: BroughtAlong, typed: readonly string[]): Promise<number> {
  const { terminal, settings } = context;
  const { workspace, trust } = found;
  const words = wholeNames(typed, trust.agreed());
  const isAll = words.length === 0 || meansAll(words, trust.agreed());
  if (isAll && words.length > 1) return refuse(context, allBesides("toolwright trust forget"));
  const unknown = isAll
    ? undefined
    : words.find((word) => !trust.agreed().some((one) => isNamed(one, [word])));
  if (unknown !== undefined)
    return refuse(context, `Nothing is agreed to that is called ${JSON.stringify(unknown)}.`);
  const forgotten = await trust.forget(isAll ? "all" : words);
  if (!forgotten.ok) {
    complain(terminal, forgotten.problem);
    return exitCodes.failed;
  }
  if (settings.output !== "text") terminal.print(`${jsonLine({ workspace, forgotten: forgotten.value })}\n`);
  else terminal.print(`${forgottenLines(forgotten.value).join("\n")}\n`);
  return exitCodes.done;
}

function refuse({ terminal }: CliContext, problem: string): number {
  complain(terminal, problem);
  return exitCodes.usage;
}
