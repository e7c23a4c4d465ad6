/** Derives names for hooks whose settings give none. */

import { basename } from "node:path";
import { commandWords } from "../files-run.ts";
import type { Hook, HookRuns } from "./hook.ts";

/**
 * From the program or host and the event: "check.sh at prompt", else "hook 2 at prompt". Names are logged and a command
 * may hold a secret, so nothing else of it is used. `at`: index in its file, from 0.
 */
export function shortName(runs: HookRuns, { event, at }: { event: string; at: number }): string {
  return `${programOf(runs) ?? `hook ${at + 1}`} at ${event}`;
}

function programOf(runs: HookRuns): string | undefined {
  switch (runs.type) {
    case "line":
      return programOfLine(runs.line);
    case "program":
      return programOfWords(runs.command);
    case "address":
      return plainly(URL.parse(runs.url)?.host);
    default:
      return runs satisfies never;
  }
}

/**
 * Only where the line plainly starts with the program: after a value that a shell would expand, the next word may still
 * belong to that value.
 */
function programOfLine(line: string): string | undefined {
  const values = /^\s*(?:\w+=(?:"[^"\\$`]*"|'[^']*'|[^\s"'\\$`();|&<>]*)\s+)*/u;
  const command = line.replace(values, "");
  const words =
    /^(?:(?:"[^"\\`]*"|'[^']*'|[^\s"'\\`();|&<>])+(?:[ \t]+|$|(?=[;|&<>\n])))+/u.exec(command)?.[0] ?? "";
  return programOfWords((words.match(/(?:"[^"]*"|'[^']*'|\S)+/gu) ?? []).map(withoutQuotes));
}

const withoutQuotes = (word: string): string => word.replaceAll(/["']/gu, "");

/** For a script, its own name, which says more than the interpreter's. */
function programOfWords([program = "", ...rest]: readonly string[]): string | undefined {
  const name = plainly(program);
  const argument = rest.find((word) => !word.startsWith("-"));
  const script = argument === undefined || name === undefined ? undefined : plainly(argument);
  if (script === undefined) return name;
  const readsIt = /^(?:(?:ba|z|da|k)?sh|node|deno|bun|python[\d.]*|perl|ruby|php)$/u.test(name ?? "");
  const isScript = readsIt && /\.[a-z]{1,4}$/u.test(script);
  return isScript || /^(?:npx|bunx|pnpx|uvx)$/u.test(name ?? "") ? script : name;
}

/** Undefined: not a plain file name. */
function plainly(path: string | undefined): string | undefined {
  const name = path === undefined || path.includes("=") ? "" : basename(path);
  return /^[\w.:+-]{1,40}$/u.test(name) ? name : undefined;
}

/** The full command, for people. */
export function wordsOf(runs: HookRuns): string {
  switch (runs.type) {
    case "line":
      return runs.line;
    case "program":
      return commandWords(runs.command);
    case "address":
      return runs.url;
    default:
      return runs satisfies never;
  }
}

/** Makes names unique: the second hook called "name" becomes "name (2)". */
export function uniquely(hooks: readonly Hook[]): Hook[] {
  const taken = new Set<string>();
  return hooks.map((hook) => {
    let name = hook.name;
    for (let count = 2; taken.has(name); count += 1) name = `${hook.name} (${count})`;
    taken.add(name);
    return { ...hook, name };
  });
}
