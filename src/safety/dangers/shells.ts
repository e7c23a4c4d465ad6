/** Functions of `shell.yaml`: shells that execute a line, a script or their standard input as commands. */

import { joinWords, literal, type Word, withText } from "../command-line/word.ts";
import type { WordsDo } from "./data/does.ts";
import { danger, interprets, loads, reads } from "./effect-makers.ts";
import type { Effect } from "./effect.ts";
import { interpretsInput } from "./interpreting.ts";
import type { Use } from "./program.ts";
import { mayBeOption } from "./use.ts";
import { after } from "./verbs.ts";

export const shells: Readonly<Record<string, WordsDo>> = {
  shell: (_, use) => shell(use),
  prompt: (_, { words }) => prompt(words),
};

/** Words that mean standard input where a file is expected. */
const isInput = ({ text }: Word): boolean =>
  /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/(?:self|thread-self)\/fd\/0)$/u.test(text);

/** `sh [options] -c code name words …`, `sh file words …`, `sh -s words …`. */
function* shell(use: Use): Iterable<Effect> {
  const { has, operands: words } = signedOptionsAway(use);
  if (has("dump-strings", "dump-po-strings")) return;
  const onlyChecks = has("n", "D");
  const [first, ...others] = words;
  if (has("c")) {
    if (first && !onlyChecks)
      yield interprets("shell", first, others.length > 0 ? others : [literal(use.name)]);
    if (first && mayBeOption(first) && others[0]) yield interprets("shell", others[0], others.slice(1));
  } else if (first === undefined || has("s") || isInput(first)) {
    if (!onlyChecks) yield interpretsInput("shell");
  } else if (onlyChecks) yield* reads([first]);
  else yield loads(first, "shell");
}

/** `+` turns options off, except for `c` and `s`, and a single `-` ends the options: `sh +e -o pipefail -c code`. */
function signedOptionsAway(use: Use): Use {
  const { words } = use;
  const isValue = (at: number): boolean =>
    /^(?:[-+][A-Za-z]*[oO]|--rcfile|--init-file)$/u.test(words[at - 1]?.text ?? "");
  const first = words.findIndex(
    (word, at) => word.text === "--" || (!/^[-+]./u.test(word.text) && !isValue(at)),
  );
  const end = first < 0 ? words.length : first;
  const signed = words
    .slice(0, end)
    .map((word) => (word.text.startsWith("+") ? withText(word, unset(word.text)) : word));
  const isEnded = words[end]?.text === "-" && words.length > end + 1;
  const form = { short: "oO", long: ["rcfile", "init-file"], stopAtOperand: true };
  return after(use, [...signed, ...words.slice(isEnded ? end + 1 : end)], form);
}

const unset = (text: string): string => `-x${text.slice(1).replaceAll(/[nD]/gu, "")}`;

/**
 * PowerShell and the command prompt, with options behind a dash or a slash, abbreviated in any way. Their code is not
 * parsed, but commands in it that also read as shell commands are.
 */
function* prompt(words: readonly Word[]): Iterable<Effect> {
  const at = words.findIndex(({ text }) => /^[-/](?:c(?:om\w*|wa)?|k)$/iu.test(text));
  const code = at < 0 ? words.filter(({ text }) => !/^[-/]\w+$/u.test(text)) : words.slice(at + 1);
  if (words.some(({ text }) => /^[-/]e(?:c|nc\w*)?$/iu.test(text)))
    yield danger("critical", "it runs code that is hidden by an encoding");
  else if (code.length === 0 || code[0]?.text === "-") yield interpretsInput("other");
  else {
    yield danger("high", "it runs code that is not looked into");
    for (const word of code) if (/\.ps[md]?1$/iu.test(word.text)) yield loads(word);
    yield interprets("shell", joinWords(code, " "));
  }
}
