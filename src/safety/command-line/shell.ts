/** What a shell knows while its line is followed: variables, functions, where it stands, what it wrote. */

import { bounds } from "../../base/bounds.ts";
import type { Input } from "../dangers/effect.ts";
import type { Around } from "../dangers/program.ts";
import { isSecretVariable } from "../secret-variables.ts";
import type * as syntax from "./parse.ts";
import { type Flow, joined, literal, noFlows, unknown, unknownWord, type Word } from "./word.ts";

/** What a command prints, as far as it is known. */
export type Output = {
  readonly text: Word | undefined;
  readonly flows: ReadonlySet<Flow>;
  /** Of a file: a build has made it out of what was there before, so it is trusted as much. */
  readonly isBuilt?: boolean;
};

export const silent: Output = { text: literal(""), flows: noFlows };

export type FunctionBody = syntax.Function["body"];

/** What a name stands for. */
export type Meant = { readonly words: readonly Word[] | undefined; readonly reference: string | undefined };

export type Shell = {
  readonly around: Omit<Around, "directory">;
  /** Absolute; undefined when a `cd` led to where only the run tells. */
  directory: string | undefined;
  previousDirectory: string | undefined;
  /** An array has several words. */
  readonly variables: Map<string, readonly Word[]>;
  /** What variables hold where a condition of `&&` or `||` kept them from being set; undefined: nothing. */
  readonly otherwise: Map<string, readonly (readonly Word[] | undefined)[]>;
  /** `declare -n`: names that stand for another variable. */
  readonly references: Map<string, string>;
  /** `readonly`: what is assigned to them later does not count, unless the shell lets it. */
  readonly constants: Set<string>;
  /** What names meant before a function made them its own; undefined outside functions. */
  locals: Map<string, Meant> | undefined;
  /** Names of variables that programs get. */
  readonly exported: Set<string>;
  /** `set -a`: whatever is set is exported. */
  exportsAll: boolean;
  readonly functions: Map<string, FunctionBody>;
  readonly aliases: Map<string, Word>;
  /** $1, $2 …; undefined when they come from outside. */
  positional: readonly Word[] | undefined;
  /** Descriptors that `exec` has opened to another host. */
  readonly connections: Set<number>;
  /** Files that `exec > file` holds open: what is in them changes with every command. */
  readonly held: Set<string>;
  /** Standard input after `exec < file`, by the input that it takes the place of. */
  readonly inputs: Map<Input, Input>;
  /** What the line wrote, by absolute path: all shells of a line share one disk. */
  readonly files: Map<string, Output>;
};

export function openShell({ home, workspace, directory }: Around): Shell {
  return {
    around: { home, workspace },
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
    connections: new Set(),
    held: new Set(),
    inputs: new Map(),
    files: new Map(),
  };
}

/** A shell of its own that begins as this one is: what happens in it stays in it, but for the disk. */
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

/** Another shell that a program starts: it gets what was exported, and nothing else. */
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

/** Only one of several branches runs: what they do not agree on is unknown afterwards. */
export function merge(shell: Shell, branches: readonly Shell[]): void {
  const names = new Set(branches.flatMap(({ variables }) => [...variables.keys()]));
  for (const name of names) {
    const values = branches.map(({ variables }) => variables.get(name));
    const [first] = values;
    const agreed = first && values.every((value) => value !== undefined && areSame(value, first));
    shell.variables.set(name, agreed ? first : [either(values.flatMap((value) => value ?? []))]);
  }
  for (const branch of branches) join(shell, branch);
  const [first] = branches;
  const isOnePlace = branches.every(({ directory }) => directory === first?.directory);
  shell.directory = isOnePlace ? first?.directory : undefined;
}

/** What a shell knows by name is known after any branch that knew it. */
function join(shell: Shell, branch: Shell): void {
  for (const [name, body] of branch.functions) shell.functions.set(name, body);
  for (const [name, text] of branch.aliases) shell.aliases.set(name, text);
  for (const [name, target] of branch.references) shell.references.set(name, target);
  for (const [before, input] of branch.inputs) shell.inputs.set(before, input);
  for (const [name, meant] of branch.locals ?? [])
    if (shell.locals && !shell.locals.has(name)) shell.locals.set(name, meant);
}

