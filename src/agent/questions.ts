/** The model's questions to a person: asked in the log when the call's turn comes, answered in the log at any time. */

import { errorMessage } from "../base/expected.ts";
import type { Fact, FactOf, SandboxRecord } from "../protocol/facts.ts";
import { type ToolQuestion, failedResult, type ToolResult } from "../tools/tool.ts";
import { within } from "./approvals.ts";
import { runTool } from "./call/carry-out.ts";
import { record, resultFact, startFact, factsIn } from "./call/recording.ts";
import { whyNotStarted } from "./call/starting.ts";
import type { CallJob } from "./call/step.ts";

/** `before` are facts recorded with the call's start. */
type QuestionStart = { before: readonly Fact[]; sandbox: SandboxRecord | undefined };

/** Handles a question at the head of the queue. Once asked, it waits for the reply, in this step or a later one. */
export async function takeQuestion(job: CallJob, asking: ToolQuestion, start: QuestionStart): Promise<void> {
  const { call, step } = job;
  const known = () => step.context.log.state.calls.get(call.id);
  if (!known()?.question && !(await ask(job, asking, start))) return;
  const reply = await within(step, () => known()?.reply);
  step.context.signal.throwIfAborted();
  // A person's reply counts even if the answer that contained the question has broken off since.
  if (reply) return recordReply(job, asking, reply);
  const never = whyNotStarted(job);
  if (never !== undefined)
    return record(step.context, call.id, "cancelled", failedResult(`Not answered: ${never}`));
  step.turnstile.close();
}

/** Whether a reply can be waited for; if not, the call has its result. */
async function ask(job: CallJob, asking: ToolQuestion, { before, sandbox }: QuestionStart): Promise<boolean> {
  const { call, step } = job;
  const { context } = step;
  const never = whyNotStarted(job);
  if (never !== undefined) {
    await record(context, call.id, "cancelled", failedResult(`Not asked: ${never}`));
    return false;
  }
  if (asking.steps && context.log.state.mode !== "plan") {
    await record(context, call.id, "failed", failedResult(planModeIsOff));
    return false;
  }
  if (!context.interactive()) {
    await runTool(job, { before, sandbox, answer: undefined });
    return false;
  }
  context.signal.throwIfAborted();
  const { answered: _, ...question } = asking;
  await context.log.append(...before, { type: "question-asked", callId: call.id, ...question });
  return true;
}

const planModeIsOff = "Plan mode is off, so nobody has to approve a plan. Go on with the work itself.";

async function recordReply(
  job: CallJob,
  asking: ToolQuestion,
  reply: FactOf<"question-answered">,
): Promise<void> {
  const produced = producedFrom(asking, reply);
  const result = resultFact(job.call.id, undefined, produced);
  await job.step.context.log.append(startFact(job), ...factsIn(produced), result);
}

function producedFrom(asking: ToolQuestion, reply: FactOf<"question-answered">): ToolResult {
  try {
    return asking.answered(reply);
  } catch (error) {
    return failedResult(`The tool failed: ${errorMessage(error)}`);
  }
}
