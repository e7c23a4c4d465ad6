/** Handles one request for an answer, from its body to the last byte: streamed or whole, in the client's format. */

import { collect } from "../base/async.ts";
import type { Ask, Message } from "../protocol/messages.ts";
import { ModelError, type ModelEvent, type Usage } from "../protocol/model-events.ts";
import { badField, isEmpty, withMessages } from "../wires/ask-fields.ts";
import type { CallForms, StreamForm, Wire } from "../wires/wire.ts";
import { newAccount, repairsHeader, repairsValue, rescaleUsage, type AnswerAccount } from "./account.ts";
import { checkedFormat, withFormat, withoutFence } from "./answer-format.ts";
import { answerEvents } from "./answer.ts";
import { askedInOrder, type ModelResolution } from "./fallback.ts";
import { heardModel } from "./hearing.ts";
import { accountFields } from "./log.ts";
import type { Tab } from "./meter.ts";
import { type ModelPool, scaleOf } from "./models.ts";
import { asModelError } from "./refusal.ts";
import { checkStops, untilStop } from "./stops.ts";
import { streamOf, withSigns } from "./stream.ts";
import type { Visit } from "./visits.ts";

type AnswerExchange = {
  wire: Wire;
  /** Includes the query. */
  target: string;
  path: string;
  body: unknown;
  /** Aborted when the client disconnects or the server stops. */
  signal: AbortSignal;
  /** Sends a trailer after a streamed reply; undefined if the connection does not support trailers. */
  trail: ((name: string, value: string) => void) | undefined;
  /** Closes the connection, if there is one. */
  cut: (() => void) | undefined;
  models: ModelPool;
  /** Holds the client to its limits. */
  tab: Tab;
  /** Estimates a prompt's tokens. */
  count: (ask: Ask) => number;
  /** The request's, which is over when the answer is. */
  visit: Visit;
};

/** Throws ModelError or Refusal only before anything was sent; the visit is not over then. */
export async function answer(exchange: AnswerExchange): Promise<Response> {
  const { wire, path, target, body, models, visit, signal } = exchange;
  const { ask, streamed, forms, withoutUsage } = wire.decodeAsk(body, wire.match(path));
  const { model: name, ...plain } = ask;
  const { format } = plain;
  checkChoice(ask);
  checkStops(ask.stop);
  if (!wire.answerToNothing) withMessages(ask, wire.conversation);
  const found = await models.find(name);
  const left: string[] = [];
  noteAsked(visit, { name, model: found.model.name, streamed });
  const account = newAccount();
  if (isEmpty(ask) && wire.answerToNothing)
    return whole(wire.answerToNothing(name), { account, visit, found });
  const prompt = format ? withFormat(plain, format) : plain;
  const gone = new AbortController();
  const reckon = (usage: Usage) => rescaleUsage(usage, scaleOf(found));
  const asked = askedInOrder(found, {
    ask: (model) => heardModel(model, { tab: exchange.tab, heard: visit.heard }),
    left(model, { kind }) {
      left.push(`${model}: ${kind}`);
      visit.note({ left });
      noteAsked(visit, { name, model: found.model.name, streamed });
    },
  });
  const context = { name, account, signal: AbortSignal.any([signal, gone.signal]), reckon };
  const answering = answerEvents(asked, prompt, context);
  const ending = endingAtStop(answering, ask, { account, reckon, count: exchange.count });
  const formed = format
    ? checkedFormat(withoutFence(ending), { format, noted: account.noted, streamed })
    : ending;
  const events = withFailureLog(formed, visit, context.signal);
  if (!streamed)
    return whole(wire.encodeWhole(await collectAnswer(events), forms), { account, visit, found });
  const form = wire.streamAt?.(target) ?? { type: wire.streamType, rewrite: (texts) => texts };
  return stream(withoutUsage ? without("usage", events) : events, {
    ...exchange,
    form,
    forms,
    name,
    account,
    gone,
    found,
  });
}

function noteAsked(visit: Visit, asked: { name: string; model: string; streamed: boolean }): void {
  const name = asked.name.slice(0, 200);
  visit.note({ asked: name, model: asked.model, streamed: asked.streamed });
  visit.heard?.found({ ...asked, name });
}

