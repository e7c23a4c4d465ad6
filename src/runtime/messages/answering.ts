/** Turns a person's answer (to an approval, a model's question or a limit) into facts. The first answer wins. */

import { notEditable } from "../../agent/call/understand.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import type { Command, CommandOutcome, AnswerQuestion } from "../../protocol/commands.ts";
import { isAllDropped, readDrops } from "../../protocol/dropped-parts.ts";
import { scopes } from "../../protocol/fact-words.ts";
import type { Fact, FactOf, Scope, PlanStep } from "../../protocol/facts.ts";
import { pendingApprovals, pendingQuestions, type SessionState } from "../../protocol/session-state.ts";
import type { Offer } from "../../safety/grants.ts";
import type { ProjectGrants } from "../project-grants.ts";

/** Limits of a reply: characters of a free-form answer, and steps of a plan. */
const longestText = 100_000;
const mostSteps = 200;

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;
export type AnswerCommand =
  | CommandOf<"answer-approval">
  | CommandOf<"answer-question">
  | CommandOf<"answer-limit">;

type AnsweringContext = {
  state: SessionState;
  projectGrants?: ProjectGrants | undefined;
  /** Judges a command that replaces the call's own, and returns what an approval of it may cover. */
  judge: (callId: string, command: string) => Promise<Expected<Offer | undefined>>;
};

/** The problem says why the answer is invalid; nothing of it is stored then. */
export async function answerFacts(
  answer: AnswerCommand,
  context: AnsweringContext,
): Promise<Expected<Fact[]>> {
  const { state } = context;
  switch (answer.type) {
    case "answer-approval":
      return answerApproval(answer, context);
    case "answer-question":
      return answerQuestion(answer, state);
    case "answer-limit":
      return answerLimit(answer, state);
    default:
      return answer satisfies never;
  }
}

const notOpen = refuse("That question is not open any more.");

async function answerApproval(
  approval: CommandOf<"answer-approval">,
  context: AnsweringContext,
): Promise<Expected<Fact[]>> {
  const { type: _, command, drops, ...said } = approval;
  const asked = pendingApprovals(context.state).find(({ callId }) => callId === said.callId);
  if (!asked) return notOpen;
  if (drops && command !== undefined) return refuse("Nothing can be dropped of a command that is to run.");
  const dropped = drops && readDrops(drops, asked);
  if (dropped && !dropped.ok) return dropped;
  if (dropped && said.answer === "deny")
    return refuse("Say no, which keeps nothing, or say yes and what to drop, but not both.");
  const isNo = dropped !== undefined && isAllDropped(dropped.value, asked);
  const answer = isNo ? { ...said, answer: "deny" as const, scope: "once" as const } : said;
  const edit = command === undefined || command === asked.command ? undefined : command;
  const edited = edit === undefined ? undefined : await readEdit(answer, edit, { asked, ...context });
  if (edited && !edited.ok) return edited;
  if (answer.answer === "allow") {
    const kept = await keepGrant(edited ? edited.value : asked, answer.scope, context.projectGrants);
    if (!kept.ok) return kept;
  }
  const { covers } = edited?.value ?? {};
  const told = {
    ...(edit === undefined ? {} : { command: edit, ...(covers ? { covers } : {}) }),
    ...(dropped && dropped.value.length > 0 && !isNo ? { drops: dropped.value } : {}),
  };
  return { ok: true, value: [{ type: "approval-answered", ...answer, ...told }] };
}

/** Characters of an edited command; anything longer belongs in a file. */
const longestCommand = 100_000;

/** Checks an edited command, and returns what an approval of it may cover. */
async function readEdit(
  { callId, answer }: Pick<CommandOf<"answer-approval">, "callId" | "answer">,
  command: string,
  { asked, judge }: Pick<AnsweringContext, "judge"> & { asked: FactOf<"approval-asked"> },
): Promise<Expected<Pick<Offer, "scopes" | "covers">>> {
  if (asked.command === undefined) return refuse(notEditable);
  if (answer === "deny") return refuse("You cannot edit and refuse a command at the same time.");
  if (command.trim() === "") return refuse("The command is empty. Write one, or say no.");
  if (command.includes("\0")) return refuse("The command holds a NUL character. Take it out.");
  if (command.length > longestCommand)
    return refuse(`The command is too long: at most ${longestCommand} characters are taken.`);
  const offer = await judge(callId, command);
  // A command that needs no approval has nothing for a grant to cover.
  return offer.ok ? { ok: true, value: offer.value ?? { scopes: [...scopes] } } : offer;
}

