/** Turns facts about messages, questions and turn guidance into blocks. */

import type { Entry, FactOf, LimitName, FailurePattern } from "../protocol/facts.ts";
import type { ContentPart } from "../protocol/messages.ts";
import { isPersonsCode } from "../protocol/session-state.ts";
import { addedWords, type AddedFact } from "./added-words.ts";
import { add, patchCall, replaceBlock, signature, storedBlock, type Transcript } from "./block-store.ts";
import { askedKey, type Block, callKey, type EventBlock } from "./blocks.ts";
import { reasoningWords } from "./reasoning-choices.ts";
import { shownText } from "./shown-text.ts";

type MessageFact = Extract<
  Entry,
  {
    type:
      | "session-start"
      | "session-renamed"
      | "user-message"
      | "message-queued"
      | "message-withdrawn"
      | "steer"
      | "mode-set"
      | "model-set"
      | "reasoning-set"
      | "question-asked"
      | "question-answered"
      | "todos-set"
      | "branch"
      | "grant-revoked"
      | "results-trimmed"
      | "compaction"
      | "aside-answered"
      | "goal-set"
      | "goal-judged"
      | "failure-detected"
      | "nudge"
      | AddedFact["type"]
      | "limit-asked"
      | "limit-answered";
  }
>;

export function toldBlocks(transcript: Transcript, event: MessageFact): readonly Block[] {
  switch (event.type) {
    case "session-start":
      if (event.parent) return addEvent(transcript, event, taskWords(event.parent.session));
      return event.from === undefined ? [] : addEvent(transcript, event, forkWords(event.from));
    case "child-started": {
      const { callId, session } = event;
      const words = { about: "subagent", text: addedWords(event) ?? "", session } as const;
      return [...patchCall(transcript, callId, { child: session }), ...addEvent(transcript, event, words)];
    }
    case "user-message":
    case "steer":
      return userBlocks(transcript, event);
    case "message-queued": {
      const { id, when, content } = event;
      const message = { id, when, ...contentOf(content), ...signature(transcript, event) };
      return add(transcript, { type: "queued", key: queuedKey(id), ...message, state: "waiting" });
    }
    case "message-withdrawn":
      return leaves(transcript, event.id, "withdrawn");
    case "question-asked":
    case "question-answered":
      return aboutQuestion(transcript, event);
    case "todos-set": {
      const block = { type: "todos" as const, key: `todos:${event.turn}`, items: event.items };
      // A list of an earlier request ends without a word.
      if (event.items.length === 0 && !transcript.places.has(block.key)) return [];
      transcript.listed = event.items;
      return transcript.places.has(block.key) ? replaceBlock(transcript, block) : add(transcript, block);
    }
    case "limit-asked":
    case "limit-answered":
      return aboutLimit(transcript, event);
    case "instructions-read":
    case "context-added":
    case "hook-ran":
    case "tools-found":
    case "work-kept":
    case "work-delivered": {
      const text = addedWords(event);
      return text === undefined ? [] : addEvent(transcript, event, { about: "added", text });
    }
    case "child-ended": {
      const { callId, cost = 0, unpriced = 0, at } = event;
      const known = storedBlock(transcript, callKey(callId));
      const since = (known?.type === "call" ? known.startedAt : undefined) ?? at;
      return patchCall(transcript, callId, {
        spent: { ms: at - since, cost: { dollars: cost, unknown: unpriced } },
      });
    }
    case "nudge":
      return isPersonsCode(event.code) ? [] : addEvent(transcript, event, wordsOf(event));
    case "results-trimmed":
      // Without call ids the fact only reports where the model's window ends.
      return event.callIds.length === 0 ? [] : addEvent(transcript, event, wordsOf(event));
    default:
      return addEvent(transcript, event, signedWords(transcript, event));
  }
}

/** Who sets something here is no name. */
const nameless: ReadonlySet<string> = new Set(["user", "terminal", "toolwright"]);

/** Settings name somebody also where one person is alone: they tell of no second one. */
function signedWords(transcript: Transcript, event: Guiding): EventDetails {
  const words = wordsOf(event);
  if (event.type === "session-renamed" || event.type === "compaction") signature(transcript, event);
  const by = "by" in event && transcript.people.size > 1 ? event.by : undefined;
  return by === undefined || nameless.has(by) ? words : { ...words, text: `${words.text} (${by})` };
}

