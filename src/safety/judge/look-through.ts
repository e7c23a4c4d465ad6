/** The fallback for text that was not understood: anything in it that could be a dangerous command counts as one. */

import { runWords } from "../command-line/meaning.ts";
import { doubt, openReport } from "../command-line/report.ts";
import { subshell } from "../command-line/shell.ts";
import type { Walk } from "../command-line/walking.ts";
import { literal } from "../command-line/word.ts";
import { findProgram } from "../dangers/index.ts";
import { isAtLeast } from "../judgement.ts";

/** A text with more words than this is not searched, but judged as the worst case. */
const mostWords = 4_000;
const mostCandidates = 400;
const longestCommand = 24;

export function lookThrough(text: string, { report, shell, ...walk }: Walk): void {
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
      runWords(use, { ...walk, shell: subshell(shell), report: found, isPlain: false });
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
