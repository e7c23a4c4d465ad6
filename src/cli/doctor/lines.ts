/** Formats findings as lines: state, check, result and fix. */

import { visibleLine } from "../../base/visible-text.ts";
import { inFlags } from "../../configuration/options/flag-words.ts";
import type { Style } from "../../view/plain.ts";
import { columns } from "../cli-context.ts";
import type { DoctorFinding } from "./finding.ts";

/** The findings about one thing. */
export type FindingGroup = { name: string; findings: readonly DoctorFinding[] };

/** What people look for; it is shown even if all is well. */
const shownAlways: ReadonlySet<string> = new Set(["models", "model", "dialects", "sandbox"]);

/** One finding for all of a group that is well; what is not comes last, where it stays on the screen. */
export function foldGroups(groups: readonly FindingGroup[]): DoctorFinding[] {
  const all = groups.flatMap(({ findings }) => findings);
  const fine = groups.flatMap(({ name, findings }) => {
    const well = findings.filter(({ state }) => state === "ok");
    const shown = well.filter(({ check }) => shownAlways.has(check));
    const rest = well.filter(({ check }) => !shownAlways.has(check));
    if (rest.length < 2) return well;
    const checks = [...new Set(rest.map(({ check }) => check))].join(", ");
    return [...shown, { check: name, state: "ok" as const, words: checks }];
  });
  return [...fine, ...all.filter(({ state }) => state !== "ok")];
}

/** `shown`: the findings with a line each; the summary is about all. */
export function findingLines(findings: readonly DoctorFinding[], style: Style, shown = findings): string[] {
  const paint = { ok: style.green, warn: style.yellow, fail: style.red };
  const lines = columns(
    shown.map(({ check, state, words, fix }) => [
      state.padEnd(4),
      check,
      visibleLine(inFlags(fix === undefined ? words : `${words.replace(/\.$/u, "")}: ${fix}`)),
    ]),
  );
  const painted = lines.map((line, at) => {
    const state = shown[at]?.state ?? "ok";
    return paint[state](line.slice(0, 4)) + line.slice(4);
  });
  const more = shown === findings ? "" : "; `toolwright doctor --verbose` has a line for each";
  return [...painted, "", summary(findings) + more];
}

/** Names what is not ok, since its line may have scrolled away. */
function summary(findings: readonly DoctorFinding[]): string {
  const named = (wanted: DoctorFinding["state"]): string => {
    const checks = findings.flatMap(({ check, state }) => (state === wanted ? [check] : []));
    return `${checks.length} ${wanted}${wanted === "ok" || checks.length === 0 ? "" : ` (${[...new Set(checks)].join(", ")})`}`;
  };
  return (["ok", "warn", "fail"] as const).map(named).join(" · ");
}
