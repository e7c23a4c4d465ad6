/** The tool of plan mode: submits a checklist that a person approves, edits or rejects before any work is done. */

import * as z from "zod/mini";
import { countOf } from "../base/amounts.ts";
import { droppedSteps } from "../protocol/dropped-steps.ts";
import { withoutPerson } from "../protocol/fact-words.ts";
import type { PlanStep, Todo } from "../protocol/facts.ts";
import { defineTool, ok, type ToolResult, type QuestionReply } from "./tool.ts";

const mostSteps = 50;
const longestTitle = 300;
const longestText = 4000;

export const proposePlan = defineTool({
  name: "propose_plan",
  aliases: ["exit_plan_mode", "present_plan", "submit_plan"],
  argumentAliases: {
    steps: ["plan", "items", "tasks"],
    title: ["step", "text", "task"],
    detail: ["description", "details"],
    summary: ["overview"],
  },
  summary:
    "Propose your plan to the user: concrete steps that they approve, change or reject. Once it is approved you may carry it out.",
  does: "read",
  forPeople: true,
  modes: ["plan"],
  input: () => ({
    steps: z.array(step()).check(z.minLength(1), z.maxLength(mostSteps)),
    summary: z.optional(z.string().check(z.maxLength(longestText))),
  }),
  title: ({ steps }) => `Propose a plan of ${countOf(steps.length, "step")}`,
  asks: ({ steps, summary = "" }) => {
    const proposed = steps.map(({ title, detail }) => planStep(title, detail));
    return {
      question: summary.trim() === "" ? "Shall this plan be carried out?" : summary.trim(),
      choices: [],
      steps: proposed,
      answered: (reply) =>
        reply.answer === "given" ? approvalResult(reply, proposed) : rejectionResult(reply),
    };
  },
  run: async () =>
    ok(
      "Nobody is there to approve the plan, and nothing is changed before that. End your answer with the plan in words.",
    ),
});

const step = () =>
  z.strictObject({
    title: z.string().check(z.minLength(1), z.maxLength(longestTitle)),
    detail: z.optional(z.string().check(z.maxLength(longestText))),
  });

const planStep = (title: string, detail: string | undefined): PlanStep =>
  detail === undefined || detail.trim() === "" ? { title } : { title, detail };

/** The approved plan becomes the first to-do list. */
function approvalResult({ steps, text = "" }: QuestionReply, proposed: readonly PlanStep[]): ToolResult {
  const plan = steps ?? proposed;
  const note = text.trim() === "" ? "" : `\nThey added: ${text.trim()}`;
  if (plan.length === 0)
    return ok(`The user approved the plan, but took out every step: there is nothing to do.${note}`);
  const how = isSame(plan, proposed) ? "as you proposed it" : "with changes; this is what counts";
  const dropped = droppedSteps(proposed, plan);
  const without = dropped.length === 0 ? "" : `\nWithout these of your steps: ${dropped.join("; ")}`;
  const todos: Todo[] = plan.map(({ title }) => ({ text: title, state: "open" }));
  const words = `The user approved the plan, ${how}:\n${inWords(plan)}${without}${note}\nPlan mode is over. Carry the plan out now; these steps are your list of things to do.`;
  return { ...ok(words), todos };
}

function rejectionResult({ by, text = "" }: QuestionReply): ToolResult {
  if (withoutPerson(by) !== undefined)
    return ok(
      "Nobody answered: the plan is neither approved nor rejected, and nothing is changed before it is approved. End your answer with the plan in words.",
    );
  const said =
    text.trim() === ""
      ? "They gave no reason: think of a better way, or ask what should be different."
      : `They said: "${text.trim()}".`;
  return ok(
    `The user rejected the plan. ${said} Plan mode is still on: propose another plan, or end your answer if there is nothing to plan.`,
  );
}

const isSame = (one: readonly PlanStep[], other: readonly PlanStep[]): boolean =>
  inWords(one) === inWords(other);

const inWords = (steps: readonly PlanStep[]): string =>
  steps
    .map(({ title, detail }, at) => `${at + 1}. ${title}${detail === undefined ? "" : `\n   ${detail}`}`)
    .join("\n");
