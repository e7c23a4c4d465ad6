/** Judges a command line: what every part of it would do, and how severe that is. Runs nothing and reads no files. */

import { countOpeners } from "./command-line/openers.ts";
import { parseShell } from "./command-line/parse.ts";
import { doubt, openReport, publishesElsewhere, type Report } from "./command-line/report.ts";
import { descriptorPath, openShell, type Output, type Shell, subshell } from "./command-line/shell.ts";
import { follow } from "./command-line/walk.ts";
import { noInput, openPipeline, type Walk } from "./command-line/walking.ts";
import { literal, noFlows } from "./command-line/word.ts";
import type { Around } from "./dangers/program.ts";
import { lookThrough } from "./judge/look-through.ts";
import { oddCharacters } from "./judge/odd-characters.ts";
import { summary } from "./judge/summary.ts";
import { isAtLeast, type Judgement } from "./judgement.ts";

/** Never throws. The same text in the same place always gets the same judgement. */
export function judgeCommand(line: string, around: Around): Judgement {
  return summary(traceLine(line, openShell(around)), around);
}

/** Everything that was found in the line; its `uses` are what `judgeCommand` has judged. */
export function traceLine(line: string, shell: Shell): Report {
  const report = openReport();
  const walk: Walk = {
    shell,
    report,
    follow,
    input: noInput,
    depth: 0,
    isPlain: true,
    calling: [],
    isConcurrent: false,
    pipeline: openPipeline(),
  };
  for (const odd of oddCharacters(line)) doubt(report, "high", odd);
  // Whoever reads from a named pipe may stand before its writer.
  if (/\bmk(?:fifo|nod)\b/u.test(line)) understand(line, walk);
  const output = understand(line, walk);
  shell.sinks.get(descriptorPath(1))?.(output);
  const isKnown = report.parts.some(({ severity }) => isAtLeast(severity, "high"));
  if (output.flows.has("secret") && !isKnown) {
    report.showsVariables = output.flows.has("variables");
    doubt(report, "high", "it shows keys or other secrets");
  }
  for (const run of report.atExit) run();
  if (publishesElsewhere(report)) doubt(report, "high", "it publishes to an address that this line has set");
  for (const body of report.uncalled.values())
    follow.body(body, { ...walk, shell: subshell(shell), isPlain: false });
  if (report.found.some((script) => !report.entered.has(script)))
    distrust(line, "it holds commands that were not followed", report);
  for (const text of report.untrusted) lookThrough(text, walk);
  return report;
}

function understand(line: string, walk: Walk): Output {
  const parsed = parseShell(line);
  if (!parsed.ok) return distrust(line, parsed.problem, walk.report);
  if (parsed.value.openers < countOpeners(line))
    distrust(line, "it runs commands that were not found in it", walk.report);
  walk.report.found.push(...parsed.value.nested);
  return follow.script(parsed.value.script, walk);
}

function distrust(line: string, problem: string, report: Report): Output {
  doubt(report, "high", problem);
  report.untrusted.push(line);
  return { text: literal(""), flows: noFlows };
}
