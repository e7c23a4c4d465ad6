/** A plan while a person edits it: steps have keys, so that each field keeps its identity when steps move. */

import type { PlanStep } from "../../protocol/facts.ts";

export type EditedStep = { key: number; title: string; detail: string };

export const editedSteps = (steps: readonly PlanStep[]): EditedStep[] =>
  steps.map(({ title, detail = "" }, key) => ({ key, title, detail }));

export function stepAdded(steps: readonly EditedStep[]): EditedStep[] {
  const key = Math.max(-1, ...steps.map((step) => step.key)) + 1;
  return [...steps, { key, title: "", detail: "" }];
}

export const stepRemoved = (steps: readonly EditedStep[], key: number): EditedStep[] =>
  steps.filter((step) => step.key !== key);

export const stepWritten = (
  steps: readonly EditedStep[],
  key: number,
  words: Partial<Pick<EditedStep, "title" | "detail">>,
): EditedStep[] => steps.map((step) => (step.key === key ? { ...step, ...words } : step));

/** A step at either end stays there. */
export function stepMoved(steps: readonly EditedStep[], key: number, by: -1 | 1): EditedStep[] {
  const from = steps.findIndex((step) => step.key === key);
  const [step, other] = [steps[from], steps[from + by]];
  if (!step || !other) return [...steps];
  return steps.map((each, at) => (at === from ? other : at === from + by ? step : each));
}

/** The plan to approve, without empty steps. */
export function plannedSteps(steps: readonly EditedStep[]): PlanStep[] {
  return steps.flatMap(({ title, detail }) => {
    if (title.trim() === "" && detail.trim() === "") return [];
    const words = title.trim() === "" ? detail.trim() : title.trim();
    return title.trim() === "" || detail.trim() === ""
      ? [{ title: words }]
      : [{ title: words, detail: detail.trim() }];
  });
}

/** `undefined` if it is unchanged from the model's plan. */
export function changedPlan(
  planned: readonly PlanStep[],
  steps: readonly EditedStep[],
): PlanStep[] | undefined {
  const now = plannedSteps(steps);
  const before = plannedSteps(editedSteps(planned));
  return JSON.stringify(now) === JSON.stringify(before) ? undefined : now;
}
