/**
 * One answer as the client gets it: text at once, calls only when they are complete and fit the client's own schemas.
 * Broken calls are repaired; if that fails, the model is asked once more, and the client sees a single answer.
 */

import { propertyNames } from "../base/json-schema.ts";
import { type Json, jsonInOrder } from "../base/json.ts";
import { doneMark } from "../protocol/done-mark.ts";
import { sendable } from "../protocol/history.ts";
import type { ToolCall, Message, ToolDescription } from "../protocol/messages.ts";
import { ModelError, type ModelEvent, type Usage } from "../protocol/model-events.ts";
import { resolveToolName } from "../protocol/tool-name.ts";
import type { Model, Prompt } from "../providers/provider.ts";
import { isUnreadByServer } from "../providers/tool-failures.ts";
import { checkCall } from "../tools/arguments/check-call.ts";
import { makeId, writtenArguments } from "../wires/fields.ts";
import { noteRepairs, sumOf, type AnswerAccount } from "./account.ts";
import { type SecondAttempt, askedAgain, askedAgainUnread, unmarkedCall } from "./ask-again.ts";
import { type ModelAttempt, newHeard, noteCall, noteWords } from "./model-attempt.ts";
import { withSafeNames, type SafeNames } from "./safe-names.ts";

type AnswerContext = {
  /** The model's name as the client knows it. */
  name: string;
  signal: AbortSignal;
  /** Filled in during the answer. */
  account: AnswerAccount;
  /** Converts the usage for the client; unchanged by default. */
  reckon?: ((usage: Usage) => Usage) | undefined;
};

/** Throws ModelError if the model fails, or the signal's reason. */
export async function* answerEvents(
  model: Pick<Model, "ask">,
  asked: Prompt,
  context: AnswerContext,
): AsyncGenerator<ModelEvent> {
  const { prompt, names } = withSafeNames({ ...asked, messages: sendable(asked.messages) });
  const { signal } = context;
  const stage: AnswerState = {
    ...context,
    names,
    offered: offeredIn(prompt),
    oneCall: prompt.oneCall === true,
    taken: new Set(asked.messages.flatMap(idsOf)),
    said: new Set(),
    standing: new Set(),
  };
  const first = newHeard();
  let again: SecondAttempt | undefined;
  try {
    for await (const event of model.ask(prompt, signal))
      for (const out of take(event, first, stage)) yield out;
    again = isDone(stage) ? undefined : askedAgain(prompt, first);
  } catch (error) {
    if (signal.aborted || isDone(stage) || !(error instanceof ModelError)) throw error;
    if (isUnreadByServer(error)) again = askedAgainUnread(prompt, first, error);
    else if (isGivenUp(error, first)) again = askedAgain(prompt, withEnd(first));
    else throw error;
  }
  const last = again ? yield* secondAnswer(model, again, { first, stage }) : first;
  for (const out of ending(last, stage)) yield out;
}

/** Returns the attempt that counts. */
async function* secondAnswer(
  model: Pick<Model, "ask">,
  { prompt, isUnsure }: SecondAttempt,
  { first, stage }: { first: ModelAttempt; stage: AnswerState },
): AsyncGenerator<ModelEvent, ModelAttempt> {
  const { signal, account } = stage;
  account.askedAgain = true;
  stage.standing = new Set(stage.said);
  const second = newHeard();
  const held: ModelEvent[] = [];
  try {
    for await (const event of model.ask(prompt, signal)) {
      held.push(...take(event, second, stage));
      if (!isUnsure) for (const out of held.splice(0)) yield out;
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof ModelError)) throw error;
    if (isGivenUp(error, second)) return withEnd(second);
    // The client keeps what it has of the first answer, whose broken calls are reported as if there had been no retry.
    if (!first.end) throw error;
    return first;
  }
  if (second.calls.length === 0 && isUnsure) {
    // It could have said that no call was meant, which is nothing for the client.
    const meant = unmarkedCall(prompt, second);
    if (meant) for (const out of takeCall(meant, first, stage)) yield out;
    return first;
  }
  for (const out of held) yield out;
  return second;
}

type AnswerState = AnswerContext & {
  names: SafeNames;
  /** Tools that this answer may call. */
  offered: readonly ToolDescription[];
  oneCall: boolean;
  /** The ids of all calls of the conversation, and the normalised content of those sent. */
  taken: Set<string>;
  said: Set<string>;
  /** The calls sent before the model was asked again. */
  standing: ReadonlySet<string>;
  /** The attempts whose text and reasoning were sent last. */
  spoke?: ModelAttempt;
  mused?: ModelAttempt;
};

function offeredIn({ tools, toolChoice }: Prompt): readonly ToolDescription[] {
  if (toolChoice === "none") return [];
  return typeof toolChoice === "object" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
}

