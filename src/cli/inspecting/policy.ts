/**
 * `toolwright policy`: replays other rules on past calls (`simulate`), and manages standing approvals (`grants`,
 * `forget`).
 */

import { realWorkspace } from "../../base/paths.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { Values } from "../../configuration/options/options.ts";
import { simulate, type Simulation } from "../../runtime/inspecting/simulate.ts";
import { forgetGrants, numberedGrants, readProjectGrants } from "../../runtime/project-grants.ts";
import {
  printAnswer,
  type CliContext,
  type CommandWords,
  usageError,
  failWith,
  columns,
} from "../cli-context.ts";

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

async function simulateRules(context: CliContext, rules: Values["rules"]): Promise<number> {
  const { terminal, settings } = context;
  const simulated = await simulate(settings, terminal.env, typeof rules === "string" ? rules : undefined);
  if (!simulated.ok) return usageError(terminal, simulated.problem);
  const { warnings, ...report } = simulated.value;
  for (const warning of warnings) terminal.report(`! ${visibleLine(warning)}\n`);
  return printAnswer(context, report, () => simulationLines(report).join("\n"));
}

async function listGrants(context: CliContext): Promise<number> {
  const { terminal, settings } = context;
  const workspace = await realWorkspace(settings.workspace);
  const { grants, warnings } = await readProjectGrants(settings.stateDir, workspace);
  for (const warning of warnings) terminal.report(`! ${visibleLine(warning)}\n`);
  const numbered = numberedGrants(grants);
  return printAnswer(context, { workspace, grants: numbered }, () => {
    if (grants.length === 0) return `Nothing is permanently allowed in ${visibleLine(workspace)}.`;
    const lines = numbered.map(({ number, words }) => `  ${number}  ${visibleLine(words)}`);
    return [`Allowed in ${visibleLine(workspace)} until revoked:`, ...lines].join("\n");
  });
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
  const lines = taken.map(({ words }) => `Asked about again from now on: ${visibleLine(words)}`);
  return printAnswer(context, { workspace, forgotten: taken }, () =>
    lines.length === 0 ? "There was nothing to forget." : lines.join("\n"),
  );
}

const mostShown = 40;

const sides = {
  recorded: "as recorded",
  present: "by the present rules",
  file: "by the rules of the file",
} as const;

/** Formats a simulation as lines for people. */
function simulationLines(report: Omit<Simulation, "warnings">): string[] {
  const { sessions, calls, compared, before, after, suggestion } = report;
  if (calls === 0) return ["There is nothing to simulate: no session kept here has asked for anything yet."];
  const [one, other] = compared;
  const rows = (["allowed", "asked", "denied"] as const).map((each) => [
    each,
    `${before[each]}`,
    `${after[each]}`,
  ]);
  return [
    `${calls} ${calls === 1 ? "call" : "calls"} in ${sessions} ${sessions === 1 ? "session" : "sessions"}, decided again`,
    "",
    ...columns([["", sides[one], sides[other]], ...rows]),
    "",
    ...changeLines(report),
    "",
    ...(suggestion
      ? [
          `This one rule would have saved ${suggestion.saves} of the ${after.asked} questions:`,
          `  ${visibleLine(JSON.stringify(suggestion.rule))}`,
          ...(suggestion.rule.command !== undefined && suggestion.rule.upTo !== "medium"
            ? ["It would allow high risks without a question: look at what they are before you write it."]
            : []),
        ]
      : [
          after.asked === 0
            ? "No question was asked that a rule could save."
            : "No single rule would have saved a question.",
        ]),
  ];
}

/** Identical changes of the same call are printed once, with a count. */
function changeLines({ changes }: Pick<Simulation, "changes">): string[] {
  if (changes.length === 0) return ["Every call comes out as before."];
  const counted = new Map<string, { row: string[]; times: number }>();
  for (const { title, before, after, because } of changes) {
    const row = [`${before} → ${after}`, visibleLine(title).slice(0, 100), visibleLine(because)];
    const known = counted.get(row.join("\n"));
    counted.set(row.join("\n"), { row, times: (known?.times ?? 0) + 1 });
  }
  const rows = [...counted.values()].sort((one, other) => other.times - one.times);
  const more = rows.length - mostShown;
  return [
    `${changes.length} ${changes.length === 1 ? "call comes" : "calls come"} out differently:`,
    ...columns(rows.slice(0, mostShown).map(({ row, times }) => [`  ${times} ×`, ...row])),
    ...(more > 0 ? [`  and ${more} more kinds; --output json has all of them`] : []),
  ];
}
