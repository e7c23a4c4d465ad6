/** The state of a shell while its line is traced: variables, functions, current directory, files it wrote. */

import { mostFollowedText } from "../bounds.ts";
import type { Input } from "../dangers/effect.ts";
import type { Around } from "../dangers/program.ts";
import { isSecretVariable } from "../secret-variables.ts";
import type * as syntax from "./parse.ts";
import { type Flow, flowsOf, joinWords, literal, noFlows, unknown, unknownWord, type Word } from "./word.ts";

/** What a command prints, as far as it is known. */
export type Output = {
  readonly text: Word | undefined;
  readonly flows: ReadonlySet<Flow>;
  /** For a file: a build made it from what was there before, so it is trusted just as much. */
  readonly isBuilt?: boolean;
};

/** Traces what becomes of data that is written there. */
export type Sink = (output: Output) => void;

export const silent: Output = { text: literal(""), flows: noFlows };

export type FunctionBody = syntax.Function["body"];

/** What a name stands for: the words of a variable, or the variable that it references. */
export type NameMeaning = {
  readonly words: readonly Word[] | undefined;
  readonly reference: string | undefined;
};

export type Shell = {
  readonly around: Omit<Around, "directory">;
  /** Absolute; undefined after a `cd` to a directory that is known only at run time. */
  directory: string | undefined;
  previousDirectory: string | undefined;
  /** An array has several words. */
  readonly variables: Map<string, readonly Word[]>;
  /** Values that variables have if a condition of `&&` or `||` kept them from being set; undefined: unset. */
  readonly otherwise: Map<string, readonly (readonly Word[] | undefined)[]>;
  /** `declare -n`: names that stand for another variable. */
  readonly references: Map<string, string>;
  /** `readonly`: later assignments have no effect, unless the shell allows them. */
  readonly constants: Set<string>;
  /** What names meant before a function made them local; undefined outside functions. */
  locals: Map<string, NameMeaning> | undefined;
  /** Names of variables that programs receive. */
  readonly exported: Set<string>;
  /** `set -a`: every variable that is set is exported. */
  exportsAll: boolean;
  readonly functions: Map<string, FunctionBody>;
  readonly aliases: Map<string, Word>;
  /** $1, $2 …; undefined when they come from outside. */
  positional: readonly Word[] | undefined;
  /** What takes the data written to a path: `/dev/fd/N` for a connection, a coprocess, a `>(…)`. */
  readonly sinks: Map<string, Sink>;
  /** Named pipes, and files that `exec > file` holds open: every command may change their content. */
  readonly held: Set<string>;
  /** Patterns, as absolute paths, whose files the line goes through one by one. */
  readonly listed: Set<string>;
  /** Standard input after `exec < file`, by the input that it replaces. */
  readonly inputs: Map<Input, Input>;
  /** Files that the line wrote, by absolute path; all shells of a line share one disk. */
  readonly files: Map<string, Output>;
};

export function openShell({ directory, ...around }: Around): Shell {
  return {
    around,
    directory,
    previousDirectory: undefined,
    variables: new Map(),
    otherwise: new Map(),
    references: new Map(),
    constants: new Set(),
    locals: undefined,
    exported: new Set(),
    exportsAll: false,
    functions: new Map(),
    aliases: new Map(),
    positional: undefined,
    sinks: new Map(),
    held: new Set(),
    listed: new Set(),
    inputs: new Map(),
    files: new Map(),
  };
}

/** A subshell: it starts as a copy of this shell, and its changes stay in it, except for those on the disk. */
export const subshell = (shell: Shell): Shell => ({
  ...shell,
  variables: new Map(shell.variables),
  otherwise: new Map(shell.otherwise),
  references: new Map(shell.references),
  constants: new Set(shell.constants),
  locals: shell.locals && new Map(shell.locals),
  exported: new Set(shell.exported),
  functions: new Map(shell.functions),
  aliases: new Map(shell.aliases),
  inputs: new Map(shell.inputs),
});

/** Another shell process, which receives the exported variables and nothing else. */
export const childShell = (shell: Shell): Shell => ({
  ...subshell(shell),
  variables: new Map([...shell.variables].filter(([name]) => shell.exported.has(name))),
  references: new Map(),
  constants: new Set(),
  locals: undefined,
  functions: new Map(),
  aliases: new Map(),
  positional: undefined,
  inputs: new Map(),
});

export const aroundOf = ({ around, directory }: Shell): Around => ({ ...around, directory });

