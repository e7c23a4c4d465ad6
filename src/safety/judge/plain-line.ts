/** Whether a line is nothing but the commands that it was judged to have, so that nothing stands between its words and git. */

import type { CommandPart } from "../judgement.ts";

/**
 * No assignment, no loop, no function, no other directory, no file that is called as a program is: each could lead to
 * other settings or take a program's place. What is between single quotes says nothing, unless other signs decide where those begin.
 */
export function isPlainLine(line: string, parts: readonly CommandPart[]): boolean {
  const unquoted = line.includes('"') ? line : line.replaceAll(/'[^']*'/gu, "''");
  const plain = unquoted.replaceAll(/\s(?:2>&1|[12]?>\s?\/dev\/null)(?=[\s;|&]|$)/gu, "");
  if (/[$`\\<>(){}!#~\r]|(?<!&)&(?!&)/u.test(plain)) return false;
  const commands = plain.split(/&&|\|\||[;|\n]/u).map((command) => command.trim());
  const named = commands.filter((command) => command !== "");
  return (
    named.length === parts.length &&
    named.every((command, at) => {
      const [name = ""] = command.split(/\s+/u);
      return !name.includes("/") && name === parts[at]?.argv?.[0];
    })
  );
}
