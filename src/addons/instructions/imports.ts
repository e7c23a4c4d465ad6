/** Finds the imports of an instruction file: `@path` in its text, as in CLAUDE.md, except within code. */

import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Paths as written, in order, without duplicates. */
export function importsIn(text: string): string[] {
  const found = new Set<string>();
  for (const line of withoutCode(text).split("\n"))
    for (const [, path = ""] of line.matchAll(/(?:^|[\s(])@((?:\\ |[^\s`@])+)/gu))
      found.add(path.replaceAll("\\ ", " ").replace(/[.,;:!?)\]'"*]+$/u, ""));
  found.delete("");
  return [...found];
}

/** Absolute; undefined for another user's home (`~name`). */
export function importedPath(written: string, from: string, home = homedir()): string | undefined {
  if (written === "~" || written.startsWith("~/")) return join(home, written.slice(1));
  if (written.startsWith("~") || written.includes("\0")) return undefined;
  return isAbsolute(written) ? resolve(written) : resolve(dirname(from), written);
}

/** Removes HTML comments, fenced blocks and inline code, in a single pass over the lines. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of text.replaceAll(/<!--(?:(?!-->)[^]){0,4000}-->/gu, " ").split("\n")) {
    const mark = /^[ \t]{0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined) {
      if (mark !== undefined && mark.startsWith(fence)) fence = undefined;
    } else kept.push(line.replaceAll(/(`+)[^`]+\1/gu, " "));
  }
  return kept.join("\n");
}
