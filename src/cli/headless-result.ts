/** The result of a headless turn: what its last line says in every output format. */

import { addCost, type Cost, costAsJson, costOfAnswer, noCost } from "../protocol/cost.ts";
import type { Entry, FactOf } from "../protocol/facts.ts";
import { checkpointOf } from "../protocol/fold-changes.ts";
import { textOf } from "../protocol/messages.ts";
import type { Usage } from "../protocol/model-events.ts";
import { currentTurn, type SessionState } from "../protocol/session-state.ts";
import { formatCost, formatUsage } from "../view/cost.ts";
import { amountWords } from "../view/message-lines.ts";
import type { OpenQuestion } from "./conversation/open-questions.ts";

/** A question that waited for a person. `answer` was given in their place; `null` means it was abandoned. */
export type AwaitedQuestion = {
  type: "approval" | "question" | "limit";
  about: string;
  /** The files of a command that has run, whose changes waited. */
  files?: string[];
  answer: "given" | "declined" | "stop" | "extend" | null;
};

export type TurnTally = {
  titles: Map<string, string>;
  names: Map<string, string>;
  denied: { call: string; tool: string; title: string; because: string }[];
  because: Map<string, string>;
  /** Something was denied because it would have run without a sandbox, and nobody could be asked. */
  lacksSandbox: boolean;
  waited: AwaitedQuestion[];
  usage: Required<Usage>;
  cost: Cost;
  model: string;
  end: FactOf<"turn-end"> | undefined;
};

export const newTally = (): TurnTally => ({
  titles: new Map(),
  names: new Map(),
  denied: [],
  because: new Map(),
  lacksSandbox: false,
  waited: [],
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  cost: noCost(),
  model: "",
  end: undefined,
});

/** Adds one fact of the turn to the tally, in place. */
export function tally(result: TurnTally, entry: Entry): void {
  switch (entry.type) {
    case "turn-start":
      result.model = entry.model;
      break;
    case "call":
      result.names.set(entry.call.id, entry.call.name);
      break;
    case "decision":
      result.because.set(entry.callId, entry.because);
      result.lacksSandbox ||= isForLackOfSandbox(entry);
      break;
    case "approval-asked":
    case "call-start":
      if (entry.type === "approval-asked" && entry.held) break; // the call has its own title
      result.titles.set(entry.callId, entry.title);
      break;
    case "result":
      if (entry.outcome === "denied") result.denied.push(denial(result, entry));
      break;
    case "answer-end":
    case "compaction":
    case "goal-judged":
      addUsage(result.usage, entry.usage);
      addCost(result.cost, costOfAnswer(entry));
      break;
    case "question-asked":
    case "limit-asked":
      result.waited.push(waitedFor(entry));
      break;
    case "question-answered":
    case "limit-answered":
      noteAnswer(result, entry);
      break;
    case "turn-end":
      result.end = entry;
      break;
    default:
      break;
  }
}

const isForLackOfSandbox = ({ sandbox, trace }: FactOf<"decision">): boolean =>
  sandbox?.isOn === false &&
  trace.some(({ layer }) => layer === "sandbox") &&
  trace.some(({ layer }) => layer === "no person");

function noteAnswer(
  { waited }: TurnTally,
  { type, answer }: FactOf<"question-answered"> | FactOf<"limit-answered">,
): void {
  const kind = type === "limit-answered" ? "limit" : "question";
  const open = waited.findLast((one) => one.type === kind && one.answer === null);
  if (open) open.answer = answer;
}

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

function addUsage(total: Required<Usage>, more: Usage | undefined): void {
  if (!more) return;
  total.inputTokens += more.inputTokens;
  total.outputTokens += more.outputTokens;
  total.cacheReadTokens += more.cacheReadTokens ?? 0;
  total.cacheWriteTokens += more.cacheWriteTokens ?? 0;
  total.reasoningTokens += more.reasoningTokens ?? 0;
}

/** How the run ended: `cut` is the reason why it was cut off from outside, `goOn` the command that goes on with it. */
type Exit = { exit: number; cut?: string | undefined; goOn?: string | undefined };

/** `verified` holds the titles of the calls that verified the last change; `text` is the turn's last text. */
export function jsonOfTurn(
  state: SessionState,
  { end, denied, waited, usage, cost, model, titles }: TurnTally,
  { exit, cut, goOn }: Exit,
) {
  return {
    session: state.session,
    stopped: cut === undefined ? (end?.stopped ?? "failed") : "limit",
    because: cut ?? end?.because ?? null,
    advice: end?.advice ?? null,
    goOn: goOn ?? null,
    text: end?.text ?? "",
    changed: end?.changed ?? [],
    checkpoint: checkpointIn(state),
    staged: stagedIn(state),
    verified: (end?.verified ?? []).map((callId) => titles.get(callId) ?? callId),
    check: end?.check ?? null,
    denied,
    waited,
    usage,
    ...costAsJson(cost),
    model,
    exit,
  };
}

/** The same in a line for people. `ending`: what stopped the turn, changed and was verified. */
export function lineOfTurn(
  { session }: SessionState,
  { denied, waited, usage, cost }: TurnTally,
  { exit, cut, ending }: Exit & { ending: readonly string[] },
): string {
  const paid = formatCost(cost);
  return [
    ...(cut === undefined ? [] : [`Cut off: ${cut}`]),
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

/** The checkpoint of the last turn, for `toolwright undo` (A7, A13); `null` before the first turn. */
function checkpointIn(state: SessionState) {
  const checkpoint = checkpointOf(state, state.turn);
  if (!checkpoint) return null;
  const { id, turn, status, added, removed } = checkpoint;
  return { id, turn, status, added, removed };
}

/** Changes that the last turn staged but did not apply; a later request can apply them by token (B8). */
function stagedIn(state: SessionState) {
  const calls = currentTurn(state)?.callIds ?? [];
  return [...state.staged].flatMap(([token, { callId, changes, expiresAt, used }]) => {
    if (used || !calls.includes(callId)) return [];
    const files = changes.map(({ path }) => path);
    const added = changes.reduce((sum, change) => sum + change.added, 0);
    const removed = changes.reduce((sum, change) => sum + change.removed, 0);
    return [{ token, expiresAt, files, added, removed }];
  });
}

/** The same shape for a run without a turn, or whose turn could not be recorded. */
export function jsonOfFailure(problem: string, exit: number, state?: SessionState) {
  const { denied, waited, usage, cost } = newTally();
  return {
    session: state?.session ?? null,
    stopped: "failed",
    because: problem,
    advice: null,
    goOn: null,
    text: "",
    changed: [],
    checkpoint: state ? checkpointIn(state) : null,
    staged: [],
    verified: [],
    check: null,
    denied,
    waited,
    usage,
    ...costAsJson(cost),
    model: null,
    exit,
  };
}
