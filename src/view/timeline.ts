/** Builds a session's timeline, in order: requests, answers, calls with the decisions and their reasons, and costs. */

import { withoutUndefined } from "../base/without-undefined.ts";
import { addCost, type Cost, costOfAnswer, noCost } from "../protocol/cost.ts";
import { nobody } from "../protocol/fact-words.ts";
import type { Entry, FactOf, CallOutcome, Risk, Verdict } from "../protocol/facts.ts";
import { addUsage } from "../protocol/fold-answer.ts";
import { filesOfCall } from "../protocol/fold-changes.ts";
import type { Usage } from "../protocol/model-events.ts";
import { noUsage } from "../protocol/session-state.ts";
import { addedWords } from "./added-words.ts";
import { roughTitle } from "./blocks.ts";
import { contentOf, goalWords, modelFrom, revokedWords } from "./message-blocks.ts";
import { reasoningWords } from "./reasoning-choices.ts";
import { keptWords, notKept } from "./waiting-changes.ts";

export type TimelineCall = {
  type: "call";
  id: string;
  tool: string;
  title: string;
  decision?: { verdict: Verdict; because: string; risk: Risk };
  asked?: { because: string; preview: string };
  answered?: { answer: "allow" | "deny"; scope: string; by: string } & Partial<
    Pick<FactOf<"approval-answered">, "note" | "command" | "drops">
  >;
  /** A command that ran before anybody agreed: its changes wait, or what became of them, in words. */
  held?: string;
  question?: { question: string; choices: string[]; reply?: string; by?: string };
  outcome?: CallOutcome;
  /** The first words of the result. */
  said: string;
  changes: { path: string; added: number; removed: number }[];
};

/** Times are milliseconds since 1970. */
export type TimelineItem = { at: number } & (
  | {
      type: "request";
      turn: number;
      text: string;
      images: number;
      /** Who wrote it, where several people have written. */
      by?: string;
      model?: string;
      mode?: string;
      reasoning?: string;
    }
  | { type: "message"; text: string; images: number; by?: string }
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | TimelineCall
  | { type: "answer"; model: string; reason: string; failure?: string; usage?: Usage; cost: Cost }
  | { type: "note"; about: string; text: string }
  | {
      type: "compaction";
      because: string;
      tokensBefore: number;
      tokensAfter: number;
      summary: string;
      cost: Cost;
    }
  | {
      type: "ending";
      turn: number;
      stopped: string;
      because?: string;
      changed: string[];
      verified: string[];
      usage: Usage;
      cost: Cost;
    }
);

type Building = {
  items: TimelineItem[];
  calls: Map<string, TimelineCall & { at: number }>;
  turn: { usage: Usage; cost: Cost };
};

export async function timelineOf(entries: AsyncIterable<Entry> | Iterable<Entry>): Promise<TimelineItem[]> {
  const building: Building = { items: [], calls: new Map(), turn: { usage: noUsage(), cost: noCost() } };
  for await (const entry of entries) add(building, entry);
  forgetOnlyWriter(building.items);
  return building.items;
}

function forgetOnlyWriter(items: readonly TimelineItem[]): void {
  const messages = items.filter((item) => item.type === "request" || item.type === "message");
  if (new Set(messages.map(({ by }) => by)).size > 1) return;
  for (const message of messages) delete message.by;
}

function add(building: Building, entry: Entry): void {
  const { items } = building;
  const { at } = entry;
  switch (entry.type) {
    case "user-message":
      return void items.push(requestOf(building, entry));
    case "turn-start": {
      const request = items.findLast((item) => item.type === "request");
      const { model, mode, reasoning = "default" } = entry;
      const thinking = reasoning === "default" ? {} : { reasoning };
      if (request) Object.assign(request, { model, mode, ...thinking });
      return undefined;
    }
    case "steer":
      return void items.push({ type: "message", at, ...messageOf(entry) });
    case "text":
    case "reasoning":
      if (entry.text.trim() !== "") items.push({ type: entry.type, at, text: entry.text });
      return undefined;
    case "call": {
      const { id, name } = entry.call;
      const call = {
        type: "call" as const,
        at,
        id,
        tool: name,
        title: roughTitle(entry.call),
        said: "",
        changes: [],
      };
      building.calls.set(id, call);
      return void items.push(call);
    }
    case "answer-end":
      return answerEnd(building, entry);
    case "compaction":
      return compaction(building, entry);
    case "goal-judged":
      addUsage(building.turn.usage, entry.usage);
      addCost(building.turn.cost, costOfAnswer(entry));
      return note(items, entry);
    case "turn-end":
      return turnEnd(building, entry);
    default:
      return "callId" in entry && entry.callId !== undefined
        ? aboutCall(building, entry)
        : note(items, entry);
  }
}

/** A second message to an open turn becomes an item of its own beside the request. */
function requestOf(
  { items, turn }: Building,
  entry: FactOf<"user-message"> & { at: number; turn: number },
): TimelineItem {
  const { at } = entry;
  const last = items.findLast((item) => item.type === "request" || item.type === "ending");
  if (last?.type === "request") return { type: "message", at, ...messageOf(entry) };
  turn.usage = noUsage();
  turn.cost = noCost();
  return { type: "request", at, turn: entry.turn, ...messageOf(entry) };
}

const messageOf = ({ content, by }: FactOf<"user-message"> | FactOf<"steer">) => ({
  ...contentOf(content),
  ...withoutUndefined({ by }),
});

function answerEnd({ items, turn }: Building, entry: FactOf<"answer-end"> & { at: number }): void {
  const { at, model, reason, failure, usage } = entry;
  const cost = costOfAnswer(entry);
  addUsage(turn.usage, usage);
  addCost(turn.cost, cost);
  items.push({
    type: "answer",
    at,
    model,
    reason,
    failure: failure?.message,
    usage,
    cost,
  });
}

