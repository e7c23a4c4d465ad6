/** Functions of `wrappers.yaml`: where the command stands, if that is not simply behind the options. */

import { joinWords, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets, loads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { runsByOption } from "../file-effect-makers.ts";
import type { Use } from "../program.ts";
import { command } from "./wrapping.ts";

const shellOfInput: Effect = { type: "interprets-input", language: "shell" };

const debuggerCommands =
  /^\s*(shell|make|pipe|platform shell|python|py|pi|script|source|command source|[!|])(?![\w-])\s*\|?([^]*)$/u;

function debuggerLine(line: Word): Effect[] {
  const [, name, behind = ""] = debuggerCommands.exec(line.text) ?? [];
  const code = withText(line, behind);
  if (name === undefined) return line.text.includes("(") ? [interprets("other", line)] : [];
  const runsCode = danger("high", "its own command line runs code");
  if (name.endsWith("source")) return [runsCode, loads(code)];
  return [runsCode, interprets(/^(?:py|pi|script)/u.test(name) ? "python" : "shell", code)];
}

/** The lines to measure, filled with what `-L name values` and `-P name from to` give. */
function measuredLines(operands: readonly Word[], { words }: Use): Effect[] {
  const gives = (at: number, option: RegExp): boolean => option.test(words[at]?.text ?? "");
  const given = words.filter(
    (_, at) => gives(at - 2, /^(?:-[LP]|--parameter-\w+)$/u) || gives(at - 3, /^(?:-P|--parameter-scan)$/u),
  );
  const values = given.flatMap(({ text }) => text.split(",").slice(0, 16));
  return operands
    .filter((line) => !given.includes(line))
    .flatMap((line) =>
      (/\{\w+\}/u.test(line.text) && values.length > 0 ? values : [""]).map((value) =>
        interprets(
          "shell",
          value === ""
            ? line
            : withText(
                line,
                line.text.replaceAll(/\{\w+\}/gu, () => value),
              ),
        ),
      ),
    );
}

export const running: Readonly<Record<string, WordsDo>> = {
  /** It stands somewhere among the words; which of them belong to options need not be known. */
  "runs among": ([first], { words }) => [
    runs(first ? words.slice(words.indexOf(first)) : [], { isAmong: true }),
  ],
  /** `--exec /bin/x -- arguments`. */
  "runs with operands": ([first], { operands }) => (first ? [runs([first, ...operands])] : []),
  "runs or shell": (words) => (words.length > 0 ? command(words) : [shellOfInput]),
  "debugger lines": (lines) => lines.flatMap(debuggerLine),
  measured: measuredLines,
  "code or command": ([flag, ...rest]) =>
    flag && /^(?:-c|--command)$/u.test(flag.text)
      ? rest.map((code) => interprets("shell", code))
      : command(flag ? [flag, ...rest] : []),
  watched: (words, { has }) =>
    words.length === 0 || has("x", "exec") ? command(words) : [interprets("shell", joinWords(words, " "))],
  "on change": (words, { has }) => {
    const changed = words.map((word) =>
      word.text === "/_" ? { ...unknownWord(), mayBeSeveral: false } : word,
    );
    const [first, ...others] = changed;
    return first && has("s") ? [interprets("shell", first, [literal("sh"), ...others])] : command(changed);
  },
  "program by path": (words) =>
    words
      .filter(({ text }) => /[/\0]/u.test(text))
      .flatMap((path) => [danger("high", "its option loads a program by its path"), loads(path)]),
  "traced to": (files) =>
    files.flatMap((file) =>
      /^[|!]/u.test(file.text) ? runsByOption("-o", withText(file, file.text.slice(1))) : replaces([file]),
    ),
};