/** Stores a project-wide grant before its fact is appended; refuses a grant that was not offered. */
async function keepGrant(
  offered: Pick<FactOf<"approval-asked">, "scopes" | "covers">,
  scope: Scope,
  projectGrants: ProjectGrants | undefined,
): Promise<CommandOutcome> {
  const { scopes: offers = ["once", "turn", "session"], covers } = offered;
  if (!offers.includes(scope)) {
    const problem = `This approval can only be given for: ${offers.join(", ")}.`;
    return { ok: false, problem };
  }
  if (scope !== "project" || covers === undefined) return { ok: true };
  const problem = "Nothing is kept for this project here: answer for the session.";
  return projectGrants?.add(covers) ?? { ok: false, problem };
}

function answerQuestion(answer: CommandOf<"answer-question">, state: SessionState): Expected<Fact[]> {
  const asked = pendingQuestions(state).find(({ callId }) => callId === answer.callId);
  return asked ? replyFacts(answer, asked) : notOpen;
}

function answerLimit({ answer, most, by }: CommandOf<"answer-limit">, state: SessionState): Expected<Fact[]> {
  const asked = state.limitAsked;
  if (!asked) return notOpen;
  const { limit, used, offer } = asked;
  if (answer === "stop") return { ok: true, value: [{ type: "limit-answered", limit, answer, by }] };
  const raised = most ?? offer;
  if (!Number.isFinite(raised) || raised <= used)
    return { ok: false, problem: `The new limit must be above the ${used} already used.` };
  return { ok: true, value: [{ type: "limit-answered", limit, answer, most: raised, by }] };
}

/** The problem says what is missing or invalid; nothing is stored then. */
function replyFacts(reply: AnswerQuestion, asked: FactOf<"question-asked">): Expected<Fact[]> {
  const { callId, answer, by, text } = reply;
  if (text !== undefined && text.length > longestText)
    return refuse(`That answer is too long: at most ${longestText} characters are taken.`);
  const said = {
    type: "question-answered" as const,
    callId,
    answer,
    by,
    ...(text === undefined ? {} : { text }),
  };
  if (answer === "declined") return { ok: true, value: [said] };
  return asked.steps ? approval(reply, said) : choice(reply, asked, said);
}

type QuestionAnswer = FactOf<"question-answered">;

function choice(
  { chosen = [], text = "", steps }: AnswerQuestion,
  { choices, several }: FactOf<"question-asked">,
  said: QuestionAnswer,
): Expected<Fact[]> {
  if (steps) return refuse("This is a question and no plan: choose, or answer in your own words.");
  const taken = [...new Set(chosen)];
  const wrong = taken.find((at) => choices[at] === undefined);
  if (wrong !== undefined) return refuse(`There is no choice ${wrong + 1}.`);
  if (taken.length > 1 && several !== true) return refuse("Only one of these can be chosen.");
  if (taken.length === 0 && text.trim() === "")
    return refuse(
      choices.length > 0
        ? "Choose one of these, or answer in your own words."
        : "Give an answer, or decline.",
    );
  return { ok: true, value: [{ ...said, ...(taken.length === 0 ? {} : { chosen: taken }) }] };
}

/** The plan is carried out in the mode chosen with it. */
function approval(
  { chosen = [], steps, mode = "ask", by }: AnswerQuestion,
  said: QuestionAnswer,
): Expected<Fact[]> {
  if (chosen.length > 0) return refuse("This is a plan and has no choices: approve or reject it.");
  if (mode === "plan")
    return refuse("In plan mode nothing is carried out: choose another mode for the plan.");
  const kept = steps?.flatMap(stepOf);
  if (kept?.length === 0)
    return refuse("There is no step left in the plan: reject it instead, or leave one.");
  if (kept && kept.length > mostSteps) return refuse(`A plan has at most ${mostSteps} steps.`);
  return {
    ok: true,
    value: [
      { ...said, ...(kept ? { steps: kept } : {}) },
      { type: "mode-set", mode, by },
    ],
  };
}

/** A step with an empty title was deleted by the person. */
function stepOf({ title, detail = "" }: PlanStep): PlanStep[] {
  const words = title.trim();
  if (words === "") return [];
  return [detail.trim() === "" ? { title: words } : { title: words, detail: detail.trim() }];
}
