/** Shells: programs that execute a line, a script or their standard input as commands. */

import { joined, literal, type Word, withText } from "../command-line/word.ts";
import { danger, interprets, loads, reads, replaces } from "./effect-makers.ts";
import type { Effect, Language } from "./effect.ts";
import { type Program, program, type Use } from "./program.ts";
import { mayBeOption } from "./use.ts";
import { readAgain } from "./wrappers/wrapping.ts";

const shForm = { short: "oO", long: ["rcfile", "init-file"], stopAtOperand: true } as const;

const fishForm = {
  short: "cCpdfDo",
  long: ["command", "init-command", "profile", "profile-startup", "features", "debug", "debug-output"],
  stopAtOperand: true,
} as const;

const lineForm = {
  short: "ceI",
  long: ["command", "commands", "execute", "config", "env-config", "rc"],
} as const;

export const shells: readonly Program[] = [
  program("bash sh dash ash zsh ksh ksh93 mksh lksh pdksh rbash rzsh posh yash osh ysh", shell, {
    kind: "interpreter",
    options: shForm,
  }),
  program("csh tcsh rc es", shell, { kind: "interpreter", options: { stopAtOperand: true } }),
  program("fish", fish, { kind: "interpreter", options: fishForm }),
  program("nu elvish xonsh", otherShell, {
    kind: "interpreter",
    options: { ...lineForm, stopAtOperand: true },
  }),
  program("pwsh pwsh-preview powershell powershell.exe pwsh.exe", powerShell, { kind: "interpreter" }),
  program("cmd cmd.exe command.com", commandPrompt, { kind: "interpreter" }),
];

const input = (language: Language = "shell"): Effect => ({ type: "interprets-input", language });

/** Words that mean standard input where a file is expected. */
const isInput = ({ text }: Word): boolean =>
  /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/(?:self|thread-self)\/fd\/0)$/u.test(text);

/** `sh [options] -c code name words …`, `sh file words …`, `sh -s words …`. */
function* shell(use: Use): Iterable<Effect> {
  const { has, operands: words } = signedOptionsAway(use);
  for (const file of use.values("rcfile", "init-file")) yield loads(file, "shell");
  if (has("version", "help", "dump-strings", "dump-po-strings")) return;
  const onlyChecks = has("n", "D");
  const [first, ...others] = words;
  if (has("c")) {
    if (first && !onlyChecks)
      yield interprets("shell", first, others.length > 0 ? others : [literal(use.name)]);
    if (first && mayBeOption(first) && others[0]) yield interprets("shell", others[0], others.slice(1));
  } else if (first === undefined || has("s") || isInput(first)) {
    if (!onlyChecks) yield input();
  } else if (onlyChecks) yield* reads([first]);
  else yield loads(first, "shell");
}

/** `+` turns options off, except for `c` and `s`, and a single `-` ends the options: `sh +e -o pipefail -c code`. */
function signedOptionsAway(use: Use): Use {
  const kept: Word[] = [];
  let at = 0;
  for (
    let word = use.words[at];
    word && /^[-+]./u.test(word.text) && word.text !== "--";
    word = use.words[at]
  ) {
    const takesNext = /^(?:[-+][A-Za-z]*[oO]|--rcfile|--init-file)$/u.test(word.text);
    const taken = use.words.slice(at, at + (takesNext ? 2 : 1));
    if (word.text.startsWith("-")) kept.push(...taken);
    else if (/[cs]/u.test(word.text)) kept.push(withText(word, `-${word.text.replaceAll(/[^cs]/gu, "")}`));
    at += taken.length;
  }
  const rest = use.words.slice(use.words[at]?.text === "-" && use.words.length > at + 1 ? at + 1 : at);
  return readAgain(use, [...kept, ...rest], shForm);
}

function* fish(use: Use): Iterable<Effect> {
  yield* replaces(use.values("profile", "profile-startup", "p", "debug-output", "o"));
  if (use.has("version", "v", "help", "h")) return;
  const codes = use.values("c", "command", "C", "init-command");
  const [file] = use.operands;
  if (use.has("n", "no-execute")) yield* reads(use.operands.slice(0, 1));
  else {
    for (const code of codes) yield interprets("shell", code, [literal("fish"), ...use.operands]);
    if (use.has("c", "command")) return;
    yield file && !isInput(file) ? loads(file, "shell") : input();
  }
}

function* otherShell(use: Use): Iterable<Effect> {
  if (use.has("version", "help", "v", "h", "V")) return;
  const codes = use.values("c", "command", "commands", "e", "execute");
  for (const code of codes) yield interprets("shell", code);
  for (const file of use.values("config", "env-config", "rc")) yield loads(file);
  const [file] = use.operands;
  if (codes.length === 0) yield file && !isInput(file) ? loads(file) : input("other");
}

type Prompt = { code?: Word; file?: Word; encoded?: Word; input: boolean };

/** PowerShell itself is not parsed, but commands in it that also read as shell commands are. */
function* powerShell({ words }: Use): Iterable<Effect> {
  const given = promptOf(words);
  if (given.encoded) {
    yield danger("critical", "it runs code that is hidden by an encoding");
    yield interprets("other", { ...given.encoded, carries: new Set(["decoded"]) });
  }
  if (given.code) {
    yield danger("high", "it runs PowerShell, which is not looked into");
    yield interprets("shell", given.code);
  }
  if (given.file) yield loads(given.file);
  if (given.input) yield input("other");
}

const valueOptions =
  /^(?:ex\w*|ep|executionpolicy|wo\w*|wd|version|v|w|windowstyle|inp\w*|o\w*|config\w*|settings\w*|custompipename)$/u;

/** Options start with one dash or a slash, in any letter case, and may be abbreviated. */
function promptOf(words: readonly Word[]): Prompt {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const name = word.text.toLowerCase().replace(/^(?:--?|\/)/u, "");
    const rest = words.slice(at + 1);
    if (isInput(word)) return { input: true };
    if (name === word.text.toLowerCase()) return pathOrCode(words.slice(at));
    if (name === "c" || (name !== "" && "command".startsWith(name) && name.length > 2) || name === "cwa")
      return rest[0]?.text === "-" || rest.length === 0
        ? { input: true }
        : { code: joined(rest, " "), input: false };
    if (name === "e" || name === "ec" || (name.length > 1 && "encodedcommand".startsWith(name)))
      return { ...(rest[0] ? { encoded: rest[0] } : {}), input: false };
    if (name !== "" && "file".startsWith(name))
      return rest[0] ? { file: rest[0], input: false } : { input: true };
    if (/^(?:\?|h|help)$/u.test(name)) return { input: false };
    if (valueOptions.test(name)) at += 1;
  }
  return { input: true };
}

/** An initial operand is a file in PowerShell 7, but code in older versions. */
function pathOrCode(words: readonly Word[]): Prompt {
  const [first] = words;
  const isFile = first !== undefined && /\.ps[md]?1$/iu.test(first.text);
  return isFile ? { file: first, input: false } : { code: joined(words, " "), input: false };
}

/** `cmd /c del x`: everything after `/c` or `/k` is code. */
function* commandPrompt({ words }: Use): Iterable<Effect> {
  const start = words.findIndex(({ text }) => /^\/[ckr]/iu.test(text));
  const [first, ...others] = start < 0 ? [] : words.slice(start);
  if (first === undefined) {
    yield input("other");
    return;
  }
  const code = joined([withText(first, first.text.slice(2)), ...others], " ");
  yield danger("high", "it runs the command prompt, which is not looked into");
  yield interprets("shell", withText(code, code.text.trim()));
}
