/** Formats a simulation as lines for people. */

import type { Simulation } from "../../runtime/inspecting/simulate.ts";
import { visibleLine } from "../../view/visible.ts";
import { columns } from "../cli-context.ts";

const mostShown = 40;

const sides = {
  recorded: "as recorded",
  present: "by the present rules",
  file: "by the rules of the file",
} as const;

export function simulationLines(report: Omit<Simulation, "warnings">): string[] {
  const { sessions, calls, compared, before, after, suggestion } = report;
  if (calls === 0) return ["There is nothing to simulate: no session kept here has asked for anything yet."];
  const [one, other] = compared;
  const rows = (["allowed", "asked", "denied"] as const).map((each) => [
    each,
    `${before[each]}`,
    `${after[each]}`,
  ]);
  return [
    `${calls} ${calls === 1 ? "call" : "calls"} in ${sessions} ${sessions === 1 ? "session" : "sessions"}, decided again`,
    "",
    ...columns([["", sides[one], sides[other]], ...rows]),
    "",
    ...changeLines(report),
    "",
    ...(suggestion
      ? [
          `This one rule would have saved ${suggestion.saves} of the ${after.asked} questions:`,
          `  ${visibleLine(JSON.stringify(suggestion.rule))}`,
          ...(suggestion.rule.command !== undefined && suggestion.rule.upTo !== "medium"
            ? ["It would allow high risks without a question: look at what they are before you write it."]
            : []),
        ]
      : [
          after.asked === 0
            ? "No question was asked that a rule could save."
            : "No single rule would have saved a question.",
        ]),
  ];
}

/** Identical changes of the same call are printed once, with a count. */
function changeLines({ changes }: Pick<Simulation, "changes">): string[] {
  if (changes.length === 0) return ["Every call comes out as before."];
  const counted = new Map<string, { row: string[]; times: number }>();
  for (const { title, before, after, because } of changes) {
    const row = [`${before} → ${after}`, visibleLine(title).slice(0, 100), visibleLine(because)];
    const known = counted.get(row.join("\n"));
    counted.set(row.join("\n"), { row, times: (known?.times ?? 0) + 1 });
  }
  const rows = [...counted.values()].sort((one, other) => other.times - one.times);
  const more = rows.length - mostShown;
  return [
    `${changes.length} ${changes.length === 1 ? "call comes" : "calls come"} out differently:`,
    ...columns(rows.slice(0, mostShown).map(({ row, times }) => [`  ${times} ×`, ...row])),
    ...(more > 0 ? [`  and ${more} more kinds; --output json has all of them`] : []),
  ];
}