const queuedKey = (id: string): string => `queued:${id}`;
const limitKey = (turn: number, limit: LimitName): string => `limit:${turn}:${limit}`;

export function contentOf(content: readonly ContentPart[]): { text: string; images: number } {
  const texts = content.flatMap((part) => (part.type === "text" ? [shownText(part)] : []));
  return { text: texts.join("\n"), images: content.length - texts.length };
}

/** Marks messages that had been queued: they were written before the blocks that now precede them. */
function userBlocks(
  transcript: Transcript,
  event: (FactOf<"user-message"> | FactOf<"steer">) & { seq: number },
): Block[] {
  const { type, seq, content, queued } = event;
  // A message that was not queued was typed at a prompt.
  const how =
    queued === undefined
      ? {}
      : { how: isTold(transcript, type, queued) ? ("steer" as const) : ("queued" as const) };
  return [
    ...(queued === undefined ? [] : leaves(transcript, queued, "taken")),
    ...add(transcript, {
      type: "user",
      key: `user:${seq}`,
      ...contentOf(content),
      ...how,
      ...signature(transcript, event),
    }),
  ];
}

/** A message queued for the end of a request does not steer it, whichever fact delivers it. */
function isTold(transcript: Transcript, type: "user-message" | "steer", queued: string): boolean {
  const block = storedBlock(transcript, queuedKey(queued));
  return type === "steer" && !(block?.type === "queued" && block.when === "next");
}

function leaves(transcript: Transcript, id: string, state: "taken" | "withdrawn"): Block[] {
  const block = storedBlock(transcript, queuedKey(id));
  return block?.type === "queued" && block.state === "waiting"
    ? replaceBlock(transcript, { ...block, state })
    : [];
}

function aboutQuestion(
  transcript: Transcript,
  event: FactOf<"question-asked"> | FactOf<"question-answered">,
): Block[] {
  const key = askedKey(event.callId);
  const known = storedBlock(transcript, key);
  if (event.type === "question-asked") {
    const { type: _, ...asked } = pickQuestion(event);
    const block = { type: "asked" as const, key, ...asked };
    return [
      ...patchCall(transcript, event.callId, { state: "asking" }),
      ...(known ? replaceBlock(transcript, block) : add(transcript, block)),
    ];
  }
  if (known?.type !== "asked" || known.reply) return [];
  const { answer, by, text, chosen, steps } = event;
  const reply = {
    answer,
    by,
    text,
    chosen,
    steps,
  };
  const call = storedBlock(transcript, callKey(event.callId));
  const waits = call?.type === "call" && call.state === "asking";
  return [
    ...replaceBlock(transcript, { ...known, reply }),
    ...(waits ? patchCall(transcript, event.callId, { state: "pending" }) : []),
  ];
}

const pickQuestion = ({
  type,
  callId,
  question,
  choices,
  several = false,
  steps,
}: FactOf<"question-asked">) => ({
  type,
  callId,
  question,
  choices,
  several,
  steps,
});

/** The same limit can be reached again: the newest question replaces the older one. */
function aboutLimit(
  transcript: Transcript,
  event: (FactOf<"limit-asked"> | FactOf<"limit-answered">) & { turn: number },
): Block[] {
  const key = limitKey(event.turn, event.limit);
  const known = storedBlock(transcript, key);
  if (event.type === "limit-asked") {
    const { limit, used, most, offer } = event;
    const block = { type: "limit" as const, key, limit, used, most, offer };
    return known ? replaceBlock(transcript, block) : add(transcript, block);
  }
  const { limit, answer, most, by } = event;
  const told = { answer, by, most };
  if (known?.type === "limit" && !known.answer) return replaceBlock(transcript, { ...known, answer: told });
  if (by !== "toolwright" || most === undefined) return [];
  // No person was asked: the settings extended the limit.
  const block = { type: "limit" as const, key, limit, used: most, most, offer: most, answer: told };
  return known ? replaceBlock(transcript, block) : add(transcript, block);
}