/** The events to send at once in response to one from the model. */
function take(event: ModelEvent, heard: ModelAttempt, stage: AnswerState): ModelEvent[] {
  switch (event.type) {
    case "text-delta":
      return textEvents(event.text, heard, stage);
    case "reasoning-delta":
      return reasoningEvents(event.text, heard, stage);
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
      heard.end = { reason: event.reason, state: event.state };
      // The mark is stripped for our own agent; here the client may be waiting for it.
      return event.complete ? textEvents(doneMark, heard, stage) : [];
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

function takeCall(call: ToolCall, heard: ModelAttempt, stage: AnswerState): ModelEvent[] {
  // If the client offered no tools, a call is just text that the model wrote.
  if (stage.offered.length === 0) return textEvents(writtenCall(call), heard, stage);
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
const isFull = ({ oneCall, account }: AnswerState): boolean => oneCall && account.calls > 0;

/** Asking again would gain nothing. */
const isDone = (stage: AnswerState): boolean => stage.offered.length === 0 || isFull(stage);

/** Equal for two calls exactly if their content is equal, whatever the order of keys. */
const wordsOf = ({ name, input }: ToolCall): string => jsonInOrder([name, input]);

/** The events that send a call: whole, as one piece of JSON. */
function release(call: ToolCall, { account, names, taken, said: words }: AnswerState): ModelEvent[] {
  const id = isFit.test(call.id) && !taken.has(call.id) ? call.id : makeId("call");
  taken.add(id);
  words.add(wordsOf(call));
  account.calls += 1;
  const { input, state, rawArguments } = call;
  if (hasLongNumber(input)) account.noted.add("long-number");
  const json = writtenArguments(call);
  const more = { ...(json === rawArguments ? { rawArguments } : {}), state };
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

/**
 * Ids that every format takes: Anthropic's restricts the characters, OpenAI's the length. Some models and servers count
 * anew in each answer, but clients tell the calls of a whole conversation apart by their ids: such an id is replaced.
 */
const isFit = /^[a-zA-Z0-9_-]{1,40}$/;

const idsOf = ({ role, content }: Message): string[] =>
  role === "assistant" ? content.flatMap((part) => (part.type === "call" ? [part.call.id] : [])) : [];

/** Separates the text of the second answer from that of the first. */
function textEvents(text: string, heard: ModelAttempt, stage: AnswerState): ModelEvent[] {
  const event: ModelEvent = { type: "text-delta", text };
  noteWords(heard, event);
  const isApart = stage.spoke !== heard && stage.spoke !== undefined;
  stage.spoke = heard;
  return isApart ? [{ type: "text-delta", text: `\n\n${text}` }] : [event];
}

function reasoningEvents(text: string, heard: ModelAttempt, stage: AnswerState): ModelEvent[] {
  const event: ModelEvent = { type: "reasoning-delta", text };
  noteWords(heard, event);
  const isApart = stage.mused !== heard && stage.mused !== undefined;
  stage.mused = heard;
  return isApart ? [{ type: "reasoning-delta", text: `\n\n${text}` }] : [event];
}

function writtenCall(call: ToolCall): string {
  const json = writtenArguments(call);
  const isPlain = call.rawArguments === undefined || call.rawArguments === json;
  return isPlain ? `{"name":${JSON.stringify(call.name)},"arguments":${json}}` : (call.rawArguments ?? "");
}

/**
 * After several answers with unreadable calls a model throws instead of ending the answer. Here each request stands
 * alone, so the answer ends normally and reports its broken calls.
 */
const isGivenUp = ({ kind, fault }: ModelError, { calls }: ModelAttempt): boolean =>
  kind === "malformed" && fault === undefined && calls.some(({ problem }) => problem !== undefined);

function withEnd(heard: ModelAttempt): ModelAttempt {
  heard.end ??= { reason: "stop" };
  return heard;
}

/** Sends what remains after the last attempt, the usage, and the single end event. */
function* ending(last: ModelAttempt, stage: AnswerState): Generator<ModelEvent> {
  const { account, reckon = (usage) => usage } = stage;
  for (const { call, problem } of last.calls)
    if (problem !== undefined && !isFull(stage)) yield* leftOver(call, problem, { heard: last, stage });
  if (!last.end) return;
  if (account.usage) yield { type: "usage", usage: reckon(account.usage) };
  const { reason, state } = last.end;
  const isWhole = reason === "stop" || reason === "tool-calls";
  const told = isWhole ? (account.calls > 0 ? "tool-calls" : "stop") : reason;
  yield { type: "answer-end", reason: told, state };
}

/** What stands in the way are only arguments that the tool does not declare. */
const isRead = ({ fault, input }: ToolCall): boolean =>
  fault === "invalid_arguments" && Object.keys(input).length > 0;

const declaredBy = (tool: ToolDescription | undefined): string[] =>
  tool ? propertyNames(tool.schema, tool.schema) : [];

/** The model was told, and writes it again: undeclared arguments are dropped if that makes the call valid. */
function acceptRepeat(call: ToolCall, stage: AnswerState): ModelEvent[] {
  const names = declaredBy(stage.offered.find(({ name }) => name === call.name));
  const declared = Object.entries(call.input).filter(([name]) => names.includes(name));
  for (const input of [call.input, Object.fromEntries(declared)]) {
    const checked = checkCall({ ...call, input }, { tools: stage.offered, defaults: "needed" });
    if (!checked.ok) continue;
    const dropped = input === call.input ? [] : [{ code: "argument-dropped", detail: "not declared" }];
    noteRepairs(stage.account, [...(checked.call.repairs ?? []), ...dropped]);
    return release(checked.call, stage);
  }
  stage.account.unmended += 1;
  return release(call, stage);
}

/**
 * A call that could not be repaired. Arguments that are valid JSON are passed on unchanged: clients validate them too
 * and report the errors to the model, so the work continues. Anything else can only be described in text.
 */
function leftOver(
  call: ToolCall,
  problem: string,
  { heard, stage }: { heard: ModelAttempt; stage: AnswerState },
): ModelEvent[] {
  if (call.fault === "truncated" && heard.end?.reason === "length") return [];
  const name = resolveToolName(
    call.name,
    stage.offered.map((tool) => tool.name),
  );
  if (name !== undefined && (call.problem === undefined || isRead(call)))
    return acceptRepeat({ id: call.id, name, input: call.input, source: call.source }, stage);
  stage.account.lost += 1;
  const [why = ""] = problem.replace(/^ERROR: /, "").split("\n");
  const before = stage.spoke ? "\n\n" : "";
  return [{ type: "text-delta", text: `${before}[A call of a tool could not be used. ${why}]` }];
}
