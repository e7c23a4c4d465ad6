/** Builtins that change the state of the shell itself: its directory, variables and arguments. */

import type { Input } from "../dangers/effect.ts";
import type { Use } from "../dangers/program.ts";
import {
  absolutePath,
  changeDirectory,
  exportVariable,
  setVariable,
  type Shell,
  variableOf,
  descriptorPath,
  listFiles,
} from "./shell.ts";
import { flowsOf, isLiteral, isUnknown, literal, unknownWord, type Word, withText } from "./word.ts";

const unknownFrom = ({ flows }: Input): Word => unknownWord(new Set([...flows, "input" as const]));

type Builtin = (use: Use, shell: Shell) => void;

/** Has no effect for other programs. */
export function followBuiltin(use: Use, shell: Shell): void {
  if (Object.hasOwn(builtins, use.name)) builtins[use.name]?.(use, shell);
}

const declaring: Builtin = ({ name, operands, has }, shell) => {
  const isLocal = name === "local" || (!has("g") && /^(?:declare|typeset)$/u.test(name));
  for (const word of operands) {
    const variable = nameIn(word.text);
    const equals = word.text.indexOf("=");
    const value = equals > 0 ? withText(word, word.text.slice(equals + 1)) : undefined;
    if (isLocal) makeLocal(shell, variable);
    if (has("n") && value && isLiteral(value)) shell.references.set(variable, value.text);
    else if (value) setVariable(shell, variable, word.elements ?? [value]);
    if (has("x")) shell.exported.add(variableOf(shell, variable));
    if (has("r") || name === "readonly") shell.constants.add(variableOf(shell, variable));
  }
};

