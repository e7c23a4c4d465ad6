/** Sums up the report of a walk as a judgement. */

import { resolve } from "node:path/posix";
import { isWithin } from "../../base/paths.ts";
import { isInstall, type Report } from "../command-line/report.ts";
import type { Around } from "../dangers/program.ts";
import {
  type CommandPart,
  gravest,
  isAtLeast,
  type Judgement,
  partOfFinding,
  type TouchedPath,
} from "../judgement.ts";
import { usesLocalService, needsOf, whyUncontainable } from "./needs.ts";
import { placeOf } from "./place.ts";

export function summary(report: Report, { line, around }: { line: string; around: Around }): Judgement {
  const { parts, doubts, touched } = report;
  const worst = gravest([...parts, ...doubts]);
  const severity = worst?.severity ?? "none";
  const findings = [...doubts, ...parts.flatMap((part) => part.findings)];
  const onlyPrints = severity === "none" && !report.doesMore;
  const outside = touched.filter((one) => leavesWorkspace(one, around));
  return {
    severity,
    because: worst?.because ?? "",
    ...(worst?.range ? { range: worst.range } : {}),
    parts: [...parts, ...doubts.map(partOfFinding)],
    touched,
    onlyReads: onlyPrints && !report.usesNetwork,
    ...(onlyPrints && report.usesNetwork && !report.namesHost ? { onlyRequests: true } : {}),
    ...(report.showsVariables && !report.doesMore && !report.usesNetwork && findings.length === 1
      ? { onlyShowsVariables: true }
      : {}),
    onlyGit:
      doubts.length === 0 &&
      parts.some(isGit) &&
      parts.every((part) => isGit(part) || isBesideGit(part, around)) &&
      !report.usesOpenGit,
    onlyInstalls:
      (severity === "medium" ? findings.some(isInstall) : severity === "none" && report.usesNetwork) &&
      !report.usesOtherNetwork,
    usesOpenGit: report.usesOpenGit,
    usesNetwork: report.usesNetwork,
    ...requestsIn(report, line),
    destroysOutside:
      outside.some(({ access }) => access === "delete") ||
      findings.some(({ destroysDevice }) => destroysDevice === true),
    leavesWorkspace: outside.length > 0,
    usesService: onlyPrints && !report.usesNetwork && (report.usesService || parts.some(usesLocalService)),
    ...whyUncontainable(parts),
    needs: needsOf(parts),
  };
}

/** Where nothing is in doubt, and no other part could use the way to the network. */
function requestsIn({ parts, doubts, usesNetwork }: Report, line: string): Pick<Judgement, "requests"> {
  const [part, ...others] = parts;
  if (!part?.requests || !usesNetwork || doubts.length > 0) return {};
  const isPlain = isGit(part)
    ? others.length === 0 && isPlainCommand(line, part)
    : isPlainPipeline(line, parts);
  return isPlain ? { requests: part.requests } : {};
}

type PartArguments = Pick<CommandPart, "argv">;

const isGit = ({ argv }: PartArguments): boolean => argv?.[0] === "git";

/**
 * What may run where `.git` can be written: no code that could plant something there, nothing that changes what the
 * words after it mean, and nothing so severe that an approval of it needs the open profile.
 */
function isBesideGit({ words, argv, severity, startsNothing }: CommandPart, { workspace }: Around): boolean {
  if (!startsNothing || isAtLeast(severity, "high") || /^git\b/u.test(words)) return false;
  const [name = "", place = ".."] = argv ?? [];
  if (name === "cd")
    return isWithin(workspace, resolve(workspace, place)) && !/(?:^|\/)\.(?:\.|git)(?:\/|$)/iu.test(place);
  return !changesShell.test(words);
}

const changesShell =
  /^(?:alias|unalias|autoload|bind|bindkey|chdir|comp\w+|declare|emulate|enable|eval|export|fc|float|hash|history|integer|let|local|mapfile|popd|pushd|read|readarray|readonly|set|setopt|shopt|trap|typeset|unset|unsetopt|zle|zmodload)\b/u;

/** Everything outside counts, except temporary files and system files that anybody may read. */
export function leavesWorkspace({ path, access }: TouchedPath, around: Around): boolean {
  const { kind, secret } = placeOf(path, around);
  if (
    kind === "in-workspace" ||
    kind === "workspace" ||
    kind === "git" ||
    kind === "temporary" ||
    kind === "nothing"
  )
    return false;
  if (access !== "read") return true;
  if (secret !== undefined) return true;
  return (
    kind === "home" ||
    kind === "at-home" ||
    kind === "in-home" ||
    kind === "above-workspace" ||
    kind === "elsewhere" ||
    kind === "device"
  );
}

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
function isPlainPipeline(line: string, parts: readonly CommandPart[]): boolean {
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
