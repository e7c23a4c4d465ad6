/** The facts that record a call. */

import type { Does, Fact, FactOf, CallOutcome } from "../../protocol/facts.ts";
import { failedResult, text, type ToolResult } from "../../tools/tool.ts";
import type { CallDescription } from "../extensions.ts";
import { Interruption, stopperOf, wordsWhileItRan } from "../interruption.ts";
import type { TurnContext } from "../turn-context.ts";
import type { CallJob } from "./step.ts";
import type { UnderstoodCall } from "./understand.ts";

export const doesOf = ({ tool, prepared }: Pick<UnderstoodCall, "tool" | "prepared">): Does =>
  prepared.does ?? tool.does;

/** Whether the call only shows its changes and stores them under a token: by request, or because of the mode. */
export const isStaged = (job: CallJob): boolean => stagesIn(job, job.step.context);

export function stagesIn(
  { tool, prepared }: Pick<UnderstoodCall, "tool" | "prepared">,
  { log }: Pick<TurnContext, "log">,
): boolean {
  if (prepared.token !== undefined || doesOf({ tool, prepared }) === "read") return false;
  return prepared.stages === true || log.state.mode === "staged";
}

/** `ahead`: it has run before its turn. */
export function startFact(job: CallJob, ahead?: FactOf<"call-start">["ahead"]): FactOf<"call-start"> {
  const { call, prepared } = job;
  const repairs = prepared.repairs?.length ? { repairs: prepared.repairs } : {};
  const told = { ...repairs, ...(ahead ? { ahead } : {}) };
  return { type: "call-start", callId: call.id, title: prepared.title, does: doesOf(job), ...told };
}

/** The call as it will run, even if a person edited its command. */
export function aboutCall({ call, tool, prepared, step }: CallJob): CallDescription {
  const { title, paths, command, input } = prepared;
  const written = step.context.log.state.calls.get(call.id)?.rewritten ?? call.input;
  const runs = command === undefined ? {} : { command };
  return { callId: call.id, tool: tool.name, title, input: input ?? written, paths, ...runs };
}

/** What a command or a subagent had said and done when it was interrupted is its result. */
export async function record(
  context: TurnContext,
  callId: string,
  outcome: CallOutcome | undefined,
  produced: ToolResult,
): Promise<void> {
  const { log, signal, tools } = context;
  const { call, start } = log.state.calls.get(callId) ?? {};
  if (call && start && start.does !== "read" && signal.reason instanceof Interruption) {
    const words = wordsWhileItRan(call.name, tools, stopperOf(signal));
    const content = [...produced.content, ...text(words)];
    await log.append(resultFact(callId, outcome ?? "cancelled", { ...produced, content }));
    return;
  }
  signal.throwIfAborted(); // agent/finish answers other calls that an interruption left open
  await context.log.append(...factsIn(produced), resultFact(callId, outcome, produced));
}

/**
 * Records the result in one transaction with `before`. For a call that never started, only the result's title tells
 * people what it was about.
 */
export async function conclude(
  job: CallJob,
  produced: CallConclusion,
  before: readonly Fact[] = [],
): Promise<void> {
  const { call, prepared, step } = job;
  const { log, signal } = step.context;
  signal.throwIfAborted();
  const hasStarted = log.state.calls.get(call.id)?.start !== undefined;
  const result = resultFact(call.id, undefined, produced);
  await log.append(...before, hasStarted ? result : { ...result, title: prepared.title });
}

type CallConclusion = Omit<ToolResult, "outcome"> & { outcome: CallOutcome };

export const refusedCall = (outcome: "denied" | "cancelled", words: string): CallConclusion => ({
  ...failedResult(words),
  outcome,
});

/** Facts for a call's changes to session state: the to-do list, the tools it found. */
export const factsIn = ({ todos, found = [] }: ToolResult): Fact[] => [
  ...(todos === undefined ? [] : [{ type: "todos-set" as const, items: todos }]),
  ...(found.length === 0 ? [] : [{ type: "tools-found" as const, names: found }]),
];

export function resultFact(
  callId: string,
  outcome: CallOutcome | undefined,
  produced: CallConclusion,
): FactOf<"result"> {
  return {
    type: "result",
    callId,
    outcome: outcome ?? produced.outcome,
    content: produced.content,
    ...(produced.seen === undefined ? {} : { seen: produced.seen }),
    ...(produced.full === undefined ? {} : { full: produced.full }),
    ...(produced.refused?.length ? { refused: [...produced.refused] } : {}),
    ...(produced.metadata === undefined ? {} : { metadata: produced.metadata }),
  };
}
