/** Guesses whether arguments of a program are themselves a command that it runs; the most severe guess counts. */

import { findProgram } from "../dangers/index.ts";
import { type Finding, gravest } from "../judgement.ts";
import { guessing } from "./report.ts";
import { type Output, subshell } from "./shell.ts";
import type { Walk } from "./walking.ts";
import { isLiteral, type Word, withText } from "./word.ts";

/** Only these first words are tried: a wrapper's command does not begin later. */
const mostWords = 16;
const mostSteps = 100;

/** A critical finding if it would be critical to run some of the words. Guesses are not nested. */
export function guessed(
  words: readonly Word[],
  walk: Walk,
  run: (words: readonly Word[], walk: Walk) => Output,
): Finding | undefined {
  if (walk.isGuess) return undefined;
  const { parts, doubts } = guessing(walk.report, mostSteps, (report) => {
    const within = (): Walk => ({
      ...walk,
      report,
      shell: subshell(walk.shell),
      isPlain: false,
      isGuess: true,
    });
    for (const [at, word] of words.slice(0, mostWords).entries()) {
      if (!isLiteral(word)) continue;
      if (/\s/u.test(word.text))
        for (const text of [word.text, ...textsIn(word.text)])
          walk.follow.text(withText(word, text), within());
      else if (findProgram(word.text, walk.shell.around.own)) run(words.slice(at), within());
    }
  });
  const worst = gravest([...parts, ...doubts]);
  return worst?.severity === "critical"
    ? { severity: "critical", because: `its words may be run as a command: ${worst.because}` }
    : undefined;
}

/** Texts in quotes: `(system "rm -rf x")`. */
const textsIn = (code: string): string[] =>
  [...code.slice(0, 2_000).matchAll(/"([^"\n]{3,200})"|'([^'\n]{3,200})'/gu)]
    .slice(0, 8)
    .map(([, double, single = ""]) => double ?? single);

const running = /^(?:exec|run|task|shell|x|dlx|develop|spawn|with|environment)$/u;

/** `tool exec -- command`: whether a verb among the first words says that a command follows. */
export const maySayRun = (words: readonly Word[]): boolean =>
  words.slice(0, 3).some(({ text }) => running.test(text));
