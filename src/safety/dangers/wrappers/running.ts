/** Functions of `wrappers.yaml`: where the command stands, if that is not simply behind the options. */

import { joinWords, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { sharedPlaceEffects } from "../containers/mounts.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets, loads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { runsByOption } from "../file-effect-makers.ts";
import { command } from "./wrapping.ts";

const shellOfInput: Effect = { type: "interprets-input", language: "shell" };

const orShell = (words: readonly Word[]): Iterable<Effect> =>
  words.length > 0 ? command(words) : [shellOfInput];

const debuggerCommands =
  /^\s*(shell|make|pipe|platform shell|python|py|pi|script|source|command source|[!|])(?![\w-])\s*\|?([^]*)$/u;
const calls = /\b(?:system|popen|exec[lv]p?e?)\s*\(\s*(?:"((?:[^"\\]|\\[^])*)")?/u;

function debuggerLine(line: Word): Effect[] {
  const [, name, behind = ""] = debuggerCommands.exec(line.text) ?? [];
  const [, called] = calls.exec(line.text) ?? [];
  if (name === undefined && !calls.test(line.text)) return [];
  const code = withText(line, name === undefined ? (called ?? "") : behind);
  const runsCode = danger("high", "its own command line runs code");
  if (name?.endsWith("source")) return [runsCode, loads(code)];
  return [runsCode, interprets(/^(?:py|pi|script)/u.test(name ?? "") ? "python" : "shell", code)];
}

/** The words behind options, of which those in `valued` take a value. */
function behindOptions(words: readonly Word[], valued: RegExp): Word[] {
  const rest = [...words];
  while (rest[0]?.text.startsWith("-")) rest.splice(0, valued.test(rest[0].text) ? 2 : 1);
  return rest;
}

/** The lines to measure, without the names and values of `-L name values` and `-P name from to`. */
function measuredLines(operands: readonly Word[], words: readonly Word[]): Effect[] {
  const taken = new Set(
    words.flatMap(({ text }, at) =>
      /^(?:-L|--parameter-list)$/u.test(text)
        ? words.slice(at + 1, at + 3)
        : /^(?:-P|--parameter-scan)$/u.test(text)
          ? words.slice(at + 1, at + 4)
          : [],
    ),
  );
  const values = [...taken].flatMap((word) =>
    word.text
      .split(",")
      .slice(0, 16)
      .map((text) => withText(word, text)),
  );
  return operands
    .filter((word) => !taken.has(word))
    .flatMap((line) =>
      /\{\w+\}/u.test(line.text) && values.length > 0
        ? values.map((value) =>
            interprets(
              "shell",
              withText(
                line,
                line.text.replaceAll(/\{\w+\}/gu, () => value.text),
              ),
            ),
          )
        : [interprets("shell", line)],
    );
}

/** Containers that see the home directory, as it is: only what runs in them matters. */
function* sharedContainer([verb, ...rest]: readonly Word[], use: Parameters<WordsDo>[1]): Iterable<Effect> {
  if (!verb || /^(?:list|ls|inspect|version|pull)$/u.test(verb.text)) return;
  const isRemoving = /^(?:rm|remove|delete)$/u.test(verb.text);
  yield danger(isRemoving ? "high" : "medium", "it works on a container that sees files of this machine");
  for (const [at, word] of use.words.entries()) {
    const [, path = ""] = /^(?:--(?:bind|directory)=|-B)(.+)$/u.exec(word.text) ?? [];
    const next = /^(?:-B|--bind|-D|--directory)$/u.test(word.text) ? use.words[at + 1] : undefined;
    const source = withText(word, (next?.text ?? path).replace(/:.*$/su, ""));
    yield* sharedPlaceEffects(source, { isReadOnly: false, around: use.around });
  }
  if (use.name === "proot") yield runs([verb, ...rest]);
  else if (/^(?:exec|enter|run|shell)$/u.test(verb.text))
    yield* command(behindOptions(rest, /^-[BHSWocnrD]$|^--\w+$/u).slice(use.name === "toolbox" ? 0 : 1));
}

export const running: Readonly<Record<string, WordsDo>> = {
  measured: (operands, { words }) => measuredLines(operands, words),
  "shared container": sharedContainer,
  "runs or shell": orShell,
  "debugger lines": (lines) => lines.flatMap(debuggerLine),
  "runs after dashes": (words, use) => {
    const end = use.words.findIndex(({ text }) => /^(?:--|==|-\+|=\+)$/u.test(text));
    return end >= 0 && use.name === "capsh"
      ? [runs([literal("bash"), ...use.words.slice(end + 1)])]
      : command(words);
  },
  "runs with operands": ([first], { operands, has }) =>
    first && has("S", "start") ? [runs([first, ...operands])] : [],
  "behind a number": (words) => command(words.slice(/^\d+$/u.test(words[0]?.text ?? "") ? 1 : 0)),
  /** Tools of versions: `mise exec node@22 -- command`. */
  "behind versions": (words) => {
    const end = words.findIndex(({ text }) => text === "--");
    const start = end >= 0 ? end + 1 : words.findIndex(({ text }) => !text.includes("@"));
    return start >= 0 ? command(words.slice(start)) : [];
  },
  /** `setarch [architecture] [options] command`. */
  architecture: (words, { name }) => {
    const rest = behindOptions(words, /^$/u);
    const inner = name === "setarch" ? behindOptions(rest.slice(1), /^$/u) : [];
    return [
      ...(inner.length > 0 ? command(inner) : []),
      ...(rest.length > 0 || inner.length > 0 ? command(rest) : [shellOfInput]),
    ];
  },
  "code or command": ([flag, ...rest]) => {
    if (!flag) return [];
    if (/^(?:-c|--command)$/u.test(flag.text)) return rest.map((code) => interprets("shell", code));
    return flag.text.startsWith("--command=")
      ? [interprets("shell", withText(flag, flag.text.slice(10)))]
      : command([flag, ...rest]);
  },
  watched: (words, { has }) =>
    words.length === 0
      ? []
      : has("x", "exec")
        ? command(words)
        : [interprets("shell", joinWords(words, " "))],
  "on change": (words, { has }) => {
    const changed = words.map((word) =>
      word.text === "/_" ? { ...unknownWord(), mayBeSeveral: false } : word,
    );
    const [first, ...others] = changed;
    return first && has("s") ? [interprets("shell", first, [literal("sh"), ...others])] : command(changed);
  },
  entered: ([target]) =>
    target?.text === "1"
      ? [danger("critical", "it enters the whole system as its first process sees it")]
      : [],
  "traced to": (files) =>
    files.flatMap((file) =>
      /^[|!]/u.test(file.text) ? runsByOption("-o", withText(file, file.text.slice(1))) : replaces([file]),
    ),
  "program by path": (words) =>
    words
      .filter(({ text }) => /[/\0]/u.test(text))
      .flatMap((path) => [danger("high", "its option loads a program by its path"), loads(path)]),
  *debugged(operands, { words, has }) {
    const start = words.findIndex(({ text }) => /^--?(?:args|)$/u.test(text));
    const own = start < 0 ? operands.slice(0, 1) : words.slice(start + 1);
    if (own.length > 0) yield runs(own);
    else if (!has("batch", "h", "v")) yield { type: "interprets-input", language: "other" };
  },
  *recorded([file], { words, has }) {
    yield* replaces(file ? [file] : []);
    const behind = file ? words.slice(words.indexOf(file) + 1) : [];
    if (behind[0] && (behind[0].text === "--" || !behind[0].text.startsWith("-"))) yield* command(behind);
    else if (!has("c", "command")) yield shellOfInput;
  },
};
