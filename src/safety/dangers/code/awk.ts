/** What an awk program does besides reading its input and printing: commands, files, and the environment. */

import { isUnknown, unknown, unknownWord, withText, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { isSecretName, overlong } from "./notes.ts";
import { endOf } from "./word-texts.ts";

const runsCommand = danger("high", "its program runs a command");
const connects = danger("high", "its program opens connections of its own");
const givesShell = danger("critical", "its program runs commands and talks to another machine");

/** A comment, a text, or a pattern where an operand is expected. */
const literals =
  /#[^\n]*|"(?:[^"\\\n]|\\[^])*"|(?<=(?:^|[~(,;{}&|!=?\n]|\b(?:return|print|in))\s{0,9})\/(?:\\.|\[[^\]\n]{0,200}\]|[^/\\\n])*\//gu;

/** Never throws. */
export function awkEffects(code: Word): Effect[] {
  const text = code.text.replaceAll(/\\\n/gu, "  ");
  const spoken = text
    .replaceAll(literals, (found) => `${found.slice(0, 1)}${" ".repeat(found.length - 1)}`)
    .replaceAll(/\([^()]{0,200}\)/gu, (found) => found.replaceAll(">", " "));
  const effects: Effect[] = [];
  for (const { words, does } of doings) {
    const calls = [...spoken.matchAll(words)];
    if (calls.length > mostCalls) effects.push(overlong);
    for (const { index, 0: found, groups } of calls.slice(0, mostCalls)) {
      const behind = index + found.length;
      const from = behind + spoken.slice(behind).search(/\S|$/u);
      const end = /[;\n}]/u.exec(spoken.slice(from))?.index ?? spoken.length;
      const rest = spoken.slice(from, from + Math.min(end, longest));
      const to = from + endOf(rest, /^\s*\(/u.test(rest));
      const before = groups?.["given"]?.length;
      const given = before === undefined ? text.slice(from, to) : text.slice(index - before, index);
      effects.push(...does(withText({ ...code, isPattern: false }, valueOf(given))));
    }
  }
  if (/"[^"\n]*$/mu.test(text.replaceAll(literals, "")))
    effects.push(danger("high", "its program cannot be read"));
  if (text.includes('"/inet')) effects.push(effects.includes(runsCommand) ? givesShell : connects);
  return effects;
}

/** Of one kind. */
const mostCalls = 400;
const longest = 500;

/** Texts side by side are one; anything else among them is unknown. */
const valueOf = (given: string): string =>
  [...given.matchAll(/"((?:[^"\\]|\\[^])*)"|[$\w.]+(?:\[[^\]]*\])?/gu)]
    .map(
      ([, text]) =>
        text?.replaceAll(/\\(x[\da-f]{1,2}|[0-7]{1,3}|[^])/giu, (_, code: string) => charOf(code)) ?? unknown,
    )
    .join("");

const charOf = (code: string): string =>
  /^x./iu.test(code)
    ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
    : /^\d/u.test(code)
      ? String.fromCharCode(Number.parseInt(code, 8))
      : ({ n: "\n", t: "\t" }[code] ?? code);

/** gawk also accepts network addresses where a command is expected. */
const pipes = (command: Word): Effect[] =>
  command.text.startsWith("/inet")
    ? []
    : [runsCommand, interprets("shell", command.text === "" ? unknownWord() : command)];

const standard = /^(?:-|\/dev\/(?:std(?:in|out|err)|tty|null)|\/inet.*)$/su;

/** What stands before a sign is found from the sign on: each part of the text is looked at once. */
const doings: readonly { readonly words: RegExp; readonly does: (given: Word) => readonly Effect[] }[] = [
  { words: /\bsystem\b/gu, does: pipes },
  { words: /(?<!\|)\|&?(?![|&]|\s*getline)/gu, does: pipes },
  { words: /\|&?\s*getline(?<=(?<given>[^;{}\n(=!&|]*)\|&?\s*getline)/gu, does: pipes },
  {
    words: />>?(?!=)(?<=\bprintf?\b[^;\n}>]*>>?)/gu,
    does: (path) => {
      if (/^\0*$/u.test(path.text))
        return [danger("high", "it writes files whose names only its input tells")];
      return standard.test(path.text) ? [] : [{ type: "writes", path, how: "replaces" }];
    },
  },
  {
    words: /<(?!=)(?<=\bgetline\b[\w\s[\]$]*<)/gu,
    does: (path) => (isUnknown(path) || standard.test(path.text) ? [] : [{ type: "reads", path }]),
  },
  {
    words: /\bENVIRON\b/gu,
    does: ({ text }) =>
      isSecretName(text) || /^\0*$/u.test(text) ? [{ type: "prints", flows: ["secret"] }] : [],
  },
  {
    words: /@(?:include|load)\b/gu,
    does: (path) => [loads(path, "awk")],
  },
  { words: /@\s*\w*\s*\(/gu, does: () => [danger("high", "what it calls is only known when it runs")] },
];
