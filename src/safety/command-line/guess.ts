/** Words that may be a command of their own, behind a program of which that is not known: the worst of them counts. */

import { findProgram } from "../dangers/index.ts";
import { type Finding, gravest } from "../judgement.ts";
import { openReport } from "./report.ts";
import { type Output, subshell } from "./shell.ts";
import type { Walk } from "./walking.ts";
import { isLiteral, type Word } from "./word.ts";

/** So many words are looked at: a wrapper's command does not begin later. */
const mostWords = 16;
const mostSteps = 100;

/** What would be critical if the program ran some of its words. Guesses are not made within a guess. */
export function guessed(
  words: readonly Word[],
  walk: Walk,
  run: (words: readonly Word[], walk: Walk) => Output,
): Finding | undefined {
  if (walk.isGuess) return undefined;
  const report = { ...openReport(), steps: mostSteps };
  const within = (): Walk => ({
    ...walk,
    report,
    shell: subshell(walk.shell),
    isPlain: false,
    isGuess: true,
  });
  for (const [at, word] of words.entries()) {
    if (at >= mostWords) break;
    if (!isLiteral(word)) continue;
    if (/\s/u.test(word.text)) walk.follow.text(word, within());
    else if (findProgram(word.text)) run(words.slice(at), within());
  }
  const worst = gravest([...report.parts, ...report.doubts]);
  return worst?.severity === "critical"
    ? { severity: "critical", because: `its words may be run as a command: ${worst.because}` }
    : undefined;
}

const running = /^(?:exec|run|shell|x|dlx|develop|spawn|with|environment)$/u;

/** `tool exec -- command`: a verb that says so stands among the first words. */
export const maySayRun = (words: readonly Word[]): boolean =>
  words.slice(0, 3).some(({ text }) => running.test(text));