function compaction({ items, turn }: Building, entry: FactOf<"compaction"> & { at: number }): void {
  const { at, because, tokensBefore, tokensAfter, summary } = entry;
  const cost = costOfAnswer(entry);
  addUsage(turn.usage, entry.usage);
  addCost(turn.cost, cost);
  items.push({ type: "compaction", at, because, tokensBefore, tokensAfter, summary, cost });
}

function turnEnd({ items, turn }: Building, entry: FactOf<"turn-end"> & { at: number; turn: number }): void {
  const { at, stopped, because, changed, verified } = entry;
  const why = because === undefined ? {} : { because };
  items.push({ type: "ending", at, turn: entry.turn, stopped, ...why, changed, verified, ...turn });
}

function aboutCall({ calls, items }: Building, entry: Extract<Entry, { callId?: string | undefined }>): void {
  const call = calls.get(entry.callId ?? "");
  if (!call) return;
  switch (entry.type) {
    case "decision":
      // For a command that a person rewrote, their answer already shows that it was allowed.
      if (call.answered?.command === undefined || entry.verdict === "deny")
        call.decision = { verdict: entry.verdict, because: entry.because, risk: entry.risk };
      return;
    case "approval-asked":
      if (!entry.held) call.title = entry.title;
      call.asked = { because: entry.because, preview: entry.preview };
      return;
    case "approval-answered": {
      const { answer, scope, by, note: words, command, drops } = entry;
      if (call.held) call.held = keptWords(entry);
      call.answered ??= { answer, scope, by, ...withoutUndefined({ note: words, command, drops }) };
      return;
    }
    case "question-asked":
      call.question = { question: entry.question, choices: entry.choices.map(({ label }) => label) };
      return;
    case "question-answered":
      if (call.question) Object.assign(call.question, { reply: replyOf(entry, call), by: entry.by });
      return;
    case "call-start":
      call.title = entry.title;
      return;
    case "command-tried":
      call.held = `ran contained and changed ${entry.changes.map(({ path }) => path).join(", ")}: waits for an answer`;
      return;
    case "change-applied":
      call.changes = filesOfCall(entry.changes, call.changes);
      return;
    case "result":
      call.title = entry.title ?? call.title;
      call.outcome = entry.outcome;
      if (call.held && call.changes.length === 0 && entry.outcome !== "denied") call.held = notKept;
      call.said = contentOf(entry.content).text;
      return;
    default:
      note(items, entry);
  }
}

function replyOf(
  { answer, by, chosen = [], text }: FactOf<"question-answered">,
  { question }: TimelineCall,
): string {
  if (by === nobody) return "nobody answered in time";
  const words = [
    ...chosen.map((at) => question?.choices[at] ?? String(at + 1)),
    ...(text === undefined ? [] : [text]),
  ];
  return words.length > 0 ? words.join(", ") : answer;
}

/** Facts that need only one line. Queued messages are shown where they are taken. */
function note(items: TimelineItem[], entry: Entry): void {
  const words = noteWords(entry);
  if (words !== undefined) items.push({ type: "note", at: entry.at, about: entry.type, text: words });
}

function noteWords(entry: Entry): string | undefined {
  switch (entry.type) {
    case "session-start":
      return entry.from && `Begins as a copy of ${entry.from.session}, up to its fact ${entry.from.seq}.`;
    case "session-renamed":
      return `Named: ${entry.title}${signatureOf(entry)}`;
    case "grant-revoked":
      return `${revokedWords(entry)} (${entry.by}).`;
    case "branch":
      return `Works on the git branch ${entry.name}, made from ${entry.from || "no branch"} at ${entry.commit.slice(0, 12)}.`;
    case "mode-set":
      return `The mode is ${entry.mode} from here on (${entry.by}).`;
    case "model-set":
      return `The model is ${entry.model} from ${modelFrom(entry)} on (${entry.by}).`;
    case "reasoning-set":
      return `${reasoningWords(entry.reasoning)} (${entry.by}).`;
    case "todos-set":
      return `To do: ${entry.items.map(({ text, state }) => `${text} (${state})`).join("; ")}`;
    case "results-trimmed":
      return `${entry.callIds.length} results are not told to the model any more (${entry.tokens} tokens).`;
    case "failure-detected":
      return `Stuck (${entry.pattern}): ${entry.text}`;
    case "instructions-read":
    case "context-added":
    case "hook-ran":
    case "tools-found":
    case "work-kept":
    case "work-delivered":
    case "child-started":
    case "child-ended":
      return addedWords(entry);
    case "aside-answered":
      return `Aside: ${entry.question} → ${entry.text}`;
    case "goal-set":
    case "goal-judged":
      return goalWords(entry);
    case "nudge":
      return `The model was told: ${entry.text}`;
    case "limit-asked":
      return `A limit was reached: ${entry.used} of ${entry.most} ${entry.limit}; it could go on to ${entry.offer}.`;
    case "limit-answered":
      return `The limit of ${entry.limit}: ${entry.answer}${entry.most === undefined ? "" : ` to ${entry.most}`} (${entry.by}).`;
    case "warning":
      return entry.text;
    case "changes-kept":
      return `Request ${entry.keptTurn}: its changes are kept for good${signatureOf(entry)}.`;
    case "changes-undone":
      return `Request ${entry.undoneTurn}: ${entry.again ? "redone" : "undone"}: ${entry.changes.map(({ path }) => path).join(", ")}${signatureOf(entry)}`;
    default:
      return undefined;
  }
}

const signatureOf = ({ by }: { by?: string | undefined }): string => (by === undefined ? "" : ` (${by})`);
