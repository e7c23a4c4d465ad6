/**
 * `toolwright policy`: replays other rules on past calls (`simulate`), and manages standing approvals (`grants`,
 * `forget`).
 */

import { jsonLine } from "../../base/json-lines.ts";
import type { Values } from "../../configuration/options/options.ts";
import { simulate } from "../../runtime/inspecting/simulate.ts";
import {
  forgetGrants,
  numberedGrants,
  readProjectGrants,
  realWorkspace,
} from "../../runtime/project-grants.ts";
import { visibleLine } from "../../view/visible.ts";
import { exitCodes, type CliContext, type CommandWords, usageError, failWith } from "../cli-context.ts";
import { simulationLines } from "./simulation-lines.ts";

/** Exit code 2 for wrong usage. */
export async function runPolicy(context: CliContext, { words, flags }: CommandWords): Promise<number> {
  const [what, which, more] = words;
  if (what !== "simulate" && flags.rules !== undefined)
    return usageError(context.terminal, "--rules is for toolwright policy simulate only.");
  switch (what) {
    case "simulate":
      return which === undefined
        ? simulateRules(context, flags.rules)
        : usageError(context.terminal, tooMany(what, which));
    case "grants":
      return which === undefined ? listGrants(context) : usageError(context.terminal, tooMany(what, which));
    case "forget":
      return more === undefined ? forget(context, which) : usageError(context.terminal, tooMany(what, more));
    default:
      return usageError(
        context.terminal,
        "Choose one: toolwright policy simulate tries rules on past commands, policy grants lists what is permanently allowed here, policy forget revokes it.",
      );
  }
}

const tooMany = (what: string, word: string): string =>
  `toolwright policy ${what} takes no further arguments, and "${word}" is one.`;

async function simulateRules({ terminal, settings }: CliContext, rules: Values["rules"]): Promise<number> {
  const simulated = await simulate(settings, terminal.env, typeof rules === "string" ? rules : undefined);
  if (!simulated.ok) return usageError(terminal, simulated.problem);
  const { warnings, ...report } = simulated.value;
  for (const warning of warnings) terminal.report(`! ${visibleLine(warning)}\n`);
  const text = settings.output === "text" ? simulationLines(report).join("\n") : jsonLine(report);
  terminal.print(`${text}\n`);
  return exitCodes.done;
}

async function listGrants({ terminal, settings }: CliContext): Promise<number> {
  const workspace = await realWorkspace(settings.workspace);
  const { grants, warnings } = await readProjectGrants(settings.stateDir, workspace);
  for (const warning of warnings) terminal.report(`! ${visibleLine(warning)}\n`);
  if (settings.output !== "text")
    terminal.print(`${jsonLine({ workspace, grants: numberedGrants(grants) })}\n`);
  else if (grants.length === 0)
    terminal.print(`Nothing is permanently allowed in ${visibleLine(workspace)}.\n`);
  else {
    terminal.print(`Allowed in ${visibleLine(workspace)} until revoked:\n`);
    for (const { number, words } of numberedGrants(grants))
      terminal.print(`  ${number}  ${visibleLine(words)}\n`);
  }
  return exitCodes.done;
}

const grantNumber = (word = ""): number | undefined =>
  /^[1-9]\d{0,6}$/u.test(word) ? Number(word) : undefined;

async function forget(context: CliContext, which: string | undefined): Promise<number> {
  const { terminal, settings } = context;
  const number = which === "all" ? which : grantNumber(which);
  if (number === undefined)
    return usageError(
      context.terminal,
      "Which grant should be revoked? toolwright policy grants numbers them: policy forget 1, or policy forget all.",
    );
  const workspace = await realWorkspace(settings.workspace);
  const forgotten = await forgetGrants(settings.stateDir, workspace, number);
  if (!forgotten.ok) return failWith(terminal, forgotten.problem);
  const taken = numberedGrants(forgotten.forgotten);
  if (settings.output !== "text") terminal.print(`${jsonLine({ workspace, forgotten: taken })}\n`);
  else if (taken.length === 0) terminal.print("There was nothing to forget.\n");
  for (const { words } of settings.output === "text" ? taken : [])
    terminal.print(`Asked about again from now on: ${visibleLine(words)}\n`);
  return exitCodes.done;
}
