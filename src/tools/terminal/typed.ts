/** What is typed into a terminal, as those who judge it need it: which program takes it for what, and where that runs. */
import { directoryOf, isInteractiveShell, readerOf } from "../../base/terminal/reader.ts";
import type { Sandboxed } from "../../protocol/facts.ts";
import type { LiveTerminal } from "./live-terminal.ts";

export type Typed = {
  /** The command line that comes to the same; undefined where the program takes it for something of its own. */
  line?: string;
  /** Where the shell stands; absolute. */
  directory?: string;
  /** How the terminal's program was put into the sandbox. */
  runsIn?: Sandboxed;
};

/** What does not run yet is taken for a shell, and so is what works and may give way to one. */
export function typedInto(terminal: LiveTerminal | undefined, text: string): Typed {
  const { pid, pty, end, runsIn } = terminal ?? {};
  if (pid === undefined || pty === undefined || end) return { line: text };
  const reader = readerOf(pid, pty.device);
  const where = runsIn === undefined ? {} : { runsIn };
  if (reader.kind !== "reads") return { ...where, line: text };
  if (!isInteractiveShell(reader)) {
    const line = asCode(reader.name, text);
    return { ...where, ...(line === undefined ? {} : { line }) };
  }
  const directory = directoryOf(reader.pid);
  return { ...where, line: text, ...(directory === undefined ? {} : { directory }) };
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