/** Only one of several branches runs: where they differ, each value counts. */
export function merge(shell: Shell, branches: readonly Shell[]): void {
  const names = new Set(
    [shell, ...branches].flatMap(({ variables, otherwise }) => [...variables.keys(), ...otherwise.keys()]),
  );
  for (const name of names) {
    const values = branches.flatMap(({ variables, otherwise }) => [
      variables.get(name),
      ...(otherwise.get(name) ?? []),
    ]);
    const own = values.find((words) => words !== undefined);
    if (own) shell.variables.set(name, own);
    else shell.variables.delete(name);
    shell.otherwise.delete(name);
    const others = values.filter((words) => !isSame(words, own));
    if (others.length > 0) setOtherwise(shell, name, others);
  }
  for (const branch of branches) join(shell, branch);
  const [first] = branches;
  const isOnePlace = branches.every(({ directory }) => directory === first?.directory);
  shell.directory = isOnePlace ? first?.directory : undefined;
}

/** A function, alias or reference is known afterwards if any branch defined it. */
function join(shell: Shell, branch: Shell): void {
  for (const [name, body] of branch.functions) shell.functions.set(name, body);
  for (const [name, text] of branch.aliases) shell.aliases.set(name, text);
  for (const [name, target] of branch.references) shell.references.set(name, target);
  for (const [before, input] of branch.inputs) shell.inputs.set(before, input);
  for (const [name, meant] of branch.locals ?? [])
    if (shell.locals && !shell.locals.has(name)) shell.locals.set(name, meant);
}

/** What a command sets in another way where a variable has another value is another value of it. */
export function mergeOthers(shell: Shell, others: readonly Shell[]): void {
  const names = new Set([shell, ...others].flatMap(({ variables }) => [...variables.keys()]));
  for (const name of names) {
    if (shell.otherwise.has(name)) continue;
    const own = shell.variables.get(name);
    const values = others.map(({ variables }) => variables.get(name)).filter((words) => !isSame(words, own));
    if (values.length > 0) setOtherwise(shell, name, values);
  }
  for (const { positional, directory } of others) {
    if (!isSame(positional, shell.positional))
      shell.positional = [unknownWord(flowsOf([...(positional ?? []), ...(shell.positional ?? [])]))];
    if (directory !== shell.directory) shell.directory = undefined;
  }
}

/** The values of a variable that are traced besides its own. */
const mostOthers = 4;

/** Values that a variable may have instead of its own; it is unknown if they are more than can be traced. */
export function setOtherwise(
  shell: Shell,
  name: string,
  others: readonly (readonly Word[] | undefined)[],
): void {
  const values = [...new Map(others.map((words) => [spelledOut(words), words])).values()];
  if (values.length <= mostOthers) return void shell.otherwise.set(name, values);
  setVariable(shell, name, [unknownWord(flowsOf(values.flatMap((words) => words ?? [])))]);
}

/** Whether each variable has the same value, and the same ones that it may have instead. */
export function hasSameVariables(shell: Shell, other: Shell): boolean {
  const valuesIn = ({ variables, otherwise }: Shell, name: string): string =>
    [variables.get(name), ...(otherwise.get(name) ?? [])].map(spelledOut).join("\n\n");
  return [...shell.variables.keys()].every((name) => valuesIn(shell, name) === valuesIn(other, name));
}

const isSame = (one: readonly Word[] | undefined, other: readonly Word[] | undefined): boolean =>
  one === other || spelledOut(one) === spelledOut(other);

/** The same for the same words, and for unknown ones that carry the same. */
const spelledOut = (words: readonly Word[] | undefined): string | undefined =>
  words?.map(({ text, carries }) => [text, ...[...carries].toSorted()].join("\t")).join("\n");

/** The values of a variable, or undefined if they are known only at run time. */
export function valuesOf(shell: Shell, name: string): readonly Word[] | undefined {
  const meant = variableOf(shell, name);
  return shell.variables.get(meant) ?? ofSurroundings(shell, meant);
}

/** The limit for references to references. */
const mostReferences = 8;

/** The variable that a name stands for, after following `declare -n` references. */
export function variableOf({ references }: Shell, name: string): string {
  let meant = name;
  for (let at = 0; at < mostReferences; at += 1) meant = references.get(meant) ?? meant;
  return meant;
}

/** What the value of a variable carries if the line itself did not set it. */
export const flowsOfVariable = (name: string): ReadonlySet<Flow> =>
  isSecretVariable(name) ? new Set<Flow>(["secret"]) : noFlows;

