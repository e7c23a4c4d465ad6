/** Judges a command line: what every part of it would do, and how severe that is. Runs nothing and reads no files. */

import { countOpeners } from "./command-line/openers.ts";
import { parseShell, type ParsedScript } from "./command-line/parse.ts";
import { doubt, openReport, publishesElsewhere, type Report, type TracedUse } from "./command-line/report.ts";
import { descriptorPath, openShell, type Shell, silent, subshell } from "./command-line/shell.ts";
import { follow } from "./command-line/walk.ts";
import { noInput, openPipeline, type Walk } from "./command-line/walking.ts";
import type { Around } from "./dangers/program.ts";
import { lookThrough } from "./judge/look-through.ts";
import { oddCharacters } from "./judge/odd-characters.ts";
import { summary } from "./judge/summary.ts";
import { isAtLeast, type Judgement } from "./judgement.ts";

/** Never throws. The same text in the same place always gets the same judgement. */
export function judgeCommand(line: string, around: Around): Judgement {
  return summary(traceLine(line, openShell(around)), { line, around });
}

type PlacedScript = { script: ParsedScript; isPlaced: boolean };

/** Everything that was found in the line. `uses`: takes the uses of programs that `judgeCommand` judges. */
export function traceLine(line: string, shell: Shell, uses?: TracedUse[]): Report {
  const report = openReport(uses);
  const walk: Walk = {
    shell,
    report,
    follow,
    input: noInput,
    depth: 0,
    isPlain: true,
    range: undefined,
    isPlaced: false,
    calling: [],
    isConcurrent: false,
    pipeline: openPipeline(),
  };
  for (const odd of oddCharacters(line)) doubt(report, "high", odd);
  const { script, isPlaced } = understand(line, report) ?? {};
  // Whoever reads from a named pipe may stand before its writer.
  if (script && /\bmk(?:fifo|nod)\b/u.test(line)) follow.script(script, walk);
  const output = script ? follow.script(script, { ...walk, isPlaced: isPlaced === true }) : silent;
  shell.sinks.get(descriptorPath(1))?.(output);
  const isKnown = report.parts.some(({ severity }) => isAtLeast(severity, "high"));
  if (output.flows.has("secret") && !isKnown) {
    report.showsVariables = output.flows.has("variables");
    doubt(report, "high", "it shows keys or other secrets");
  }
  for (const run of report.atExit) run();
  if (publishesElsewhere(report)) doubt(report, "high", "it publishes to an address that this line has set");
  for (const body of report.uncalled.values())
    if (report.steps > 0) follow.body(body, { ...walk, shell: subshell(shell), isPlain: false });
  if (report.found.some((script) => !report.entered.has(script)))
    distrust(line, "it holds commands that were not followed", report);
  for (const text of report.untrusted) lookThrough(text, walk);
  return report;
}

function understand(line: string, report: Report): PlacedScript | undefined {
  const parsed = parseShell(line);
  if (!parsed.ok) {
    distrust(line, parsed.problem, report);
    return undefined;
  }
  if (parsed.value.openers < countOpeners(line))
    distrust(line, "it runs commands that were not found in it", report);
  report.found.push(...parsed.value.nested);
  return parsed.value;
}

function distrust(line: string, problem: string, report: Report): void {
  doubt(report, "high", problem);
  report.untrusted.push(line);
}
