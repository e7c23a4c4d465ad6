/**
 * One answer as the client gets it: text at once, calls only when they are complete and fit the client's own schemas.
 * Broken calls are repaired; if that fails, the model is asked once more, and the client sees a single answer.
 */

import { isObject, type Json } from "../../base/json.ts";
import { doneMark } from "../../protocol/done-mark.ts";
import { sendable } from "../../protocol/history.ts";
import type { Call, ToolDescription } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { resolveToolName } from "../../protocol/tool-name.ts";
import type { Model, Prompt } from "../../providers/provider.ts";
import { isUnreadByServer } from "../../providers/tool-failures.ts";
import { checkCall } from "../../tools/check-call.ts";
import { writtenArguments } from "../../wires/fields.ts";
import { noteRepairs, sumOf, type Account } from "./account.ts";
import { askedAgain, askedAgainUnread } from "./ask-again.ts";
import { type Heard, newHeard, noteCall, noteWords } from "./heard.ts";
import { withSafeNames, type SafeNames } from "./safe-names.ts";

type AnswerRoom = {
  /** The model's name as the client knows it. */
  name: string;
  signal: AbortSignal;
  /** Filled in during the answer. */
  account: Account;
  /** Converts the usage for the client; unchanged by default. */
  reckon?: ((usage: Usage) => Usage) | undefined;
};

/** Throws ModelError if the model fails, or the signal's reason. */
export async function* answered(
  model: Pick<Model, "ask">,
  asked: Prompt,
  room: AnswerRoom,
): AsyncGenerator<ModelEvent> {
  const { prompt, names } = withSafeNames({ ...asked, messages: sendable(asked.messages) });
  const { signal, account } = room;
  const stage: Stage = {
    ...room,
    names,
    offered: offeredIn(prompt),
    oneCall: prompt.oneCall === true,
    released: new Set(),
    said: new Set(),
    standing: new Set(),
  };
  const first = newHeard();
  let more: Prompt | undefined;
  try {
    for await (const event of model.ask(prompt, signal))
      for (const out of take(event, first, stage)) yield out;
    more = isDone(stage) ? undefined : askedAgain(prompt, first);
  } catch (error) {
    if (signal.aborted || isDone(stage) || !(error instanceof ModelError)) throw error;
    if (isUnreadByServer(error)) more = askedAgainUnread(prompt, first, error);
    else if (isGivenUp(error, first)) more = askedAgain(prompt, ended(first));
    else throw error;
  }
  let last = first;
  if (more) {
    account.askedAgain = true;
    stage.standing = new Set(stage.said);
    const second = newHeard();
    try {
      for await (const event of model.ask(more, signal))
        for (const out of take(event, second, stage)) yield out;
      last = second;
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelError)) throw error;
      if (isGivenUp(error, second)) last = ended(second);
      // The client keeps what it has of the first answer, whose broken calls are reported as if there had been no
      // retry.
      else if (!first.end) throw error;
    }
  }
  for (const out of ending(last, stage)) yield out;
}

type Stage = AnswerRoom & {
  names: SafeNames;
  /** Tools that this answer may call. */
  offered: readonly ToolDescription[];
  oneCall: boolean;
  /** The ids of the calls already sent, and their normalised content. */
  released: Set<string>;
  said: Set<string>;
  /** The calls sent before the model was asked again. */
  standing: ReadonlySet<string>;
  /** The attempts whose text and reasoning were sent last. */
  spoke?: Heard;
  mused?: Heard;
};

function offeredIn({ tools, toolChoice }: Prompt): readonly ToolDescription[] {
  if (toolChoice === "none") return [];
  return typeof toolChoice === "object" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
}

/** The events to send at once in response to one from the model. */
function take(event: ModelEvent, heard: Heard, stage: Stage): ModelEvent[] {
  switch (event.type) {
    case "text-delta":
      return said(event.text, heard, stage);
    case "reasoning-delta":
      return thought(event.text, heard, stage);
    case "reasoning-end":
    case "text-was-reasoning":
      noteWords(heard, event);
      return [event];
    case "answer-start":
      return stage.account.askedAgain ? [] : [{ type: "answer-start", model: stage.name }];
    case "call-end":
      return takeCall(event.call, heard, stage);
    case "usage":
      stage.account.usage = sumOf(stage.account.usage, event.usage);
      return [];
    case "answer-end":
      heard.end = { reason: event.reason, ...(event.state ? { state: event.state } : {}) };
      // The mark is stripped for our own agent; here the client may be waiting for it.
      return event.complete ? said(doneMark, heard, stage) : [];
    case "notice":
      stage.account.noted.add(event.code);
      return [];
    case "call-start":
    case "call-delta":
    case "withheld":
    case "retrying":
      return [];
    default:
      return event satisfies never;
  }
}

function takeCall(call: Call, heard: Heard, stage: Stage): ModelEvent[] {
  // If the client offered no tools, a call is just text that the model wrote.
  if (stage.offered.length === 0) return said(writtenCall(call), heard, stage);
  if (isFull(stage)) {
    stage.account.dropped += 1;
    return [];
  }
  // Clients fill in their own defaults.
  const checked = checkCall(call, { tools: stage.offered, defaults: "needed" });
  if (!checked.ok && !checked.unchecked) {
    noteCall(heard, call, checked.problem);
    return [];
  }
  const fit = checked.ok ? checked.call : call;
  noteCall(heard, fit);
  if (stage.standing.has(wordsOf(fit))) return [];
  noteRepairs(stage.account, fit.repairs);
  return release(fit, stage);
}

