/**
 * Builds a transcript's blocks from facts and signals, incrementally and with the same result live and on replay.
 * blocks.ts defines the blocks, block-store.ts stores them, live-blocks.ts handles signals, message-blocks.ts facts
 * about messages and questions; this file handles turns, calls and changes.
 */

import { withoutUndefined } from "../base/without-undefined.ts";
import { withoutPerson } from "../protocol/fact-words.ts";
import type { ChangedFile, Entry, FactOf, Signal } from "../protocol/facts.ts";
import { addChanges, markKept, linesOf, trailsOf, undoableIn, undone } from "../protocol/fold-changes.ts";
import type { ToolCall, ContentPart } from "../protocol/messages.ts";
import {
  add,
  findCall,
  patchCall,
  replaceBlock,
  signature,
  storedBlock,
  type Transcript,
} from "./block-store.ts";
import {
  type Badge,
  type Block,
  blockKey,
  type CallBlock,
  callKey,
  compactingKey,
  type EndingBlock,
  endingKey,
  type Extent,
  firstLines,
  firstOfDiff,
  lastLines,
  linesBefore,
  questionKey,
  retryKey,
  roughTitle,
  withheldKey,
} from "./blocks.ts";
import { endsCompacting, applySignal } from "./live-blocks.ts";
import { contentOf, toldBlocks } from "./message-blocks.ts";
import { questionIn } from "./question.ts";
import { keptWords, notKept } from "./waiting-changes.ts";

export { emptyTranscript, findCall, forgetOldest, storedBlock, type Transcript } from "./block-store.ts";

/** All blocks in their current state. */
export function visibleBlocks(transcript: Transcript): Block[] {
  const { blocks, live, places } = transcript;
  const stored = blocks.map((block) => live.get(block.key) ?? block);
  return [...stored, ...[...live.values()].filter(({ key }) => !places.has(key))];
}

/** True from a request until its turn has ended. */
export function isTurnOpen({ blocks }: Transcript): boolean {
  return blocks.findLast(({ type }) => type === "user" || type === "ending")?.type === "user";
}

/** The calls of the latest turn in their current state, in the order they were written. */
export function currentCalls({ blocks, live, places }: Transcript): CallBlock[] {
  const turn = blocks.slice(blocks.findLastIndex(({ type }) => type === "user") + 1);
  const stored = turn.map((block) => live.get(block.key) ?? block);
  const written = [...live.values()].filter(({ key }) => !places.has(key));
  return [...stored, ...written].filter((block) => block.type === "call");
}

/**
 * Adds one event in place and returns the blocks that are new or changed. `now` is the event's arrival time; only
 * entries carry their own.
 */
export function showEntry(transcript: Transcript, event: Entry | Signal, now?: number): readonly Block[] {
  transcript.heardAt = now ?? ("at" in event ? event.at : transcript.heardAt);
  if (endsWithheld(event)) transcript.live.delete(withheldKey);
  if (endsCompacting(event)) for (const key of [compactingKey, retryKey]) transcript.live.delete(key);
  switch (event.type) {
    case "turn-start":
      transcript.changed = { added: 0, removed: 0 };
      transcript.staged.clear();
      return [];
    case "reasoning":
      return close(transcript, { ...pick(event), type: "reasoning", open: false });
    case "text":
      return close(transcript, { ...pick(event), type: "text", open: false, by: event.by });
    case "answer-end":
      return answerEnd(transcript, event);
    case "call":
    case "decision":
    case "approval-asked":
    case "approval-answered":
    case "call-start":
    case "change-staged":
    case "change-applied":
    case "result":
      return aboutCall(transcript, event);
    case "warning":
      return add(transcript, {
        type: "warning",
        key: `warning:${event.seq}`,
        code: event.code,
        text: event.text,
      });
    case "changes-undone":
      return changesUndone(transcript, event);
    case "changes-kept":
      markKept(transcript.changes, event);
      return add(transcript, {
        type: "kept",
        key: `kept:${event.seq}`,
        turn: event.keptTurn,
        files: event.paths,
        ...signature(transcript, event),
      });
    case "turn-end":
      return turnEnd(transcript, event);
    case "text-delta":
    case "reasoning-delta":
    case "call-delta":
    case "output-delta":
    case "retrying":
    case "compacting":
      return applySignal(transcript, event);
    case "command-tried": // the question about its changes says it all
    case "turn-resumed":
    case "unknown":
      return [];
    default:
      return toldBlocks(transcript, event);
  }
}

/** The withheld text turned out to be plain text, or has become a call. */
function endsWithheld(event: Entry | Signal): boolean {
  const { type } = event;
  if (type === "call-delta") return event.callId !== "";
  return ["text-delta", "reasoning-delta", "text", "reasoning", "call"].includes(type);
}

