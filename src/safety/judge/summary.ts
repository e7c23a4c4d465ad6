/** Sums up the report of a walk as a judgement. */

import { resolve } from "node:path/posix";
import { isWithin } from "../../base/paths.ts";
import { isInstall, type Report } from "../command-line/report.ts";
import type { Around } from "../dangers/program.ts";
import { type CommandPart, gravest, isAtLeast, type Judgement, partOfFinding } from "../judgement.ts";
import { leavesWorkspace } from "./leaves-workspace.ts";
import { usesLocalService, needsOf, whyUncontainable } from "./needs.ts";
import { isGit, requestsIn } from "./requests.ts";

export function summary(report: Report, { line, around }: { line: string; around: Around }): Judgement {
  const { parts, doubts, touched } = report;
  const worst = gravest([...parts, ...doubts]);
  const severity = worst?.severity ?? "none";
  const findings = [...doubts, ...parts.flatMap((part) => part.findings)];
  const onlyPrints = severity === "none" && !report.doesMore;
  const outside = touched.filter((one) => leavesWorkspace(one, around));
  const usesService =
    onlyPrints && !report.usesNetwork && (report.usesService || parts.some(usesLocalService));
  const onlyRequests = onlyPrints && report.usesNetwork && !report.namesHost;
  return {
    severity,
    because: worst?.because ?? "",
    ...(worst?.range ? { range: worst.range } : {}),
    parts: [...parts, ...doubts.map(partOfFinding)],
    touched,
    onlyReads: onlyPrints && !report.usesNetwork,
    ...(onlyRequests ? { onlyRequests } : {}),
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
    usesService,
    ...whyUncontainable(parts),
    ...(parts.every((part) => part.mayLookOutside) && doubts.length === 0 ? { mayLookOutside: true } : {}),
    needs: needsOf(parts),
  };
}

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
