/** The facts that record a call. */

import { withoutUndefined } from "../../base/without-undefined.ts";
import type { Fact, FactOf, CallOutcome } from "../../protocol/facts.ts";
import { failedResult, text, type ToolResult } from "../../tools/tool.ts";
import type { CallDescription } from "../extensions.ts";
import { Interruption, stopperOf, wordsWhileItRan } from "../interruption.ts";
import type { TurnContext } from "../turn-context.ts";
import type { CallJob } from "./step.ts";

/** `ahead`: it has run before its turn. */
export function startFact(job: CallJob, ahead?: FactOf<"call-start">["ahead"]): FactOf<"call-start"> {
  const { call, prepared, does } = job;
  const repairs = prepared.repairs?.length ? prepared.repairs : undefined;
  return withoutUndefined({
    type: "call-start",
    callId: call.id,
    title: prepared.title,
    does,
    repairs,
    ahead,
  });
}

/** The call as it will run, even if a person edited its command. */
export function aboutCall({ call, tool, prepared, step }: CallJob): CallDescription {
  const { title, paths, command, input } = prepared;
  const written = step.context.log.state.calls.get(call.id)?.rewritten ?? call.input;
  return { callId: call.id, tool: tool.name, title, input: input ?? written, paths, command };
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

export const resultFact = (
  callId: string,
  outcome: CallOutcome | undefined,
  produced: CallConclusion,
): FactOf<"result"> =>
  withoutUndefined({
    type: "result",
    callId,
    outcome: outcome ?? produced.outcome,
    content: produced.content,
    seen: produced.seen,
    full: produced.full,
    refused: produced.refused?.length ? [...produced.refused] : undefined,
    metadata: produced.metadata,
  });