type AboutCall = { at: number; turn: number } & (
  | FactOf<"call">
  | FactOf<"decision">
  | FactOf<"approval-asked">
  | FactOf<"approval-answered">
  | FactOf<"call-start">
  | FactOf<"change-staged">
  | FactOf<"change-applied">
  | FactOf<"result">
);

function aboutCall(transcript: Transcript, event: AboutCall): readonly Block[] {
  switch (event.type) {
    case "call":
      transcript.answer.called = true;
      return add(transcript, newCall(event.call));
    case "decision":
      transcript.decided = event;
      return decisionBlocks(transcript, event);
    case "approval-asked":
      return approvalBlocks(transcript, event);
    case "approval-answered":
      return answerBlocks(transcript, event);
    case "call-start":
      return callStarted(transcript, event);
    case "change-staged":
      return changeStaged(transcript, event);
    case "change-applied":
      return changeApplied(transcript, event);
    case "result":
      return resultBlocks(transcript, event);
    default:
      return event satisfies never;
  }
}

const newCall = (call: ToolCall): CallBlock => ({
  type: "call",
  key: callKey(call.id),
  callId: call.id,
  name: call.name,
  title: roughTitle(call),
  state: "pending",
  output: [],
});

function decisionBlocks(
  transcript: Transcript,
  { callId, verdict, because, trace }: FactOf<"decision">,
): Block[] {
  if (verdict !== "allow") return patchCall(transcript, callId, { because });
  const layer = trace.findLast((word) => word.verdict === verdict && word.because === because)?.layer;
  if (layer === "grant") return patchCall(transcript, callId, { allowed: "grant" });
  return layer?.startsWith("rules (") === true ? patchCall(transcript, callId, { allowed: "rule" }) : [];
}

function approvalBlocks(transcript: Transcript, event: FactOf<"approval-asked">): Block[] {
  const { callId, title, because } = event;
  const { decided } = transcript;
  const question = add(transcript, {
    type: "question",
    key: questionKey(callId),
    ...questionIn(event),
    ...(decided?.callId === callId && decided.trace.length > 0 ? { trace: decided.trace } : {}),
  });
  // A command that has run has its own title; the question is only about its changes.
  const call = event.held ? { held: "its changes wait for your answer" } : { title };
  return [...patchCall(transcript, callId, { state: "asking", because, ...call }), ...question];
}

/** The first answer wins; the call stays pending until it starts or has its result. */
function answerBlocks(transcript: Transcript, event: FactOf<"approval-answered">): Block[] {
  const question = storedBlock(transcript, questionKey(event.callId));
  if (question?.type !== "question" || question.answer) return [];
  const { answer, scope, by, note, command, drops } = event;
  const told = { answer, scope, by, ...withoutUndefined({ note, command, drops }) };
  const held = question.waiting ? { held: keptWords(event) } : {};
  const no = withoutPerson(by) ?? "a person said no";
  const why = answer === "allow" ? {} : { because: note ? `${no}: ${note}` : no };
  const call = storedBlock(transcript, callKey(event.callId));
  const waits = call?.type === "call" && call.state === "asking" ? { state: "pending" as const } : {};
  return [
    ...replaceBlock(transcript, { ...question, answer: told }),
    ...patchCall(transcript, event.callId, { ...waits, ...why, ...held }),
  ];
}

function callStarted(transcript: Transcript, event: FactOf<"call-start"> & { at: number }): Block[] {
  const { callId, title, does, at } = event;
  const known = storedBlock(transcript, callKey(callId));
  // A command's second intent reports what it changed: it is already running.
  if (known?.type === "call" && known.state === "running") return [];
  return patchCall(transcript, callId, { state: "running", title, does, startedAt: at });
}

function resultBlocks(transcript: Transcript, event: FactOf<"result">): Block[] {
  if (event.title !== undefined) patchCall(transcript, event.callId, { title: event.title });
  if (transcript.listed) patchCall(transcript, event.callId, { todos: transcript.listed });
  delete transcript.listed;
  const { text } = contentOf(event.content.filter(isForPeople));
  if (event.outcome === "invalid")
    return patchCall(transcript, event.callId, { state: event.outcome, ...firstLines(text) });
  const known = storedBlock(transcript, callKey(event.callId));
  const isLost =
    known?.type === "call" && known.held !== undefined && !known.badge && event.outcome !== "denied";
  const output = lastLines(text);
  const left = linesBefore(text, output, event.full?.omitted);
  const diff = event.metadata?.["diffPreview"];
  return patchCall(transcript, event.callId, {
    state: event.outcome,
    output,
    ...(isLost ? { held: notKept } : {}),
    ...(left > 0 ? { left } : {}),
    ...(event.full === undefined ? {} : { isCut: true }),
    ...(typeof diff === "string" ? firstOfDiff(diff) : {}),
  });
}

const isForPeople = (part: ContentPart): boolean => part.type !== "text" || part.for === undefined;