/** The client has received as many calls as it accepts. */
const isFull = ({ oneCall, released }: Stage): boolean => oneCall && released.size > 0;

/** Asking again would gain nothing. */
const isDone = (stage: Stage): boolean => stage.offered.length === 0 || isFull(stage);

/** Equal for two calls exactly if their content is equal, whatever the order of keys. */
const wordsOf = ({ name, input }: Call): string =>
  JSON.stringify([name, input], (_, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [two]) => (one < two ? -1 : 1)))
      : value,
  );

/** The events that send a call: whole, as one piece of JSON. */
function release(call: Call, { account, names, released, said: words }: Stage): ModelEvent[] {
  const id = freeId(call.id, released);
  released.add(id);
  words.add(wordsOf(call));
  account.calls += 1;
  const { input, state, rawArguments } = call;
  if (hasLongNumber(input)) account.noted.add("long-number");
  const json = writtenArguments(call);
  const more = { ...(json === rawArguments ? { rawArguments } : {}), ...(state ? { state } : {}) };
  const name = names.original(call.name);
  return [
    { type: "call-start", id, name },
    { type: "call-delta", id, json },
    { type: "call-end", call: { id, name, input, source: "native", ...more } },
  ];
}

/** Integers beyond 2^53 lose digits in many parsers, and wherever arguments travel as an object. */
const hasLongNumber = (value: Json): boolean => {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasLongNumber);
};

/** Some servers restart call ids with each answer, but the client sees both answers as one. */
function freeId(id: string, taken: ReadonlySet<string>): string {
  let free = id;
  for (let count = taken.size + 1; taken.has(free); count += 1) free = `${id}_${count}`;
  return free;
}

/** Separates the text of the second answer from that of the first. */
function said(text: string, heard: Heard, stage: Stage): ModelEvent[] {
  const event: ModelEvent = { type: "text-delta", text };
  noteWords(heard, event);
  const isApart = stage.spoke !== heard && stage.spoke !== undefined;
  stage.spoke = heard;
  return isApart ? [{ type: "text-delta", text: `\n\n${text}` }] : [event];
}

function thought(text: string, heard: Heard, stage: Stage): ModelEvent[] {
  const event: ModelEvent = { type: "reasoning-delta", text };
  noteWords(heard, event);
  const isApart = stage.mused !== heard && stage.mused !== undefined;
  stage.mused = heard;
  return isApart ? [{ type: "reasoning-delta", text: `\n\n${text}` }] : [event];
}

function writtenCall(call: Call): string {
  const json = writtenArguments(call);
  const isPlain = call.rawArguments === undefined || call.rawArguments === json;
  return isPlain ? `{"name":${JSON.stringify(call.name)},"arguments":${json}}` : (call.rawArguments ?? "");
}

/**
 * After several answers with unreadable calls a model throws instead of ending the answer. Here each request stands
 * alone, so the answer ends normally and reports its broken calls.
 */
const isGivenUp = ({ kind, fault }: ModelError, { calls }: Heard): boolean =>
  kind === "malformed" && fault === undefined && calls.some(({ problem }) => problem !== undefined);

function ended(heard: Heard): Heard {
  heard.end ??= { reason: "stop" };
  return heard;
}

/** Sends what remains after the last attempt, the usage, and the single end event. */
function* ending(last: Heard, stage: Stage): Generator<ModelEvent> {
  const { account, reckon = (usage) => usage } = stage;
  for (const { call, problem } of last.calls)
    if (problem !== undefined && !isFull(stage)) yield* leftOver(call, problem, { heard: last, stage });
  if (!last.end) return;
  if (account.usage) yield { type: "usage", usage: reckon(account.usage) };
  const { reason, state } = last.end;
  const isWhole = reason === "stop" || reason === "tool-calls";
  const told = isWhole ? (account.calls > 0 ? "tool-calls" : "stop") : reason;
  yield { type: "answer-end", reason: told, ...(state ? { state } : {}) };
}

/**
 * A call that could not be repaired. Arguments that are valid JSON are passed on unchanged: clients validate them too
 * and report the errors to the model, so the work continues. Anything else can only be described in text.
 */
function leftOver(
  call: Call,
  problem: string,
  { heard, stage }: { heard: Heard; stage: Stage },
): ModelEvent[] {
  if (call.fault === "truncated" && heard.end?.reason === "length") return [];
  const name = resolveToolName(
    call.name,
    stage.offered.map((tool) => tool.name),
  );
  if (call.problem === undefined && name !== undefined) {
    stage.account.unmended += 1;
    return release({ ...call, name }, stage);
  }
  stage.account.lost += 1;
  const [why = ""] = problem.replace(/^ERROR: /, "").split("\n");
  const before = stage.spoke ? "\n\n" : "";
  return [{ type: "text-delta", text: `${before}[A call of a tool could not be used. ${why}]` }];
}
