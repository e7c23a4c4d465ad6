/** Describes typed input for the policy: which program receives it, as what, and in which directory. */

import { directoryOf, isInteractiveShell, isShellElsewhere, readerOf } from "../../base/terminal/reader.ts";
import type { SandboxRecord } from "../../protocol/facts.ts";
import type { LiveTerminal } from "./live-terminal.ts";

export type TypedInput = {
  /** The terminal is missing or has ended: nothing will be typed. */
  isLost?: true;
  /** The receiving program, if the system tells. */
  program?: string;
  pid?: number;
  /** The text as typed; undefined for a key. */
  text?: string;
  /** The equivalent command line; undefined if the program interprets the input itself. */
  line?: string;
  /** The shell's working directory; absolute. */
  directory?: string;
  /** The sandbox of the terminal's program. */
  runsIn?: SandboxRecord;
};

/** A busy program that may give way to a shell is treated as a shell. */
export function typedInto(terminal: LiveTerminal | undefined, text: string | undefined): TypedInput {
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

/** Programs that take lines as code, and the option that passes the same code at startup. */
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

/** How other programs are told to run a shell command: `!ls`, `:!ls`, `:r !ls`, `\! ls`, `.shell ls`, `system ls`. */
const escapes = /^\s*(?:(?::[\w%,.$'\s]{0,12})?!|\\!|[.\\]?(?:shell|system)\s)\s*/u;

/** The shell command in such input, if there is one. */
export function escapeIn(text: string): string | undefined {
  const found = escapes.exec(text)?.[0];
  return found === undefined ? undefined : text.slice(found.length);
}
