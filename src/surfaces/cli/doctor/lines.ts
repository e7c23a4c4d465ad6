/** Formats findings as lines: state, check, result and fix. */

import type { Style } from "../../view/plain.ts";
import { visibleLine } from "../../view/visible.ts";
import { columns } from "../room.ts";
import type { Finding } from "./finding.ts";

export function findingLines(findings: readonly Finding[], style: Style): string[] {
  const paint = { ok: style.green, warn: style.yellow, fail: style.red };
  const lines = columns(
    findings.map(({ check, state, words, fix }) => [
      state.padEnd(4),
      check,
      visibleLine(fix === undefined ? words : `${words.replace(/\.$/u, "")}: ${fix}`),
    ]),
  );
  const painted = lines.map((line, at) => {
    const state = findings[at]?.state ?? "ok";
    return paint[state](line.slice(0, 4)) + line.slice(4);
  });
  return [...painted, "", summary(findings)];
}

/** Names what is not ok, since its line may have scrolled away. */
function summary(findings: readonly Finding[]): string {
  const named = (wanted: Finding["state"]): string => {
    const checks = findings.flatMap(({ check, state }) => (state === wanted ? [check] : []));
    return `${checks.length} ${wanted}${wanted === "ok" || checks.length === 0 ? "" : ` (${[...new Set(checks)].join(", ")})`}`;
  };
  return (["ok", "warn", "fail"] as const).map(named).join(" · ");
}
