/**
 * What is typed into a terminal, as those who judge it need it: which program takes it for what, and where that runs.
 */

import { directoryOf, isInteractiveShell, isShellElsewhere, readerOf } from "../../base/terminal/reader.ts";
import type { Sandboxed } from "../../protocol/facts.ts";
import type { LiveTerminal } from "./live-terminal.ts";

export type Typed = {
  /** There is no such terminal, or it has ended: nothing will be typed. */
  isLost?: true;
  /** Who takes it, where the system tells. */
  program?: string;
  pid?: number;
  /** As it is typed; undefined for a key. */
  text?: string;
  /** The command line that comes to the same; undefined where the program takes it for something of its own. */
  line?: string;
  /** Where the shell stands; absolute. */
  directory?: string;
  /** How the terminal's program was put into the sandbox. */
  runsIn?: Sandboxed;
};

/** What works and may give way to a shell is taken for one. */
export function typedInto(terminal: LiveTerminal | undefined, text: string | undefined): Typed {
  const { pid, pty, end, runsIn } = terminal ?? {};
  if (pid === undefined || pty === undefined || end) return { isLost: true };
  const reader = readerOf(pid, pty.device);
  const where = runsIn === undefined ? {} : { runsIn };
  if (reader.kind !== "reads") return { ...where, ...(text === undefined ? {} : { text, line: text }) };
  const who = { ...where, program: reader.name, pid: reader.pid };
  const isShell = isInteractiveShell(reader);
  const found = isShell ? directoryOf(reader.pid) : undefined;
  const directory = found === undefined ? {} : { directory: found };
  if (text === undefined) return { ...who, ...directory };
  const line = isShell || isShellElsewhere(reader) ? text : asCode(reader.name, text);
  return { ...who, ...directory, text, ...(line === undefined ? {} : { line }) };
}

/** Programs that take lines as code, and how the same code is given to them at their start. */
const interpreters: readonly [RegExp, string][] = [
  [/^(?:node|nodejs)$/, "node -e"],
  [/^bun$/, "bun -e"],
  [/^deno$/, "deno eval"],
  [/^(?:i?python[\d.]*|pypy[\d.]*)$/, "python3 -c"],
  [/^(?:irb|pry|ruby[\d.]*)$/, "ruby -e"],
  [/^perl[\d.]*$/, "perl -e"],
  [/^php[\d.]*$/, "php -r"],
  [/^psql$/, "psql -c"],
  [/^(?:mysql|mariadb)$/, "mysql -e"],
  [/^sqlite3?$/, "sqlite3 database"],
];

function asCode(program: string, text: string): string | undefined {
  const option = interpreters.find(([name]) => name.test(program))?.[1];
  return option && `${option} '${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * How programs that are no shells are told to run a command: `!ls`, `:!ls`, `:r !ls`, `\! ls`, `.shell ls`, `system
 * ls`.
 */
const escapes = /^\s*(?:(?::[\w%,.$'\s]{0,12})?!|\\!|[.\\]?(?:shell|system)\s)\s*/u;

/** The command in it, if it may ask the program to run one. */
export function escapeIn(text: string): string | undefined {
  const found = escapes.exec(text)?.[0];
  return found === undefined ? undefined : text.slice(found.length);
}
