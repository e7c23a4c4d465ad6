/** The result of a headless turn: what its last line says in every output format. */

import { addCost, type Cost, costAsJson, costOfAnswer, noCost } from "../../protocol/cost.ts";
import type { Entry, FactOf, Stamp } from "../../protocol/facts.ts";
import { addUsage } from "../../protocol/fold-answer.ts";
import { checkpointOf } from "../../protocol/fold-changes.ts";
import { textOf } from "../../protocol/messages.ts";
import type { Usage } from "../../protocol/model-events.ts";
import type { SessionState } from "../../protocol/session-state.ts";
import type { CheckedAnswer } from "../../runtime/checked-answer.ts";
import { formatCost, formatUsage } from "../../view/cost.ts";
import { amountWords } from "../../view/message-lines.ts";
import type { OpenQuestion } from "../../view/person-questions.ts";
import { exitCodes } from "../cli-context.ts";
import { runVersion } from "./run-version.ts";
import type { AwaitedQuestion, RunResult } from "./schemas.ts";

export type TurnTally = {
  titles: Map<string, string>;
  names: Map<string, string>;
  denied: { call: string; tool: string; title: string; because: string }[];
  because: Map<string, string>;
  /** Why the first call was denied that somebody can allow for the next run, and how. */
  wayOut: string | undefined;
  waited: AwaitedQuestion[];
  /** Those of them without an answer: by call, or the one about a limit. */
  open: Map<string, AwaitedQuestion>;
  changed: Set<string>;
  usage: Required<Usage>;
  cost: Cost;
  model: string;
  /** Whether the turn's last text is our own: why there is no answer. */
  isOwnText: boolean;
  /** Whether the model's goal was found to be met: better evidence than how the last change went. */
  isGoalMet: boolean;
  end: (FactOf<"turn-end"> & Stamp) | undefined;
};

export const newTally = (): TurnTally => ({
  titles: new Map(),
  names: new Map(),
  denied: [],
  because: new Map(),
  wayOut: undefined,
  waited: [],
  open: new Map(),
  changed: new Set(),
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  cost: noCost(),
  model: "",
  isOwnText: false,
  isGoalMet: false,
  end: undefined,
});

/** Adds one fact of a turn to the tally, in place. */
export function tally(result: TurnTally, entry: Entry): void {
  switch (entry.type) {
    case "turn-start":
      result.model = entry.model;
      result.isOwnText = false;
      result.isGoalMet = false;
      break;
    case "text":
      result.isOwnText = entry.by === "toolwright";
      break;
    case "call":
      result.names.set(entry.call.id, entry.call.name);
      break;
    case "decision":
      result.because.set(entry.callId, entry.because);
      result.wayOut ??= wayOutOf(entry, result.names.get(entry.callId));
      break;
    case "approval-asked":
      if (!entry.held) result.titles.set(entry.callId, entry.title); // otherwise the call has its own title
      noteQuestion(result, entry);
      break;
    case "call-start":
      result.titles.set(entry.callId, entry.title);
      break;
    case "result":
      if (entry.outcome === "denied") result.denied.push(denial(result, entry));
      break;
    case "answer-end":
    case "compaction":
    case "goal-judged":
      if (entry.type === "goal-judged") result.isGoalMet = entry.met;
      addUsage(result.usage, entry.usage);
      addCost(result.cost, costOfAnswer(entry));
      break;
    case "question-asked":
    case "limit-asked":
      noteQuestion(result, entry);
      break;
    case "approval-answered":
    case "question-answered":
    case "limit-answered":
      noteAnswer(result, entry);
      break;
    case "turn-end":
      result.end = entry;
      for (const path of entry.changed) result.changed.add(path);
      break;
    default:
      break;
  }
}

/** No rule allows what is asked about each time; a command may have been denied because nothing holds it. */
function wayOutOf({ sandbox, trace }: FactOf<"decision">, tool = ""): string | undefined {
  if (trace.every(({ layer }) => layer !== "no person")) return undefined;
  if (trace.some(insists))
    return "it is asked about each time, whatever a rule allows: answer it with --ask-on, or in a conversation";
  if (sandbox?.isOn !== false || trace.every(({ layer }) => layer !== "sandbox"))
    return `there was nobody to ask: allow it with --allow${sandbox ? "" : ` ${tool}`}, or answer with --ask-on`;
  return sandbox.beyond
    ? `it cannot run in the sandbox (${sandbox.because ?? ""}): allow it with --allow`
    : "no sandbox works here (`toolwright doctor` says why): allow it with --allow, or everything with --mode trusted";
}

/** An allowing rule overrides what severity, place, sandbox and mode ask for, and no other layer. */
const insists = ({ verdict, layer }: FactOf<"decision">["trace"][number]): boolean =>
  verdict === "ask-always" ||
  (verdict === "ask" && !/^(?:severity|working zone|sandbox|mode .+)$/u.test(layer));

function noteQuestion({ waited, open }: TurnTally, asked: OpenQuestion): void {
  const question = waitedFor(asked);
  waited.push(question);
  open.set(keyOf(asked), question);
}

function noteAnswer(
  { open }: TurnTally,
  answered: FactOf<"approval-answered"> | FactOf<"question-answered"> | FactOf<"limit-answered">,
): void {
  const question = open.get(keyOf(answered));
  if (question) question.answer = answered.answer;
  open.delete(keyOf(answered));
}

const keyOf = (fact: { callId: string } | { limit: string }): string =>
  "callId" in fact ? fact.callId : "limit";

