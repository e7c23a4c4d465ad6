/** Whether the only way of a line to other machines is a request that is known, as `git fetch` or `curl ADDRESS | jq`. */

import type { Report } from "../command-line/report.ts";
import type { CommandPart, Judgement } from "../judgement.ts";
import { usesLocalService } from "./needs.ts";

/** Where nothing is in doubt, and no other part could use the way to the network. */
export function requestsIn(
  { parts, doubts, usesNetwork }: Report,
  line: string,
): Pick<Judgement, "requests"> {
  const [part, ...others] = parts;
  if (!part?.requests || !usesNetwork || doubts.length > 0) return {};
  const isPlain = isGit(part)
    ? others.length === 0 && isPlainCommand(line, part)
    : isPlainPipeline(line, parts);
  return isPlain ? { requests: part.requests } : {};
}

type PartArguments = Pick<CommandPart, "argv">;

export const isGit = ({ argv }: PartArguments): boolean => argv?.[0] === "git";

/**
 * No second command, assignment, loop or function, no other directory, no file that is called as a program is: each could
 * lead to other settings or take the program's place. What is between single quotes says nothing, unless other signs
 * decide where those begin.
 */
function isPlainCommand(line: string, { argv }: CommandPart): boolean {
  const unquoted = line.includes('"') ? line : line.replaceAll(/'[^']*'/gu, "''");
  const plain = unquoted.replaceAll(/\s(?:2>&1|[12]?>\s?\/dev\/null)(?=\s|$)/gu, "").trim();
  const [name = ""] = plain.split(/\s+/u);
  return !/[$`\\<>(){}!#~\r\n;&|]/u.test(plain) && !name.includes("/") && name === argv?.[0];
}

/** It only reads and prints, and has neither a way out nor an option that nobody knows. */
const isFilter = (part: CommandPart): boolean =>
  part.mayLookOutside === true &&
  part.startsNothing === true &&
  part.kind === undefined &&
  !usesLocalService(part);

/**
 * A plain command, and filters that its answer runs through. Quotation marks are understood as long as nothing before
 * them could give them another meaning, and what is between them says nothing.
 */
function isPlainPipeline(line: string, parts: readonly CommandPart[]): boolean {
  const unquoted = line.replaceAll(/'[^']*'|"[^"$`\\!]*"/gu, "''");
  const plain = unquoted.replaceAll(/\s(?:2>&1|2>\s?\/dev\/null|1?>\s?[\w./-]+\s*$)(?=\s|$)/gu, "");
  if (/[$`\\<>(){}!#~\r\n;&"]|\|\s*\|/u.test(plain)) return false;
  const names = plain.split("|").map((one) => one.trim().split(/\s+/u)[0] ?? "");
  return (
    names.length === parts.length &&
    parts.every((part, at) => {
      const [name = "/"] = part.argv ?? [];
      return (at === 0 || isFilter(part)) && !name.includes("/") && name === names[at];
    })
  );
}