const areSame = (one: readonly Word[], other: readonly Word[]): boolean =>
  one.length === other.length && one.every(({ text }, at) => text === other[at]?.text);

function either(words: readonly Word[]): Word {
  return { ...joined(words), text: unknown, isPattern: false, mayBeSeveral: true };
}

/** The values of a variable, or undefined where only the run tells. */
export function valuesOf(shell: Shell, name: string): readonly Word[] | undefined {
  const meant = variableOf(shell, name);
  return shell.variables.get(meant) ?? ofSurroundings(shell, meant);
}

/** References to references. */
const mostReferences = 8;

/** The variable that a name stands for: mostly itself. */
export function variableOf({ references }: Shell, name: string): string {
  let meant = name;
  for (let at = 0; at < mostReferences; at += 1) meant = references.get(meant) ?? meant;
  return meant;
}

/** What flows out of a variable that the line itself did not set. */
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

/** Of an array with more elements nothing is known. */
const mostElements = 1_024;

export function setVariable(shell: Shell, name: string, words: readonly Word[]): void {
  const meant = variableOf(shell, name);
  const value = words.length > mostElements ? [unknownWord()] : words;
  if (shell.constants.has(meant)) return void shell.otherwise.set(meant, [value]);
  shell.variables.set(meant, value);
  shell.otherwise.delete(meant);
  if (shell.exportsAll) shell.exported.add(meant);
}

/** The same for a variable that programs get. */
export function exportVariable(shell: Shell, name: string, words: readonly Word[]): void {
  setVariable(shell, name, words);
  shell.exported.add(name);
}

/** What a file holds from here on. `before`: what was in it, where something is added to that. */
export function keepFile({ files, held }: Shell, path: string, output: Output, before?: Output): void {
  const whole = before ? bothOf(before, output) : output;
  files.set(path, held.has(path) ? { ...whole, text: undefined } : whole);
}

/** A text can double each time that it is added. */
const mostText = bounds.commands.followedText.most;

const bothOf = (before: Output, output: Output): Output => ({
  text: joinedText(before.text, output.text),
  flows: new Set([...before.flows, ...output.flows]),
  isBuilt: before.isBuilt === true && output.isBuilt === true,
});

function joinedText(before: Word | undefined, added: Word | undefined): Word | undefined {
  const isKnown = before && added && before.text.length + added.text.length <= mostText;
  return isKnown ? joined([before, added]) : undefined;
}

/** What this line wrote at a path, or fetched into a directory above it. */
export function madeAt({ files }: Pick<Shell, "files">, path: string | undefined): Output | undefined {
  if (path === undefined || files.size === 0) return undefined;
  const exact = files.get(path);
  if (exact) return exact;
  for (const [made, { flows, isBuilt = false }] of files)
    if (path.startsWith(`${made}/`) && (flows.size > 0 || isBuilt))
      return { text: undefined, flows, isBuilt };
  return undefined;
}

/** Follows `cd`; `-` is where it was before. Without a word it goes home. */
export function changeDirectory(shell: Shell, target: Word | undefined): void {
  const before = shell.directory;
  const text = target?.text ?? homeOf(shell);
  shell.directory = text === "-" ? shell.previousDirectory : absolutePath(text, before);
  shell.previousDirectory = before;
  for (const name of ["PWD", "OLDPWD"]) shell.variables.delete(name); // the shell sets them anew
}

/** Where `~` leads. */
export const homeOf = (shell: Shell): string => valuesOf(shell, "HOME")?.[0]?.text ?? shell.around.home;

/** Without "." and ".."; undefined when it cannot be told. A pattern is left as it stands. */
export function absolutePath(path: string, directory: string | undefined): string | undefined {
  if (path.includes(unknown) || path === "") return undefined;
  if (path.startsWith("/")) return normalPath(path);
  return directory === undefined ? undefined : normalPath(`${directory}/${path}`);
}

/** As bash reads it: by names, not by links. */
export function normalPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}
