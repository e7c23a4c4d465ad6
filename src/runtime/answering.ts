/** A person's answer as facts: to a question about a call, of the model, or about a limit. The first answer wins. */
import type { Parsed } from "../base/json.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Fact, FactOf, Scope } from "../protocol/facts.ts";
import { pendingApprovals, pendingQuestions, type SessionState } from "../protocol/session-state.ts";
import type { ProjectGrants } from "./project-grants.ts";
import { replyFacts } from "./question-reply.ts";

type Of<T extends Command["type"]> = Extract<Command, { type: T }>;
export type Answering = Of<"answer-approval"> | Of<"answer-question"> | Of<"answer-limit">;

/** The problem says why the answer does not count; then nothing was kept of it. */
export async function answerFacts(
  answer: Answering,
  state: SessionState,
  projectGrants: ProjectGrants | undefined,
): Promise<Parsed<Fact[]>> {
  switch (answer.type) {
    case "answer-approval":
      return answerApproval(answer, state, projectGrants);
    case "answer-question":
      return answerQuestion(answer, state);
    case "answer-limit":
      return answerLimit(answer, state);
    default:
      return answer satisfies never;
  }
}

const notOpen = { ok: false as const, problem: "That question is not open any more." };

async function answerApproval(
  command: Of<"answer-approval">,
  state: SessionState,
  projectGrants: ProjectGrants | undefined,
): Promise<Parsed<Fact[]>> {
  const asked = pendingApprovals(state).find(({ callId }) => callId === command.callId);
  if (!asked) return notOpen;
  if (command.answer === "allow") {
    const kept = await keepGrant(asked, command.scope, projectGrants);
    if (!kept.ok) return kept;
  }
  const { type: _, ...answer } = command;
  return { ok: true, value: [{ type: "approval-answered", ...answer }] };
}

/** A yes for the project is kept before it is told; one that was not offered is refused. */
async function keepGrant(
  asked: FactOf<"approval-asked">,
  scope: Scope,
  projectGrants: ProjectGrants | undefined,
): Promise<CommandOutcome> {
  const { scopes = ["once", "turn", "session"], covers } = asked;
  if (!scopes.includes(scope)) {
    const problem = `This is not allowed for longer than it was offered: answer ${scopes.join(" or ")}.`;
    return { ok: false, problem };
  }
  if (scope !== "project" || covers === undefined) return { ok: true };
  const problem = "Nothing is kept for this project here: answer for the session.";
  return projectGrants?.add(covers) ?? { ok: false, problem };
}

function answerQuestion(answer: Of<"answer-question">, state: SessionState): Parsed<Fact[]> {
  const asked = pendingQuestions(state).find(({ callId }) => callId === answer.callId);
  return asked ? replyFacts(answer, asked) : notOpen;
}

function answerLimit({ answer, most, by }: Of<"answer-limit">, state: SessionState): Parsed<Fact[]> {
  const asked = state.limitAsked;
  if (!asked) return notOpen;
  const { limit, used, offer } = asked;
  if (answer === "stop") return { ok: true, value: [{ type: "limit-answered", limit, answer, by }] };
  const raised = most ?? offer;
  if (!Number.isFinite(raised) || raised <= used)
    return { ok: false, problem: `More than the ${used} that are used up already is needed.` };
  return { ok: true, value: [{ type: "limit-answered", limit, answer, most: raised, by }] };
}
