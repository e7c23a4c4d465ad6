/** Sums up the report of a walk as a judgement. */

import { isInstall, type Report } from "../command-line/report.ts";
import type { Around } from "../dangers/program.ts";
import { type CommandPart, gravest, type Judgement, partOfFinding, type Touched } from "../judgement.ts";
import { asksLocalService, needsOf, whyUncontainable } from "./needs.ts";
import { placeOf } from "./place.ts";

export function summary(report: Report, around: Around): Judgement {
  const { parts, doubts, touched } = report;
  const worst = gravest([...parts, ...doubts]);
  const severity = worst?.severity ?? "none";
  const findings = [...doubts, ...parts.flatMap((part) => part.findings)];
  const outside = touched.filter((one) => leavesWorkspace(one, around));
  return {
    severity,
    because: worst?.because ?? "",
    parts: [...parts, ...doubts.map(partOfFinding)],
    touched,
    onlyReads: severity === "none" && !report.doesMore,
    ...(report.showsVariables && !report.doesMore && findings.length === 1
      ? { onlyShowsVariables: true }
      : {}),
    onlyGit:
      doubts.length === 0 &&
      parts.some(isGit) &&
      parts.every((part) => part.isPlain && (isGit(part) || isOwnWord(part))) &&
      !report.usesOpenGit,
    onlyInstalls: severity === "medium" && findings.some(isInstall) && !report.usesOtherNetwork,
    usesOpenGit: report.usesOpenGit,
    usesNetwork: report.usesNetwork,
    destroysOutside:
      outside.some(({ access }) => access === "delete") ||
      findings.some(({ because }) => /^it (?:writes|changes|adds to) the device/u.test(because)),
    leavesWorkspace: outside.length > 0,
    asksService:
      severity === "none" && !report.doesMore && (report.asksService || parts.some(asksLocalService)),
    ...whyUncontainable(parts),
    needs: needsOf(parts),
  };
}

type Called = Pick<CommandPart, "argv">;

const isGit = ({ argv }: Called): boolean => argv?.[0] === "git";

/** Builtins that only print or set a status: no program is started. */
const isOwnWord = ({ argv }: Called): boolean => /^(?:echo|printf|true|false|:|pwd)$/u.test(argv?.[0] ?? "");

/** Everything outside counts, except temporary files and system files that anybody may read. */
export function leavesWorkspace({ path, access }: Touched, around: Around): boolean {
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