function ofSurroundings(
  { around, directory, previousDirectory }: Shell,
  name: string,
): readonly Word[] | undefined {
  switch (name) {
    case "HOME":
      return [literal(around.home)];
    case "PWD":
      return directory === undefined ? [unknownWord()] : [literal(directory)];
    case "OLDPWD":
      return previousDirectory === undefined ? undefined : [literal(previousDirectory)];
    case "USER":
    case "LOGNAME":
      return [literal(around.home.slice(around.home.lastIndexOf("/") + 1))];
    case "IFS":
      return [literal(" \t\n")];
    case "TMPDIR":
      return [literal("/tmp")];
    case "SHELL":
    case "BASH":
      return [literal("/bin/bash")];
    default:
      return undefined;
  }
}

/** An array with more elements counts as unknown. */
const mostElements = 1_024;

export function setVariable(shell: Shell, name: string, words: readonly Word[]): void {
  const meant = variableOf(shell, name);
  const value = words.length > mostElements ? [unknownWord()] : words;
  if (shell.constants.has(meant)) return void shell.otherwise.set(meant, [value]);
  shell.variables.set(meant, value);
  shell.otherwise.delete(meant);
  if (shell.exportsAll) shell.exported.add(meant);
}

/** Sets a variable that programs receive. */
export function exportVariable(shell: Shell, name: string, words: readonly Word[]): void {
  setVariable(shell, name, words);
  shell.exported.add(name);
}

/** Records the content of a file. `appended`: its previous content, if the new text is appended. */
export function keepFile({ files, held }: Shell, path: string, output: Output, appended?: Output): void {
  const before = held.has(path) ? files.get(path) : appended;
  const whole = before ? bothOf(before, output) : output;
  files.set(path, held.has(path) ? { ...whole, text: undefined } : whole);
}

const bothOf = (before: Output, output: Output): Output => ({
  text: joinedText(before.text, output.text),
  flows: new Set([...before.flows, ...output.flows]),
  isBuilt: before.isBuilt === true && output.isBuilt === true,
});

function joinedText(before: Word | undefined, added: Word | undefined): Word | undefined {
  const isKnown = before && added && before.text.length + added.text.length <= mostFollowedText;
  return isKnown ? joinWords([before, added]) : undefined;
}

/** What this line wrote at a path, or fetched or built into a directory above it. */
export function madeAt({ files }: Pick<Shell, "files">, path: string | undefined): Output | undefined {
  if (path === undefined || files.size === 0) return undefined;
  const exact = files.get(path);
  if (exact) return exact;
  for (const [made, { flows, isBuilt = false }] of files)
    if (path.startsWith(`${made}/`) && (flows.size > 0 || isBuilt))
      return { text: undefined, flows, isBuilt };
  return undefined;
}

/** Follows `cd`: `-` leads to the previous directory, no word leads home. */
export function changeDirectory(shell: Shell, target: Word | undefined): void {
  const before = shell.directory;
  const text = target?.text ?? homeOf(shell);
  shell.directory = text === "-" ? shell.previousDirectory : absolutePath(text, before);
  shell.previousDirectory = before;
  for (const name of ["PWD", "OLDPWD"]) shell.variables.delete(name); // the shell sets them anew
}

/** Remembers which of these stand for many files: each is a pattern, or text with the path of what was found. */
export function listFiles({ listed, directory }: Shell, words: readonly Word[]): void {
  for (const { text, isPattern } of words) {
    if (!isPattern && !text.includes("**/")) continue;
    const found = text
      .split(/[\s'"=;|&<>()]+/u)
      .filter((part) => (isPattern ? /[*?[]/u : /\*\*\//u).test(part));
    for (const path of found.filter((one) => !found.some((other) => other !== one && one.startsWith(other))))
      listed.add(absolutePath(path, directory) ?? path);
  }
}

/** Where `~` leads. */
export const homeOf = (shell: Shell): string => valuesOf(shell, "HOME")?.[0]?.text ?? shell.around.home;

export const descriptorPath = (descriptor: number | string): string => `/dev/fd/${descriptor}`;

/** A number that no descriptor of the line has. */
export const freeDescriptor = ({ files, sinks }: Shell): number => 63 + files.size + sinks.size;

/** Resolves "." and ".."; undefined if the path is not known. A pattern stays as it is. */
export function absolutePath(path: string, directory: string | undefined): string | undefined {
  if (path.includes(unknown) || path === "") return undefined;
  if (path.startsWith("/")) return normalPath(path);
  return directory === undefined ? undefined : normalPath(`${directory}/${path}`);
}

/** Resolves ".." by names and not by links, as bash does. */
export function normalPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}
