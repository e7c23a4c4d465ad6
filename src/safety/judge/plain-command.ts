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

/**
 * Programs that have no other way out than what they print, whatever their words make them do: neither a network nor
 * another program.
 */
const filters: ReadonlySet<string> = new Set(
  ["base64", "cat", "column", "cut", "fold", "grep", "head", "jq", "md5sum", "nl", "rev", "sha256sum"].concat(
    ["sha512sum", "sort", "tac", "tail", "tr", "uniq", "wc"],
  ),
);

/**
 * A plain command, and filters that its answer runs through. Quotation marks are understood as long as nothing before
 * them could give them another meaning, and what is between them says nothing.
 */
export function isPlainPipeline(line: string, parts: readonly CommandPart[]): boolean {
  const unquoted = line.replaceAll(/'[^']*'|"[^"$`\\!]*"/gu, "''");
  const plain = unquoted.replaceAll(/\s(?:2>&1|2>\s?\/dev\/null|1?>\s?[\w./-]+\s*$)(?=\s|$)/gu, "");
  if (/[$`\\<>(){}!#~\r\n;&"]|\|\s*\|/u.test(plain)) return false;
  const names = plain.split("|").map((one) => one.trim().split(/\s+/u)[0] ?? "");
  return (
    names.length === parts.length &&
    parts.every(({ argv: [name = "/"] = [], startsNothing }, at) => {
      const isKnown = at === 0 ? !name.includes("/") : startsNothing === true && filters.has(name);
      return isKnown && name === names[at];
    })
  );
}
