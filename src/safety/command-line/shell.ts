/** What a shell knows while its line is followed: variables, functions, where it stands, what it wrote. */
import type { Around } from "../dangers/program.ts";
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

export type Shell = {
  readonly around: Omit<Around, "directory">;
  /** Absolute; undefined when a `cd` led to where only the run tells. */
  directory: string | undefined;
  previousDirectory: string | undefined;
  /** An array has several words. */
  readonly variables: Map<string, readonly Word[]>;
  /** Names of variables that programs get. */
  readonly exported: Set<string>;
  /** `set -a`: whatever is set is exported. */
  exportsAll: boolean;
  readonly functions: Map<string, FunctionBody>;
  /** $1, $2 …; undefined when they come from outside. */
  positional: readonly Word[] | undefined;
  /** Descriptors that `exec` has opened to another host. */
  readonly connections: Set<number>;
  /** What the line wrote, by absolute path: all shells of a line share one disk. */
  readonly files: Map<string, Output>;
};

export function openShell({ home, workspace, directory }: Around): Shell {
  return {
    around: { home, workspace },
    directory,
    previousDirectory: undefined,
    variables: new Map(),
    exported: new Set(),
    exportsAll: false,
    functions: new Map(),
    positional: undefined,
    connections: new Set(),
    files: new Map(),
  };
}

/** A shell of its own that begins as this one is: what happens in it stays in it, but for the disk. */
export const subshell = (shell: Shell): Shell => ({
  ...shell,
  variables: new Map(shell.variables),
  exported: new Set(shell.exported),
  functions: new Map(shell.functions),
});

/** Another shell that a program starts: it gets what was exported, and nothing else. */
export const childShell = (shell: Shell): Shell => ({
  ...subshell(shell),
  variables: new Map([...shell.variables].filter(([name]) => shell.exported.has(name))),
  functions: new Map(),
  positional: undefined,
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
  for (const branch of branches) for (const [name, body] of branch.functions) shell.functions.set(name, body);
  const [first] = branches;
  const isOnePlace = branches.every(({ directory }) => directory === first?.directory);
  shell.directory = isOnePlace ? first?.directory : undefined;
}

const areSame = (one: readonly Word[], other: readonly Word[]): boolean =>
  one.length === other.length && one.every(({ text }, at) => text === other[at]?.text);

function either(words: readonly Word[]): Word {
  return { ...joined(words), text: unknown, isPattern: false, mayBeSeveral: true };
}

/** The values of a variable, or undefined where only the run tells. */
export function valuesOf(shell: Shell, name: string): readonly Word[] | undefined {
  return shell.variables.get(name) ?? ofSurroundings(shell, name);
}

/** Names whose values are nobody's business. */
const secretName =
  /(?:token|secret|passw|passphrase|credential|api_?key|private_?key|access_?key|_pat$|_key$|^pgpass)/iu;

/** What flows out of a variable that the line itself did not set. */
export const flowsOfVariable = (name: string): ReadonlySet<Flow> =>
  secretName.test(name) ? new Set<Flow>(["secret"]) : noFlows;

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
  shell.variables.set(name, words.length > mostElements ? [unknownWord()] : words);
  if (shell.exportsAll) shell.exported.add(name);
}

/** The same for a variable that programs get. */
export function exportVariable(shell: Shell, name: string, words: readonly Word[]): void {
  setVariable(shell, name, words);
  shell.exported.add(name);
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
  if (target?.text === "-") shell.directory = shell.previousDirectory;
  else if (target === undefined) shell.directory = shell.around.home;
  else shell.directory = absolutePath(target.text, before);
  shell.previousDirectory = before;
}

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
