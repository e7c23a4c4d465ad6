/** Keeps a turn going until the session's goal is met: what was changed has been checked, and the model has evidence. */

import { cutLine } from "../base/cut-text.ts";
import type { Fact, FactOf } from "../protocol/facts.ts";
import type { TurnState } from "../protocol/session-state.ts";
import { paidFor } from "./answer/paid.ts";
import { askBeside } from "./beside.ts";
import { turnBounds } from "./bounds.ts";
import type { Finish } from "./move.ts";
import type { TurnContext } from "./turn-context.ts";
import { verificationOf } from "./verification.ts";

/** How the turn ends; undefined if it goes on because the goal is not met. */
export async function endingWithGoal(
  turn: TurnState,
  end: Finish,
  context: TurnContext,
): Promise<Finish | undefined> {
  const { log, signal } = context;
  const { goal } = log.state;
  if (goal === undefined || end.stopped !== "done") return end;
  const { changed, verified, check } = await verificationOf(turn, context);
  const isUnchecked = changed.length > 0 && verified.length === 0 && check !== undefined;
  if (isUnchecked && (turn.nudges.get(unchecked) ?? 0) < mostUnchecked) {
    await log.append(nudge(unchecked, runCheck(goal, check)));
    return undefined;
  }
  const verdict = await judge(goal, context);
  signal.throwIfAborted();
  if (log.state.goal !== goal) {
    await log.append({ ...verdict, met: false, because: "it is the goal no more" });
    return endingWithGoal(turn, end, context);
  }
  const { met, because } = verdict;
  const goesOn = !met && mayGoOn(turn, context);
  const told: Fact[] = goesOn ? [nudge(notMet, goOn(goal, because))] : [];
  await log.append(verdict, ...told);
  if (met) return end;
  return goesOn
    ? undefined
    : { type: "finish", stopped: "limit", because: `the goal is not met: ${because}` };
}

/** The codes of what the model is told. */
const unchecked = "goal-unchecked";
const notMet = "goal-not-met";

const nudge = (code: string, text: string): FactOf<"nudge"> => ({ type: "nudge", code, text });

/** A check that fails for another reason must not be demanded for ever: then the verdict alone counts. */
const mostUnchecked = 2;

const runCheck = (goal: string, check: string): string =>
  `Not done yet: nothing has checked your changes. Run \`${check}\`, mend what it finds, and go on until this goal is met: ${goal}`;

const goOn = (goal: string, because: string): string =>
  `Not done yet: the goal is not met (${because}). Go on until it is, and show it with the tools. The goal: ${goal}`;

/** Not once the model has said several times in a row that it is done, without having done anything in between. */
function mayGoOn(turn: TurnState, { log }: TurnContext): boolean {
  if ((turn.nudges.get(notMet) ?? 0) >= turnBounds.goalVerdicts.most) return false;
  let idle = 0;
  for (const entry of log.entries.toReversed()) {
    if (entry.type === "call" || entry.type === "user-message" || entry.type === "steer") break;
    if (entry.type === "nudge" && entry.code === notMet) idle += 1;
  }
  return idle < mostIdle;
}

const mostIdle = 3;

const mostVerdict = 4_000;
const mostBecause = 300;

async function judge(goal: string, context: TurnContext): Promise<FactOf<"goal-judged">> {
  const answer = await askBeside({ text: questionFor(goal), characters: mostVerdict }, context);
  const { met, because } = answer.ok
    ? verdictIn(answer.text)
    : { met: false, because: `the model gave no verdict: ${answer.problem}` };
  return {
    type: "goal-judged",
    met,
    because: cutLine(because, mostBecause),
    model: answer.by,
    ...paidFor(answer.by, answer.usage, context),
  };
}

const questionFor = (goal: string): string => `A check of the goal; it is no part of the conversation.

The goal:
${goal}

Is it met now? Only what the results above show counts: a command that ran and succeeded after the last change, a file as it was read. What was only announced or is likely does not count. Answer with one line and nothing else:
MET: the evidence
or
NOT MET: what is missing`;

/** Whatever is no clear "met" is none. */
export function verdictIn(text: string): Pick<FactOf<"goal-judged">, "met" | "because"> {
  const read = /^[\s*_>#`"']*(?<no>not\s+)?met\b[\s*_:.–—-]*(?<words>.*)$/imu.exec(text)?.groups;
  if (!read) return { met: false, because: "the model gave no clear verdict" };
  const because = read["words"]?.trim() ?? "";
  if (because === "") return { met: false, because: "the model gave no evidence" };
  return { met: read["no"] === undefined, because };
}
