/** Makes the decision about a call, and the fact that records it. */

import type { Change } from "../../base/safe-fs/image.ts";
import type { FactOf, Mode } from "../../protocol/facts.ts";
import type { Decision, Subject } from "../../safety/decide.ts";
import type { TurnContext } from "../turn-context.ts";
import type { ChangePlan } from "./change.ts";
import { stagesIn } from "./recording.ts";
import { subjectOf } from "./subject.ts";
import type { UnderstoodCall } from "./understand.ts";

export type SubjectDecision = Decision & { subject: Subject };

/** `plan`: the changes the call would make. */
export async function decisionOn(
  job: UnderstoodCall,
  plan: ChangePlan | undefined,
  context: TurnContext,
): Promise<SubjectDecision> {
  const { mode } = context.log.state; // a plan may be approved meanwhile
  const subject = await subjectOf({ ...job, stages: stagesIn(job, context) }, plan?.changes ?? [], context);
  const answered = job.edited !== undefined;
  const decided = await context.decide(subject, { mode, answered });
  return { ...(answered ? asAnswered(decided) : decided), subject };
}

/** About what a command changed that ran before anybody had agreed. */
export async function decisionOnHeld(
  job: UnderstoodCall,
  paths: readonly string[],
  {
    context,
    mode = context.log.state.mode,
    changes = [],
    copies = [],
  }: { context: TurnContext; mode?: Mode; changes?: readonly Change[]; copies?: readonly string[] },
): Promise<Decision> {
  const subject = { ...(await subjectOf({ ...job, stages: false }, changes, context)), copies };
  return context.decideHeld(subject, paths, mode);
}

/** A person who writes and approves a command has answered whatever would be asked about it. A denial stands. */
function asAnswered(decided: Decision): Decision {
  if (decided.verdict === "deny" || decided.verdict === "allow") return decided;
  const because = "a person wrote this command and allowed it";
  const word = { layer: "person", verdict: "allow" as const, because };
  return { ...decided, verdict: "allow", because, trace: [...decided.trace, word] };
}

export const decisionFact = (callId: string, decision: Decision): FactOf<"decision"> => ({
  type: "decision",
  callId,
  verdict: decision.verdict,
  because: decision.because,
  risk: decision.risk,
  trace: decision.trace,
  ...(decision.sandbox === undefined ? {} : { sandbox: decision.sandbox }),
});
