/** Which steps of a proposed plan a person left out when they approved it. */

import type { PlanStep } from "./facts.ts";

/** Their titles. Steps that were reworded are not told apart: nothing was left out if as many new ones are there. */
export function droppedSteps(proposed: readonly PlanStep[], approved: readonly PlanStep[]): string[] {
  const added = approved.map(({ title }) => title.trim());
  const missing: string[] = [];
  for (const { title } of proposed) {
    const at = added.indexOf(title.trim());
    if (at === -1) missing.push(title.trim());
    else added.splice(at, 1);
  }
  return missing.length > added.length ? missing : [];
}