/** `a=x`, `a+=x`, `a[0]=x` → `a` */
const nameIn = (text: string): string => text.replace(/[=[].*$/su, "").replace(/\+$/u, "");

/** Within a function, the name has a local meaning until the function ends. */
function makeLocal({ locals, variables, references, otherwise }: Shell, name: string): void {
  if (!locals) return;
  if (!locals.has(name)) locals.set(name, { words: variables.get(name), reference: references.get(name) });
  references.delete(name);
  variables.delete(name);
  otherwise.delete(name);
}

const exporting: Builtin = ({ operands, has }, shell) => {
  if (has("n", "f")) return;
  for (const word of operands) {
    const name = nameIn(word.text);
    const equals = word.text.indexOf("=");
    if (equals > 0) exportVariable(shell, name, [withText(word, word.text.slice(equals + 1))]);
    else shell.exported.add(variableOf(shell, name));
  }
};

const going: Builtin = ({ operands: [target, more], variables }, shell) => {
  const searches = shell.variables.has("CDPATH") || variables.some(({ name }) => name === "CDPATH");
  const isSought = searches && target !== undefined && !/^(?:\/|\.\.?(?:\/|$)|-$)/u.test(target.text);
  const isOnStack = target !== undefined && /^[-+]\d/u.test(target.text);
  if (isSought || isOnStack || (more && isUnknown(more))) changeDirectory(shell, unknownWord());
  else changeDirectory(shell, target);
};

const unsetting: Builtin = ({ operands, has }, shell) => {
  const { variables, functions, references, constants } = shell;
  for (const { text } of operands) {
    const name = variableOf(shell, nameIn(text));
    if (has("n")) references.delete(text);
    else if (has("f") || constants.has(name)) functions.delete(text);
    else if (text.includes("[")) setVariable(shell, name, [unknownWord(flowsOf(variables.get(name) ?? []))]);
    else if (!variables.delete(name)) functions.delete(text);
  }
};

/** `set -e -o pipefail -- a b`: options, then the arguments. */
const setting: Builtin = ({ words }, shell) => {
  let at = 0;
  for (let word = words[0]; word && /^[-+][A-Za-z]/u.test(word.text); word = words[at]) {
    const takesName = word.text.endsWith("o");
    const isExporting = /^-[A-Za-z]*a/u.test(word.text) || (takesName && words[at + 1]?.text === "allexport");
    if (isExporting) shell.exportsAll = true;
    at += takesName ? 2 : 1;
  }
  const isEnded = /^--?$/u.test(words[at]?.text ?? "");
  if (isEnded || at < words.length) shell.positional = words.slice(isEnded ? at + 1 : at);
};

const shifting: Builtin = ({ words: [count = literal("1")] }, shell) => {
  const isKnown = /^\d+$/u.test(count.text);
  shell.positional = isKnown ? shell.positional?.slice(Number(count.text)) : undefined;
};

const printing: Builtin = ({ words }, shell) => {
  const [flag, name] = words;
  if (flag?.text === "-v" && name) setVariable(shell, nameIn(name.text), [unknownWord(flowsOf(words))]);
};

const aliasing: Builtin = ({ operands }, { aliases }) => {
  for (const word of operands) {
    const equals = word.text.indexOf("=");
    if (equals > 0) aliases.set(word.text.slice(0, equals), withText(word, word.text.slice(equals + 1)));
  }
};

/** `getopts`: the option that it finds is known only at run time. */
const choosing: Builtin = ({ operands: [, name], input }, shell) => {
  const found: readonly Word[] = [unknownWord(new Set([...input.flows, "input" as const]))];
  for (const variable of [name?.text ?? "OPTARG", "OPTARG"]) setVariable(shell, variable, found);
};

/** What comes out of a named pipe depends on all who write to it, earlier in the line or later. */
const piping: Builtin = ({ operands }, shell) => {
  for (const { text } of operands) {
    const path = absolutePath(text, shell.directory);
    if (path !== undefined) shell.held.add(path);
  }
};

const builtins: Readonly<Record<string, Builtin>> = {
  cd: going,
  chdir: going,
  pushd: going,
  popd: (_, shell) => changeDirectory(shell, literal("-")),
  export: exporting,
  declare: declaring,
  typeset: declaring,
  local: declaring,
  readonly: declaring,
  read: reading,
  mapfile: readingLines,
  readarray: readingLines,
  getopts: choosing,
  unset: unsetting,
  set: setting,
  shift: shifting,
  printf: printing,
  alias: aliasing,
  mkfifo: piping,
  mknod: piping,
  unalias: ({ operands, has }, { aliases }) => {
    if (has("a")) aliases.clear();
    for (const { text } of operands) aliases.delete(text);
  },
};

/** Splits a known line into words; the last name gets the rest. */
function reading(use: Use, shell: Shell): void {
  const { operands, value, has } = use;
  const input = inputOf(use, shell);
  const line = has("d", "n", "N", "i") ? undefined : lineOf(input, has("r"));
  const array = value("a")?.text;
  const names = operands.map(({ text }) => text).filter((text) => /^[A-Za-z_]\w*$/u.test(text));
  // Bash stops at an invalid name.
  const areNames = new Set(names).size === operands.length;
  const separators = areNames ? separatorsOf(use, shell) : undefined;
  const targets = names.length > 0 ? names : ["REPLY"];
  if (line) listFiles(shell, [line]);
  const words = line && wordsIn(line, { separators, most: array === undefined ? targets.length : Infinity });
  if (array !== undefined) return setVariable(shell, array, words ?? [unknownFrom(input)]);
  for (const [at, name] of targets.entries())
    setVariable(shell, name, [words ? (words[at] ?? withText(line, "")) : unknownFrom(input)]);
}

/** `mapfile`: reads the input line by line into an array. */
function readingLines(use: Use, shell: Shell): void {
  const input = inputOf(use, shell);
  const { text } = input;
  const isWhole = text !== undefined && !isUnknown(text) && !use.has("d", "n", "O", "s");
  const lines = isWhole ? text.text.replace(/\n$/u, "").split("\n") : undefined;
  const values = lines?.map((line) => withText(text ?? unknownFrom(input), line));
  setVariable(shell, use.operands[0]?.text ?? "MAPFILE", values ?? [unknownFrom(input)]);
}

/** `-u 3`: the input that the descriptor was opened for. */
function inputOf({ input, value }: Use, { files }: Shell): Input {
  const descriptor = value("u");
  if (!descriptor) return input;
  const known = files.get(descriptorPath(descriptor.text));
  return { text: known?.text, flows: known?.flows ?? input.flows, isGiven: true };
}

/** Without `-r` a backslash is an escape, so a line with one counts as unknown. */
function lineOf({ text }: Input, isRaw: boolean): Word | undefined {
  const line = text?.text.trim() ?? "";
  if (!text || line.includes("\n") || (!isRaw && line.includes("\\"))) return undefined;
  return withText(text, line);
}

/** Undefined if they are known only at run time. */
function separatorsOf({ variables }: Use, shell: Shell): string | undefined {
  const own = variables.findLast(({ name }) => name === "IFS")?.value ?? shell.variables.get("IFS")?.[0];
  return own === undefined ? " \t\n" : isLiteral(own) ? own.text : undefined;
}

type Cutting = { separators: string | undefined; most: number };

/** Splits the line into at most `most` words; undefined if the separators are unknown. */
function wordsIn(line: Word, { separators, most }: Cutting): Word[] | undefined {
  if (separators === undefined) return undefined;
  if (most === 1 || separators === "") return [line];
  if (isUnknown(line)) return undefined;
  const isBlank = /^\s+$/u.test(separators);
  if (!isBlank && separators.length > 1) return undefined;
  const words: string[] = [];
  let rest = line.text;
  while (words.length < most - 1) {
    const cut = isBlank ? /\s+/u.exec(rest) : { index: rest.indexOf(separators), 0: separators };
    if (!cut || cut.index < 0) break;
    words.push(rest.slice(0, cut.index));
    rest = rest.slice(cut.index + cut[0].length);
  }
  return [...words, rest].map((text) => withText(line, text));
}
