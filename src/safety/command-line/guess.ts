/** Guesses whether arguments of a program are themselves a command that it runs; only a critical guess counts. */

import type { Effect } from "../dangers/effect.ts";
import { findProgram } from "../dangers/index.ts";
import { gravest } from "../judgement.ts";
import { guessing } from "./report.ts";
import { subshell } from "./shell.ts";
import type { Walk } from "./walking.ts";
import { isLiteral, literal, type Word, withText } from "./word.ts";

/** Only these first words are tried: a wrapper's command does not begin later. */
const mostWords = 16;
const mostSteps = 100;

/** Texts in quotes: `(system "rm -rf x")`. */
const textsIn = (code: string): string[] =>
  [...code.slice(0, 2_000).matchAll(/"([^"\n]{3,200})"|'([^'\n]{3,200})'/gu)]
    .slice(0, 8)
    .map(([, double, single = ""]) => double ?? single);

/**
 * Commands among the words of a program that may run them, if they would be critical: texts with blanks, what comes in,
 * and the words behind one that says that a command follows, or, anywhere, behind any.
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
  const first = words.slice(0, mostWords);
  const behind = isAnywhere ? 0 : first.findIndex(({ text }) => announcing.test(text)) + 1;
  const commands =
    isAnywhere || behind > 0 ? first.slice(behind).map((_, at) => words.slice(behind + at)) : [];
  const effects: Effect[] = [
    ...texts
      .filter((code) => isLiteral(code))
      .map((code): Effect => ({ type: "interprets", language: "shell", code })),
    ...commands
      .filter(([first]) => first && isLiteral(first) && findProgram(first.text, walk.shell.around.own))
      .map((command): Effect => ({ type: "runs", words: command })),
  ];
  return effects.filter((effect) => {
    const { parts, doubts } = guessing(walk.report, mostSteps, (report) => {
      const within = { ...walk, report, shell: subshell(walk.shell), isPlain: false, isGuess: true };
      if (effect.type === "runs") walk.follow.words(effect.words, within);
      else if (effect.type === "interprets") walk.follow.text(effect.code, within);
    });
    return gravest([...parts, ...doubts])?.severity === "critical";
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
