/** Closes what a crash left open: the returned facts complete the log, so that the turn can continue. */

import type { Does, Entry, Fact, FactOf } from "../protocol/facts.ts";
import type { StreamedBlock } from "./store.ts";

type StartedCall = FactOf<"call-start">;

/** What an answer of this model costs whose tokens nobody counted, in US dollars; undefined if that is unknown. */
type UncountedCost = (model: string) => number | undefined;

/**
 * Empty if nothing is open. The turn itself stays open. So does a complete call of an answer that had ended, if it may
 * be run or repeated: the next step does that, or waits for a person.
 */
export function recoverLog(
  entries: readonly Entry[],
  openBlock?: StreamedBlock,
  costOf: UncountedCost = () => undefined,
): Fact[] {
  const turn = openTurn(entries);
  if (turn.length === 0) return [];
  const shown = openBlock && isUnfinished(openBlock, entries) ? [blockFact(openBlock)] : [];
  const isCutOff = shown.length > 0 || isAnswering(turn);
  const model = modelOf(turn);
  const end: Fact[] = isCutOff
    ? [{ type: "answer-end", reason: "interrupted", model, cost: costOf(model) }]
    : [];
  return [...shown, ...end, ...missingResults(turn)];
}

/** The entries since the last turn ended, if a turn is open. */
function openTurn(entries: readonly Entry[]): readonly Entry[] {
  const turn = entries.slice(entries.findLastIndex((entry) => entry.type === "turn-end") + 1);
  return turn.some((entry) => entry.type === "user-message") ? turn : [];
}

/** A crash may fall between a block's fact and the deletion of its row. Block numbers only increase. */
function isUnfinished(open: StreamedBlock, entries: readonly Entry[]): boolean {
  if (open.text === "") return false;
  const last = entries.findLast((entry) => entry.type === "text" || entry.type === "reasoning");
  return last === undefined || last.block < open.block;
}

function blockFact({ block, kind, text }: StreamedBlock): Fact {
  return kind === "text" ? { type: "text", block, text, by: "model" } : { type: "reasoning", block, text };
}

function isAnswering(turn: readonly Entry[]): boolean {
  const sinceAnswer = turn.slice(turn.findLastIndex((entry) => entry.type === "answer-end") + 1);
  return sinceAnswer.some(
    (entry) =>
      entry.type === "reasoning" || entry.type === "call" || (entry.type === "text" && entry.by === "model"),
  );
}

/** The turn's, or the one that went on in its place. */
function modelOf(turn: readonly Entry[]): string {
  const models = turn.flatMap((entry) =>
    entry.type === "turn-start" || (entry.type === "model-set" && entry.because !== undefined)
      ? [entry.model]
      : [],
  );
  return models.at(-1) ?? "unknown";
}

/** In call order: calls that had started, and calls that will never start. */
function missingResults(turn: readonly Entry[]): Fact[] {
  const answered = new Set(turn.flatMap((entry) => (entry.type === "result" ? [entry.callId] : [])));
  const starts = startsOf(turn);
  const asked = new Set(turn.flatMap((entry) => (entry.type === "question-asked" ? [entry.callId] : [])));
  const replied = new Set(
    turn.flatMap((entry) => (entry.type === "question-answered" ? [entry.callId] : [])),
  );
  const tried = new Map(
    turn.flatMap((entry) => (entry.type === "command-tried" ? [[entry.callId, entry.result]] : [])),
  );
  const begun = new Set(turn.flatMap((entry) => (entry.type === "child-started" ? [entry.callId] : [])));
  const whole = callsOfWholeAnswers(turn);
  return turn.flatMap((entry) => {
    if (entry.type !== "call" || answered.has(entry.call.id)) return [];
    const { id } = entry.call;
    const { last: start, times } = starts.get(id) ?? { times: 0 };
    // A read is simply repeated, a subagent continues in its session, and a question is answered or keeps waiting: the
    // logs hold everything known about all three.
    const goesOn = (start?.does === "read" || begun.has(id)) && times < mostStarts;
    const isRepeatable = start === undefined || goesOn || asked.has(id) || tried.has(id);
    // A person's reply counts, even if the answer that contained the question broke off.
    if ((whole.has(id) && isRepeatable) || replied.has(id)) return [];
    return [start ? withPrinted(interruptedResult(start, times), tried.get(id)) : neverStarted(id)];
  });
}

/** A read during which the program stopped this often may be the cause. */
const mostStarts = 3;

type Starts = { last?: StartedCall; times: number };

function startsOf(turn: readonly Entry[]): Map<string, Starts> {
  const starts = new Map<string, Starts>();
  for (const entry of turn) {
    if (entry.type !== "call-start") continue;
    starts.set(entry.callId, { last: entry, times: (starts.get(entry.callId)?.times ?? 0) + 1 });
  }
  return starts;
}

/** Calls whose answer ended normally: only those may still start. */
function callsOfWholeAnswers(turn: readonly Entry[]): Set<string> {
  const whole = new Set<string>();
  let heard: string[] = [];
  for (const entry of turn) {
    if (entry.type === "call") heard.push(entry.call.id);
    if (entry.type !== "answer-end") continue;
    if (entry.reason !== "interrupted" && entry.reason !== "failed") for (const id of heard) whole.add(id);
    heard = [];
  }
  return whole;
}

/** What a command that had run printed is known. */
const withPrinted = (
  result: FactOf<"result">,
  { content = [], ...told }: Partial<FactOf<"command-tried">["result"]> = {},
): FactOf<"result"> => ({ ...told, ...result, content: [...content, ...result.content] });

function interruptedResult({ callId, does, changes }: StartedCall, times: number): FactOf<"result"> {
  const paths = changes?.map((file) => file.path).join(", ");
  const isDangerous = does === "read" && times >= mostStarts;
  const words = isDangerous ? oftenStopped(times) : wordsFor(does, paths ? ` (${paths})` : "");
  return { type: "result", callId, outcome: "interrupted", content: [{ type: "text", text: words }] };
}

const oftenStopped = (times: number): string =>
  `The program stopped ${times} times while this ran, so it is not run again. Look at less at once, or in another way.`;

function wordsFor(does: Does, paths: string): string {
  switch (does) {
    case "read":
      return "The program stopped while this ran. It only reads, so it may be run again.";
    case "change":
      return `The program stopped while this ran, and its outcome is unknown. Read the files${paths} before changing them again.`;
    case "execute":
    case "delegate":
      return "The program stopped while this ran, and its outcome is unknown: it may be half done. Check what it did before repeating it.";
    default:
      return does satisfies never;
  }
}

function neverStarted(callId: string): Fact {
  const words = "The answer was cut off before this call started: nothing was done.";
  return { type: "result", callId, outcome: "cancelled", content: [{ type: "text", text: words }] };
}
