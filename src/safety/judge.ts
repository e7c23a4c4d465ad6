/**
 * Judges a command line: traces all its parts into a report, which `judge/summary.ts` sums up. Whether it is asked about,
 * `evaluate-policy.ts` decides. Runs nothing and reads no files.
 */

import { countOpeners } from "./command-line/openers.ts";
import { parseShell, type ParsedScript } from "./command-line/parse.ts";
import { doubt, openReport, publishesElsewhere, type Report, type TracedUse } from "./command-line/report.ts";
import { descriptorPath, openShell, type Shell, silent, subshell } from "./command-line/shell.ts";
import { follow } from "./command-line/walk.ts";
import { openWalk, type Walk } from "./command-line/walking.ts";
import { literal } from "./command-line/word.ts";
import { findProgram } from "./dangers/index.ts";
import type { Around } from "./dangers/program.ts";
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
  const walk = openWalk(shell, report, follow);
  for (const odd of oddCharacters(line)) doubt(report, "high", odd);
  const { script, isPlaced } = understand(line, report) ?? {};
  // Whoever reads from a named pipe may stand before its writer.
  if (script && /\bmk(?:fifo|nod)\b/u.test(line)) follow.script(script, walk);
  const output = script ? follow.script(script, { ...walk, isPlaced: isPlaced === true }) : silent;
  shell.sinks.get(descriptorPath(1))?.(output);
  const flows = new Set(output.flows);
  for (const run of report.atExit) for (const flow of run().flows) flows.add(flow);
  const isKnown = report.parts.some(({ severity }) => isAtLeast(severity, "high"));
  if (flows.has("secret") && !isKnown) {
    report.showsVariables = flows.has("variables");
    doubt(report, "high", "it shows keys or other secrets");
  }
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

/** A text with more words than this is not searched, but judged as the worst case. */
const mostWords = 4_000;
const mostCandidates = 400;
const longestCommand = 24;

/** The fallback for text that was not understood: anything in it that could be a dangerous command counts as one. */
function lookThrough(text: string, { report, shell, ...walk }: Walk): void {
  const segments = text
    .replaceAll(/\\\n/gu, "")
    .split(/[\n;|&(){}<>`]+/u)
    .map((segment) =>
      segment
        .replaceAll(/["'\\]|\$(?=["'])/gu, "")
        .split(/[\s,=]+/u)
        .filter((word) => word !== ""),
    );
  const count = segments.reduce((sum, words) => sum + words.length, 0);
  if (count > mostWords) return doubt(report, "critical", "it has more parts than can be looked at");
  if (forkBomb.test(text)) doubt(report, "critical", "it starts itself again without end (a fork bomb)");
  segments.push(...targetsIn(text));
  let candidates = 0;
  for (const words of segments) {
    for (const [at, word] of words.entries()) {
      if (!findProgram(word)) continue;
      candidates += 1;
      if (candidates > mostCandidates)
        return doubt(report, "critical", "it has more parts than can be looked at");
      const found = openReport();
      const use = words.slice(at, at + longestCommand).map(literal);
      follow.words(use, { ...walk, shell: subshell(shell), report: found, isPlain: false });
      for (const { severity, because } of [...found.parts, ...found.doubts])
        if (isAtLeast(severity, "high")) doubt(report, severity, because);
    }
  }
}

/** `name() { … name … & }` */
const forkBomb = /([^\s(){};|&]{1,40})\s*\(\)\s*\{[^}]{0,200}?\1[^}]{0,200}?[|&]/u;

const mostTargets = 100;

/** Anything after `>` may be written to, whatever the command is. */
const targetsIn = (text: string): string[][] =>
  text
    .split(/>+[|&]?/u)
    .slice(1, mostTargets)
    .flatMap((rest) => {
      const [target = ""] = rest
        .trimStart()
        .slice(0, 500)
        .split(/[\s;|&<>(){}]/u);
      return target === "" ? [] : [["tee", target.replaceAll(/["'\\]/gu, "")]];
    });
