/** A command as one line for a person's shell: several lines, an open quote or a heredoc would leave it waiting for more. */

import { type Expected, refuse } from "../../../../../src/base/expected.ts";

/** Shells that understand `$'…'`. */
const quoting: readonly (string | undefined)[] = ["bash", "zsh", "gitbash", "ksh"];

/** `shell`: as the editor names it. */
export function shellLine(command: string, shell: string | undefined): Expected<string> {
  if (command.trim() === "") return refuse("There is no command.");
  if (command.includes("\0")) return refuse("A command cannot hold a NUL character.");
  if (quoting.includes(shell)) return { ok: true, value: `eval $'${escaped(command)}'` };
  if (!/\p{Cc}/u.test(command)) return { ok: true, value: command };
  const name = shell ?? "unknown to the editor";
  return refuse(
    `The user's shell (${name}) takes one line at a time: write the lines to a script and run that.`,
  );
}

/** `!` as well: an interactive shell would look for it in its history. */
const escaped = (command: string): string =>
  command
    .toWellFormed()
    .replaceAll(/[\\'!]|\p{Cc}/gu, (one) => named[one] ?? `\\u${hex(one.codePointAt(0) ?? 0)}`);

const named: Readonly<Record<string, string>> = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r" };

const hex = (code: number): string => code.toString(16).padStart(4, "0");
