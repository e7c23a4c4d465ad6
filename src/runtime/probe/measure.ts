/** Measures call formats one after the other: each task is one question, judged by program. */

import type { DialectMeasurement } from "../../protocol/dialect-record.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { countCalls } from "../../providers/answer-calls.ts";
import { constraintDropped } from "../../providers/held-model.ts";
import type { Prompt } from "../../providers/provider.ts";
import { isUnreadByServer } from "../../providers/tool-failures.ts";
import type { ModelWay } from "../../providers/ways.ts";
import { describeTool } from "../../tools/tool.ts";
import { grade, type ProbeAnswer } from "./grade.ts";
import type { ProbeTask } from "./tasks.ts";

export type ProbeEvent =
  /** `measured`: the figures so far; `problem`: what was wrong with this task, in one line; `wants`: what is right. */
  | {
      type: "task-done";
      task: string;
      wants: "calls" | "words";
      problem?: string;
      measured: DialectMeasurement;
    }
  /** `gaveUp`: why the remaining tasks were skipped; they count as wrong. */
  | { type: "dialect-done"; gaveUp?: string; measured: DialectMeasurement };

type MeasureOptions = {
  tasks: readonly ProbeTask[];
  /** Time limit for one task. */
  limitMs: number;
  signal: AbortSignal;
};

/** Consecutive failures after which a format is given up. */
const mostFailures = 2;

/** Throws ModelError if the server becomes unusable, or the signal's reason on abort. */
export async function* measure(
  ways: readonly ModelWay[],
  options: MeasureOptions,
): AsyncGenerator<ProbeEvent> {
  for (const way of ways) yield* measureWay(way, options);
}

async function* measureWay(
  way: ModelWay,
  { tasks, limitMs, signal }: MeasureOptions,
): AsyncGenerator<ProbeEvent> {
  const figures = newFigures(way.name);
  let failures = 0;
  for (const task of tasks) {
    const started = performance.now();
    const answer = await ask(way, task, { limitMs, signal });
    figures.times.push(performance.now() - started);
    const problem = await addAnswer(figures, task, answer);
    failures = answer.failure === undefined ? 0 : failures + 1;
    if (answer.refusal !== undefined) failures = mostFailures;
    yield {
      type: "task-done",
      task: task.name,
      wants: "calls" in task.right ? "calls" : "words",
      measured: sumUp(figures),
      ...(problem === undefined ? {} : { problem }),
    };
    if (failures >= mostFailures) {
      yield {
        type: "dialect-done",
        measured: { ...sumUp(figures), tasks: tasks.length },
        gaveUp: problem ?? "",
      };
      return;
    }
  }
  yield { type: "dialect-done", measured: sumUp(figures) };
}

/** `failure`: the server gave no answer. `unreadable`: it could not parse what its model wrote. */
type ProbeReply = {
  heard?: ProbeAnswer;
  usage?: Usage | undefined;
  failure?: string;
  unreadable?: string;
  /** The server does not do what this way needs of it. */
  refusal?: string;
};

async function ask(
  { model }: ModelWay,
  task: ProbeTask,
  { limitMs, signal }: Omit<MeasureOptions, "tasks">,
): Promise<ProbeReply> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await listen(model.ask(promptOf(task), AbortSignal.any([signal, limit])));
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return { failure: `it did not answer within ${limitMs / 1000} s` };
    if (isUnreadByServer(error)) return { unreadable: error.message };
    if (!(error instanceof ModelError) || isFinal(error)) throw error;
    return { failure: error.message };
  }
}

/** Whether later requests are bound to fail too. */
const isFinal = ({ kind, midStream }: ModelError): boolean =>
  ["auth", "unknown-model", "rate-limit", "overloaded"].includes(kind) || (kind === "network" && !midStream);

const promptOf = ({ asks, since = [], tools }: ProbeTask): Prompt => ({
  system:
    "You are an assistant with tools. Do exactly what you are asked, and nothing more. Use the tools where one is needed.",
  messages: [{ role: "user", content: [{ type: "text", text: asks }] }, ...since],
  tools: tools.map(describeTool),
});

async function listen(events: AsyncIterable<ModelEvent>): Promise<ProbeReply> {
  const calls: ToolCall[] = [];
  const text: string[] = [];
  let usage: Usage | undefined;
  let reason: EndReason | undefined;
  for await (const event of events) {
    if (event.type === "notice" && event.code === constraintDropped) return { refusal: event.detail };
    if (event.type === "call-end") calls.push(event.call);
    if (event.type === "text-delta") text.push(event.text);
    if (event.type === "usage") usage = event.usage;
    if (event.type === "text-was-reasoning") text.length = 0;
    if (event.type === "answer-end") reason = event.reason;
  }
  if (reason === undefined) return { failure: "its answer ended before it was complete" };
  return { heard: { calls, text: text.join(""), reason }, usage };
}

type ProbeFigures = Omit<DialectMeasurement, "medianMs" | "at"> & { times: number[] };

const newFigures = (dialect: string): ProbeFigures => ({
  dialect,
  tasks: 0,
  right: 0,
  repaired: 0,
  unreadable: 0,
  inputTokens: 0,
  outputTokens: 0,
  times: [],
});

/** Adds the answer to the figures; returns what was wrong with it. */
async function addAnswer(
  figures: ProbeFigures,
  task: ProbeTask,
  answer: ProbeReply,
): Promise<string | undefined> {
  const { heard, usage, failure, unreadable, refusal } = answer;
  figures.tasks += 1;
  figures.inputTokens += usage?.inputTokens ?? 0;
  figures.outputTokens += usage?.outputTokens ?? 0;
  if (unreadable !== undefined) figures.unreadable += 1;
  if (!heard) return failure ?? unreadable ?? refusal;
  const counts = countCalls(heard.calls, heard.reason);
  figures.repaired += counts.repairs;
  figures.unreadable += counts.refusals;
  const problem = await grade(task, heard);
  if (problem === undefined) figures.right += 1;
  return problem;
}

function sumUp({ times, ...figures }: ProbeFigures): DialectMeasurement {
  const sorted = times.toSorted((one, other) => one - other);
  return { ...figures, at: Date.now(), medianMs: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0) };
}