/** The JSON form of an open question. */
export function waitedFor(asked: OpenQuestion): AwaitedQuestion {
  switch (asked.type) {
    case "approval-asked":
      return { type: "approval", about: asked.title, ...filesIn(asked), answer: null };
    case "question-asked":
      return { type: "question", about: asked.question, answer: null };
    case "limit-asked":
      return { type: "limit", about: amountWords(asked.limit, asked.most), answer: null };
    default:
      return asked satisfies never;
  }
}

const filesIn = ({ held }: FactOf<"approval-asked">): Pick<AwaitedQuestion, "files"> =>
  held ? { files: held.files.map(({ path }) => path) } : {};

function denial(
  { titles, names, because }: TurnTally,
  { callId, content, title: told }: FactOf<"result">,
): TurnTally["denied"][number] {
  const tool = names.get(callId) ?? "";
  const title = told ?? titles.get(callId) ?? tool;
  return { call: callId, tool, title, because: because.get(callId) ?? textOf(content) };
}

/**
 * How the run ended. `instead`: why it did not end as its last turn did. `goOn`: the command that goes on with it.
 * `answer`: what was checked by a schema.
 */
type Exit = {
  exit: number;
  instead?: { stopped: "limit" | "failed"; because: string } | undefined;
  goOn?: string | undefined;
  answer?: CheckedAnswer | undefined;
};

/**
 * `verified` holds the titles of the calls that verified the last change; `text` is the turn's last text. There is no
 * state if no session could be opened.
 */
export function jsonOfTurn(
  state: SessionState | undefined,
  { end, denied, waited, changed, usage, cost, model, titles }: TurnTally,
  { exit, instead, goOn, answer }: Exit,
): RunResult {
  const turn = end?.turn ?? state?.turn ?? 0;
  return {
    version: runVersion,
    session: state?.session ?? null,
    stopped: instead?.stopped ?? end?.stopped ?? (exit === exitCodes.done ? "done" : "failed"),
    because: instead?.because ?? end?.because ?? null,
    advice: end?.advice ?? null,
    goOn: goOn ?? null,
    text: answer?.text ?? end?.text ?? "",
    answer: answer?.value ?? null,
    changed: [...changed],
    checkpoint: state ? checkpointIn(state, turn) : null,
    staged: state ? stagedIn(state, turn) : [],
    verified: (end?.verified ?? []).map((callId) => titles.get(callId) ?? callId),
    check: end?.check ?? null,
    denied,
    waited,
    usage,
    ...costAsJson(cost),
    model: model === "" ? null : model,
    exit,
  };
}

/** The same in a line for people. `ending`: what stopped the turn, changed and was verified. */
export function lineOfTurn(
  { session }: SessionState,
  { denied, waited, usage, cost }: TurnTally,
  { exit, instead, ending }: Exit & { ending: readonly string[] },
): string {
  const paid = formatCost(cost);
  return [
    ...(instead === undefined
      ? []
      : [`${instead.stopped === "limit" ? "Cut off" : "Failed"}: ${instead.because}`]),
    ...ending,
    ...(denied.length > 0 ? [`${denied.length} denied`] : []),
    ...(waited.length > 0 ? [`${waited.length} waited for a person`] : []),
    ...(usage.inputTokens + usage.outputTokens > 0
      ? [formatUsage(usage), paid === "unknown" ? "cost unknown" : paid]
      : []),
    `session ${session}`,
    `exit ${exit}`,
  ].join(" · ");
}

/** The checkpoint of a turn, for `toolwright undo` (A7, A13); `null` before the first turn. */
function checkpointIn(state: SessionState, of: number): RunResult["checkpoint"] {
  const checkpoint = checkpointOf(state, of);
  if (!checkpoint) return null;
  const { id, turn, status, added, removed } = checkpoint;
  return { id, turn, status, added, removed };
}

/** Changes that a turn staged but did not apply; a later request can apply them by token (B8). */
function stagedIn({ turns, staged }: SessionState, of: number): RunResult["staged"] {
  const calls = turns.find(({ turn }) => turn === of)?.callIds ?? [];
  return [...staged].flatMap(([token, { callId, changes, expiresAt, used }]) => {
    if (used || !calls.includes(callId)) return [];
    const files = changes.map(({ path }) => path);
    const added = changes.reduce((sum, change) => sum + change.added, 0);
    const removed = changes.reduce((sum, change) => sum + change.removed, 0);
    return [{ token, expiresAt, files, added, removed }];
  });
}

/** What stands in the file of `-o`: the answer, as on standard output. */
export const answerOf = ({ end, isOwnText }: TurnTally): string =>
  end === undefined || (isOwnText && end.stopped !== "done") ? "" : end.text;

/** The same shape for a run without a turn, or whose turn could not be recorded. */
export const jsonOfFailure = (because: string, exit: number, state?: SessionState): RunResult =>
  jsonOfTurn(state, newTally(), { exit, instead: { stopped: "failed", because } });

export function exitCodeOf({ end, denied, isGoalMet }: TurnTally): number {
  if (!end) return exitCodes.failed;
  switch (end.stopped) {
    case "done":
      if (denied.length > 0) return exitCodes.denied;
      // A command that fails can be what was asked for; a change that fails is not.
      return end.failed === "change" && !isGoalMet ? exitCodes.failed : exitCodes.done;
    case "failed":
      return exitCodes.failed;
    case "limit":
      return exitCodes.limit;
    case "interrupted":
      return exitCodes.interrupted;
    default:
      return end.stopped satisfies never;
  }
}
