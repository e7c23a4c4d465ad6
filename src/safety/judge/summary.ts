/** The report of a walk, summed up as a judgement. */
import { isInstall, type Report } from "../command-line/report.ts";
import type { Around } from "../dangers/program.ts";
import { type CommandPart, gravest, type Judgement, type Touched } from "../judgement.ts";
import { needsOf } from "./needs.ts";
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
    parts: withDoubts(report),
    touched,
    onlyReads: severity === "none" && !report.doesMore,
    onlyGit:
      parts.length > 0 &&
      doubts.length === 0 &&
      parts.every(({ argv, isPlain }) => isPlain && argv?.[0] === "git") &&
      !report.usesOpenGit,
    onlyInstalls: severity === "medium" && findings.some(isInstall) && !report.usesOtherNetwork,
    usesOpenGit: report.usesOpenGit,
    usesNetwork: report.usesNetwork,
    destroysOutside:
      outside.some(({ access }) => access === "delete") ||
      findings.some(({ because }) => /^it (?:writes|changes|adds to) the device/u.test(because)),
    leavesWorkspace: outside.length > 0,
    asksService: severity === "none" && !report.doesMore && (report.asksService || parts.some(isService)),
    ...uncontainable(parts),
    needs: needsOf(parts),
  };
}

/** Programs that ask a service over a socket of this machine. */
const isService = ({ words }: CommandPart): boolean =>
  /^(?:\S*\/)?(?:docker|docker-compose|podman|nerdctl|systemctl|journalctl|loginctl|busctl)(?:\s|$)/u.test(
    words,
  );

const becomesOther =
  /^(?:\S*\/)?(?:sudo|doas|su|pkexec|runuser|run0|sg(?!\s+(?:-\w|--|run\b|scan\b))|newgrp)(?:\s|$)/u;
const reachesProcesses =
  /^(?:\S*\/)?(?:kill|pkill|killall|skill|fuser|ps|pgrep|pidof|pstree|top|htop|pmap|lsof|ss|netstat|renice)(?:\s|$)|^(?:\S*\/)?(?:strace|ltrace|gdb|perf)\s(?:.*\s)?-p/u;

/** Why no sandbox can hold it and it still work. */
function uncontainable(parts: readonly CommandPart[]): Pick<Judgement, "uncontainable"> {
  if (parts.some(({ words }) => becomesOther.test(words)))
    return { uncontainable: "it becomes another user, which a sandbox does not allow" };
  if (parts.some(({ words }) => reachesProcesses.test(words)))
    return { uncontainable: "it is about processes outside, which nothing in a sandbox can see" };
  return {};
}

/** What runs without being a part of its own stands as one: nothing that was found is hidden from rules and people. */
function withDoubts({ parts, doubts }: Report): Judgement["parts"] {
  return [
    ...parts,
    ...doubts.map((found) => ({
      words: "…",
      severity: found.severity,
      because: found.because,
      findings: [found],
      isPlain: false,
      verbs: 1,
    })),
  ];
}

/** Temporary files and the system's own, which anybody may read, are no concern; all else outside is. */
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