type Guiding = Exclude<
  MessageFact,
  {
    type:
      | AddedFact["type"]
      | "session-start"
      | "user-message"
      | "steer"
      | "message-queued"
      | "message-withdrawn"
      | "question-asked"
      | "question-answered"
      | "todos-set"
      | "limit-asked"
      | "limit-answered";
  }
>;

type EventDetails = Pick<EventBlock, "about" | "text" | "details" | "session">;

const addEvent = (transcript: Transcript, { seq }: { seq: number }, words: EventDetails): Block[] =>
  add(transcript, { type: "event", key: `event:${seq}`, ...words });

const taskWords = (session: string): EventDetails => ({
  about: "subagent",
  text: `A call of session ${session} gave this one its task.`,
  session,
});

function forkWords({ session, seq }: { session: string; seq: number }): EventDetails {
  return { about: "fork", text: `Goes on from session ${session}, as it was after its fact ${seq}.` };
}

/** One that takes over answers at once. */
export const modelFrom = ({ because }: FactOf<"model-set">): string =>
  because === undefined ? "the next request" : "here";

function wordsOf(event: Guiding): EventDetails {
  switch (event.type) {
    case "session-renamed":
      return { about: "name", text: `The session is called "${event.title}" now.` };
    case "mode-set":
      return { about: "mode", text: `The mode is ${event.mode} from here on.` };
    case "model-set":
      return { about: "model", text: `The model is ${event.model} from ${modelFrom(event)} on.` };
    case "reasoning-set":
      return { about: "reasoning", text: `${reasoningWords(event.reasoning)}.` };
    case "grant-revoked":
      return { about: "permission", text: revokedWords(event) };
    case "branch":
      return { about: "branch", text: branchWords(event) };
    case "results-trimmed": {
      const count = event.callIds.length;
      const what = count === 1 ? "1 earlier result" : `${count} earlier results`;
      const text = `The model is told only in short of ${what} (${tokenWords(event.tokens)} freed); it can read them again.`;
      return { about: "trimmed", text };
    }
    case "compaction":
      return { about: "compaction", text: compactionWords(event) };
    case "aside-answered":
      return { about: "aside", text: `Aside: ${event.question}`, details: event.text };
    case "goal-set":
    case "goal-judged":
      return { about: "goal", text: goalWords(event) };
    case "failure-detected":
      return { about: "stuck", text: `${stuckWords[event.pattern]}. The model was told: ${event.text}` };
    case "nudge":
      return { about: "nudge", text: `The model was told: ${event.text}` };
    default:
      return event satisfies never;
  }
}

export const revokedWords = ({ grant }: FactOf<"grant-revoked">): string =>
  `Not allowed unasked any more: ${grant}`;

const branchWords = ({ name, from, commit }: FactOf<"branch">): string =>
  `Works on the git branch ${name}, made from ${from === "" ? commit.slice(0, 12) : from}.`;

export const compactionReasons: Readonly<Record<FactOf<"compaction">["because"], string>> = {
  budget: "it was nearly full",
  overflow: "it was too long for the model",
  person: "you asked for it",
};

const compactionWords = ({ because, tokensBefore, tokensAfter }: FactOf<"compaction">): string =>
  `The conversation was summed up for the model (${compactionReasons[because]}): ${tokenWords(tokensBefore)} → ${tokenWords(tokensAfter)}. The session keeps all of it.`;

export function goalWords(event: FactOf<"goal-set"> | FactOf<"goal-judged">): string {
  if (event.type === "goal-judged") return `The goal is ${event.met ? "met" : "not met"}: ${event.because}`;
  return event.condition === undefined ? "There is no goal any more." : `The goal: ${event.condition}`;
}

const stuckWords: Readonly<Record<FailurePattern, string>> = {
  "repeated-tool-error": "The same call keeps failing",
  "tool-rejection-loop": "The same call keeps being refused",
  "no-progress": "Nothing new comes of its calls",
  "all-failed": "All of its last calls failed",
  "max-steps-approaching": "It has few rounds left",
};

export const tokenWords = (count: number): string => `${count.toLocaleString("en")} tokens`;
