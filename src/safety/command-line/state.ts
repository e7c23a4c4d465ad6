/** Builtins that change the state of the shell itself: its directory, variables and arguments. */

import type { Use } from "../dangers/program.ts";
import { reading, readingLines } from "./reading.ts";
import {
  absolutePath,
  changeDirectory,
  exportVariable,
  setVariable,
  type Shell,
  variableOf,
} from "./shell.ts";
import { flowsOf, isLiteral, isUnknown, literal, unknownWord, type Word, withText } from "./word.ts";

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