/** `isWhole`: the entire answer was handed over. */
function endVisit(visit: Visit, account: AnswerAccount, isWhole: boolean): void {
  visit.note({ ...accountFields(account), ...(isWhole ? {} : { broken: true }) });
  visit.over(200);
}

/** A tool named in `toolChoice` must be among those offered. */
function checkChoice({ tools, toolChoice }: Ask): void {
  if (typeof toolChoice !== "object" || tools.some(({ name }) => name === toolChoice.name)) return;
  const name = JSON.stringify(toolChoice.name.slice(0, 200));
  throw badField("tool_choice", `one of the tools: there is none called ${name}`);
}

type Counting = { account: AnswerAccount; reckon: (usage: Usage) => Usage; count: (ask: Ask) => number };

/** If we end an answer at a stop sequence, the provider reports no usage for it: it is estimated. */
function endingAtStop(
  events: AsyncIterable<ModelEvent>,
  ask: Ask,
  { account, reckon, count }: Counting,
): AsyncIterable<ModelEvent> {
  if (!ask.stop) return events;
  return untilStop(events, ask.stop, (text) => {
    const said: Ask = { ...ask, system: "", tools: [], messages: [answerOf(text)] };
    account.usage = { inputTokens: count(ask), outputTokens: count(said) };
    account.noted.add("stop-reached");
    return [{ type: "usage", usage: reckon(account.usage) }];
  });
}

const answerOf = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });

async function* without(
  type: ModelEvent["type"],
  events: AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  for await (const event of events) if (event.type !== type) yield event;
}

/** Collects a whole answer; one that just stops without an end event is an error. */
async function collectAnswer(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all = await collect(events);
  if (all.some(({ type }) => type === "answer-end")) return all;
  throw new ModelError("network", "The connection ended before the answer was complete.", {
    advice: "Try again.",
  });
}

/** Logs unexpected errors in full, and reports them to the client without their message. */
async function* withFailureLog(
  events: AsyncIterable<ModelEvent>,
  visit: Visit,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  try {
    for await (const event of events) yield event;
  } catch (error) {
    if (!signal.aborted) visit.failed(error);
    throw asModelError(error);
  }
}

type Whole = { account: AnswerAccount; visit: Visit; found: ModelResolution };

function whole(body: object, { account, visit, found }: Whole): Response {
  const repairs = repairsValue(account);
  const headers = {
    "content-type": "application/json",
    ...answeredBy(found),
    ...(repairs === undefined ? {} : { [repairsHeader]: repairs }),
  };
  endVisit(visit, account, true);
  return new Response(JSON.stringify(body), { headers });
}

/** Says which of several models answers, once that is known. */
const answeredBy = ({ hasOthers, answering }: ModelResolution): Record<string, string> =>
  hasOthers && answering !== undefined
    ? { "x-toolwright-model": answering.replaceAll(/[^\u0021-\u007e]/gu, "?") }
    : {};

type Streaming = AnswerExchange & {
  found: ModelResolution;
  form: StreamForm;
  forms: CallForms | undefined;
  name: string;
  account: AnswerAccount;
  gone: AbortController;
};

/** Waits a limited time for the first text, so that an early failure can still become an HTTP status. */
async function stream(events: AsyncIterable<ModelEvent>, streaming: Streaming): Promise<Response> {
  const { wire, form, forms, name, account, gone, visit, trail, cut } = streaming;
  const encoded = wire.encodeEvents(withSigns(events, { type: "answer-start", model: name }), forms);
  const texts = form.rewrite(encoded)[Symbol.asyncIterator]();
  const first = await texts.next();
  visit.note({ firstMs: visit.since() });
  const bytes = streamOf(first, texts, {
    abandon: (reason) => gone.abort(reason),
    cut,
    ended(whole) {
      const repairs = repairsValue(account);
      if (whole && repairs !== undefined) trail?.(repairsHeader, repairs);
      endVisit(visit, account, whole);
    },
  });
  const trailing = { trailer: repairsHeader, "transfer-encoding": "chunked" };
  return new Response(bytes, {
    headers: {
      "content-type": form.type,
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      ...answeredBy(streaming.found),
      ...(trail ? trailing : {}),
    },
  });
}
