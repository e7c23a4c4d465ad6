/** Guesses whether arguments of a program are themselves a command that it runs; the most severe guess counts. */

import type { Effect } from "../dangers/effect.ts";
import { findProgram } from "../dangers/index.ts";
import { type Finding, gravest } from "../judgement.ts";
import { guessing } from "./report.ts";
import { subshell } from "./shell.ts";
import type { Walk } from "./walking.ts";
import { isLiteral, literal, type Word, withText } from "./word.ts";

/** Only these first words are tried: a wrapper's command does not begin later. */
const mostWords = 16;
const mostSteps = 100;

/** What is worst in something that is only followed to see that; each walk starts from the shell as it is now. */
function worstOf(walk: Walk, follow: (within: () => Walk) => void): Finding | undefined {
  const { parts, doubts } = guessing(walk.report, mostSteps, (report) =>
    follow(() => ({ ...walk, report, shell: subshell(walk.shell), isPlain: false, isGuess: true })),
  );
  return gravest([...parts, ...doubts]);
}

/** A critical finding if it would be critical to run some of the words. Guesses are not nested. */
export function guessFinding(words: readonly Word[], walk: Walk): Finding | undefined {
  if (walk.isGuess) return undefined;
  const worst = worstOf(walk, (within) => {
    for (const [at, word] of words.slice(0, mostWords).entries()) {
      if (!isLiteral(word)) continue;
      if (/\s/u.test(word.text))
        for (const text of [word.text, ...textsIn(word.text)])
          walk.follow.text(withText(word, text), within());
      else if (findProgram(word.text, walk.shell.around.own)) walk.follow.words(words.slice(at), within());
    }
  });
  return worst?.severity === "critical"
    ? { severity: "critical", because: `its words may be run as a command: ${worst.because}` }
    : undefined;
}

/** Texts in quotes: `(system "rm -rf x")`. */
const textsIn = (code: string): string[] =>
  [...code.slice(0, 2_000).matchAll(/"([^"\n]{3,200})"|'([^'\n]{3,200})'/gu)]
    .slice(0, 8)
    .map(([, double, single = ""]) => double ?? single);

/**
 * Commands among the words of a program that runs code of the workspace, if they would be critical: texts with blanks,
 * what comes in, and the words behind one that says that a command follows.
 */
export function criticalCommands(words: readonly Word[], walk: Walk, isAnywhere: boolean): Effect[] {
  if (walk.isGuess) return [];
  const settings = words
    .filter(({ text }) => /^-[^=]*=/u.test(text))
    .map(({ text }) => text.replace(/^[^=]*=/u, ""));
  const texts = [...words, ...(walk.input.text ? [walk.input.text] : [])].flatMap((word) =>
    linesIn(word.text).map((text) => withText(word, text)),
  );
  if (settings.length > 1) texts.push(literal(settings.join(" ")));
  const start = isAnywhere ? 0 : words.slice(0, mostWords).findIndex(({ text }) => announcing.test(text));
  const commands =
    start < 0 ? [] : words.slice(start + 1, mostWords).map((_, at) => words.slice(start + 1 + at));
  const effects: Effect[] = [
    ...texts
      .filter((code) => isLiteral(code))
      .map((code): Effect => ({ type: "interprets", language: "shell", code })),
    ...commands
      .filter(([first]) => first && isLiteral(first) && findProgram(first.text, walk.shell.around.own))
      .map((command): Effect => ({ type: "runs", words: command })),
  ];
  return effects.filter((effect) => {
    const worst = worstOf(walk, (within) => {
      if (effect.type === "runs") walk.follow.words(effect.words, within());
      else if (effect.type === "interprets") walk.follow.text(effect.code, within());
    });
    return worst?.severity === "critical";
  });
}

const announcing = /^(?:--|--command|-c|-E|exec|run|shell|x|dlx|develop|env)$/u;
const longestLine = 2_000;

/** The text itself, what stands behind an equals sign, in brackets, in quotes, and behind the marks of a rule. */
function linesIn(text: string): string[] {
  if (!/\s/u.test(text) || text.length > longestLine) return [];
  const behind = text.replace(/^[^\s=]*=+/u, "");
  const inside = [...text.matchAll(/[$%]\((?:shell )?([^()]+)\)/gu)].map(([, code = ""]) => code);
  const rules = text.includes("\n") ? [text.replaceAll(/^\s*[@+-]+/gmu, "")] : [];
  return [...new Set([text, behind, ...inside, ...rules, ...textsIn(text)])];
}

const running = /^(?:exec|run|task|shell|x|dlx|develop|spawn|with|environment)$/u;

/** `tool exec -- command`: whether a verb among the first words says that a command follows. */
export const maySayRun = (words: readonly Word[]): boolean =>
  words.slice(0, 3).some(({ text }) => running.test(text));