function changeStaged(transcript: Transcript, { callId, changes }: FactOf<"change-staged">): Block[] {
  for (const file of changes) if (!isDirectory(file)) transcript.staged.set(file.path, file);
  return patchCall(transcript, callId, { staged: addLines({ added: 0, removed: 0 }, changes) });
}

const isDirectory = ({ was, is }: ChangedFile): boolean => (is ?? was)?.kind === "directory";

function changeApplied(transcript: Transcript, event: FactOf<"change-applied"> & { turn: number }): Block[] {
  const call = storedBlock(transcript, callKey(event.callId));
  const before = call?.type === "call" ? call.badge : undefined;
  const lines = (of: "call" | "turn"): Badge[] => event.changes.map((file) => linesOf(file, of));
  transcript.changed = addLines(transcript.changed, lines("turn"));
  for (const { path } of event.changes) transcript.staged.delete(path);
  addChanges(transcript.changes, event.turn, { files: undoableIn(event), isCertain: true });
  const { uncovered } = event;
  return patchCall(transcript, event.callId, {
    ...(event.changes.length > 0
      ? { badge: addLines(before ?? { added: 0, removed: 0 }, lines("call")) }
      : {}),
    ...(uncovered === undefined ? {} : { uncovered }),
  });
}

const addLines = (badge: Badge, changes: readonly Badge[]): Badge => ({
  added: changes.reduce((sum, { added }) => sum + added, badge.added),
  removed: changes.reduce((sum, { removed }) => sum + removed, badge.removed),
});

const cutOff = "The answer was cut off at the model's length limit: nothing unfinished was run.";

function answerEnd(transcript: Transcript, event: FactOf<"answer-end"> & { seq: number }): Block[] {
  for (const [key, block] of transcript.live)
    if (block.type !== "call" || block.state === "writing") transcript.live.delete(key);
  const { said, called } = transcript.answer;
  transcript.answer = { said: [], called: false };
  const wasCalling = transcript.blocks.at(-1)?.type === "call";
  if (event.reason === "length" && wasCalling)
    return add(transcript, { type: "warning", key: `warning:${event.seq}`, code: "length", text: cutOff });
  if (!event.failure && event.reason !== "interrupted") return [];
  return add(transcript, {
    type: "failure",
    key: `failure:${event.seq}`,
    text: event.failure?.message,
    said: called ? [] : said,
  });
}

function turnEnd(transcript: Transcript, event: FactOf<"turn-end"> & { turn: number }): Block[] {
  transcript.live.clear();
  const trails = trailsOf(transcript.changes, event.turn);
  const titles = event.verified.map((callId) => findCall(transcript, callId)?.title ?? callId);
  return add(transcript, {
    type: "ending",
    key: endingKey(event.turn),
    stopped: event.stopped,
    ...withoutUndefined({ because: event.because, by: event.by, device: event.device, advice: event.advice }),
    changed: event.changed,
    isDeletion: trails.length > 0 && trails.every(({ left }) => left.at(-1) === null),
    badge: transcript.changed,
    ...stagedIn(transcript),
    verified: titles,
    check: event.check,
    undone: "nothing",
  });
}

function stagedIn({ staged }: Transcript): Pick<EndingBlock, "staged"> {
  if (staged.size === 0) return {};
  const badge = addLines({ added: 0, removed: 0 }, [...staged.values()]);
  return { staged: { files: [...staged.keys()], badge } };
}

function changesUndone(transcript: Transcript, event: FactOf<"changes-undone"> & { seq: number }): Block[] {
  undone(transcript.changes, event);
  const { undoneTurn, changes, rest = [], again = false } = event;
  const ending = storedBlock(transcript, endingKey(undoneTurn));
  return [
    ...(ending?.type === "ending"
      ? replaceBlock(transcript, { ...ending, undone: howMuch(transcript, undoneTurn) })
      : []),
    ...add(transcript, {
      type: "undone",
      key: `undone:${event.seq}`,
      turn: undoneTurn,
      files: changes.map((file) => (isDirectory(file) ? `${file.path}/` : file.path)),
      parts: rest.map(({ path }) => path),
      again,
      ...signature(transcript, event),
    }),
  ];
}

function howMuch({ changes }: Transcript, turn: number): Extent {
  const trails = trailsOf(changes, turn);
  if (trails.every(({ now }) => now === "all")) return "nothing";
  return trails.every(({ now }) => now === "nothing") ? "all" : "part";
}

/** Replaces the block opened by signals with the finished one; a block that only carries state is not shown. */
function close(transcript: Transcript, block: Extract<Block, { text: string }>): Block[] {
  transcript.live.delete(retryKey);
  // What Toolwright says at the end of a turn belongs to no answer.
  if (block.type !== "text" || block.by === "model") transcript.answer.said.push(block.key);
  if (block.text !== "") return add(transcript, block);
  transcript.live.delete(block.key);
  return [];
}

const pick = (event: { block: number; text: string }): { key: string; text: string } => ({
  key: blockKey(event.block),
  text: event.text,
});
