/** Whether a line is nothing but one command, so that nothing stands between its words and git. */

import type { CommandPart } from "../judgement.ts";

/**
 * No second command, assignment, loop or function, no other directory, no file that is called as a program is: each could
 * lead to other settings or take the program's place. What is between single quotes says nothing, unless other signs
 * decide where those begin.
 */
export function isPlainCommand(line: string, { argv }: CommandPart): boolean {
  const unquoted = line.includes('"') ? line : line.replaceAll(/'[^']*'/gu, "''");
  const plain = unquoted.replaceAll(/\s(?:2>&1|[12]?>\s?\/dev\/null)(?=\s|$)/gu, "").trim();
  const [name = ""] = plain.split(/\s+/u);
  return !/[$`\\<>(){}!#~\r\n;&|]/u.test(plain) && !name.includes("/") && name === argv?.[0];
}
