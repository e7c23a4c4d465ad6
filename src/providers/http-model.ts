/** A model behind HTTP: sends requests over one wire, retries while nothing was received, and explains failures. */

import { durationInWords } from "../base/amounts.ts";
import { waitBefore } from "../base/backoff.ts";
import { kib, mib } from "../base/bound.ts";
import { readAll, type HttpReply } from "../base/http.ts";
import { parseJson } from "../base/json.ts";
import { jsonBytes } from "../base/kept-json.ts";
import type { Ask, ReasoningEffort } from "../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import { loadWire } from "../wires/load.ts";
import type { Wire } from "../wires/wire.ts";
import { joinDeltas } from "./join-deltas.ts";
import type { Model, Prompt } from "./provider.ts";
import { readsAtPace } from "./reading-pace.ts";
import { callServer, explainFailure, hasError, timeoutsFor, type Server, type Timeouts } from "./server.ts";
import { blameTools } from "./tool-failures.ts";
import {
  isWorthRetrying,
  sleep as realSleep,
  usualRetryMs,
  type RetryOptions,
  type ServerStanding,
} from "./worth-retrying.ts";

/** A web page received instead of an answer, in bytes. */
const mostPageBytes = 64 * kib;

export type HttpModelOptions = {
  server: Server;
  /** The name on the server. */
  model: string;
  contextTokens?: number | undefined;
  notice?: string | undefined;
  /** Used if the prompt does not set it. */
  reasoning?: ReasoningEffort | undefined;
  maxTokens?: number | undefined;
  timeouts?: Partial<Timeouts> | undefined;
  retry?: RetryOptions | undefined;
};

export function httpModel(options: HttpModelOptions): Model {
  const reach: ServerStanding = { wasReached: false, local: options.server.local };
  return {
    name: `${options.server.provider}/${options.model}`,
    contextTokens: options.contextTokens,
    notice: options.notice,
    ask: (prompt, signal, sent) => ask({ ...options, reach, sent }, prompt, signal),
  };
}
type HttpAskOptions = HttpModelOptions & { reach: ServerStanding; sent: (() => void) | undefined };

async function* ask(
  options: HttpAskOptions,
  prompt: Prompt,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { forMs = usualRetryMs, sleep = realSleep, random = Math.random } = options.retry ?? {};
  const wire = await loadWire(options.server.wire);
  const body = encode(options, prompt, wire);
  let spentMs = 0;
  for (let attempt = 1; ; attempt += 1) {
    const startedAt = performance.now();
    const progress = { heard: false };
    try {
      for await (const events of once(options, { wire, body, signal, progress }))
        for (const event of events) yield event; // yield* would cost three more async turns per event
      return;
    } catch (error) {
      signal.throwIfAborted();
      const thrown = explainFailure(error, options.server, progress.heard);
      if (!(thrown instanceof ModelError)) throw thrown;
      const told = blameEffort(thrown, prompt.reasoning ?? options.reasoning);
      const blamed = prompt.constraint ? blameForm(told) : told;
      const failure = prompt.tools.length > 0 ? blameTools(blamed) : blamed;
      const waitMs = waitBefore(attempt, failure.retryAfter, random);
      if (attempt > 1) spentMs += performance.now() - startedAt;
      const isOwnDoing = failure.fault === "empty_tool_use" && attempt > mostEmptyAnswers;
      if (progress.heard || isOwnDoing || !isWorthRetrying(failure, options.reach)) throw failure;
      if (spentMs + waitMs > forMs) throw givenUp(failure, { attempt, spentMs, forMs });
      spentMs += waitMs;
      yield { type: "retrying", because: failure.message, waitMs, attempt };
      await sleep(waitMs, signal);
      signal.throwIfAborted();
    }
  }
}

function encode(options: HttpModelOptions, prompt: Prompt, wire: Wire): Uint8Array {
  const { server, model } = options;
  const whole: Ask = { ...prompt, model };
  whole.contextTokens ??= options.contextTokens;
  whole.reasoning ??= options.reasoning;
  whole.maxTokens ??= options.maxTokens;
  const body = wire.encodeAsk(whole, { streamed: true });
  return jsonBytes(server.adjust ? server.adjust(body, whole) : body);
}

type RequestAttempt = { wire: Wire; body: Uint8Array; signal: AbortSignal; progress: { heard: boolean } };

/** Sends one request. Holds answer-start back until something follows, so that an empty failure can be retried. */
async function* once(options: HttpAskOptions, attempt: RequestAttempt): AsyncGenerator<ModelEvent[]> {
  const { server } = options;
  const { wire, progress, signal, body } = attempt;
  const { connectMs, firstTokenMs, idleMs } = { ...timeoutsFor(server), ...options.timeouts };
  const reply = await callServer(server, wire.path(options.model, { streamed: true }), {
    body,
    headers: wire.askHeaders?.(options.model) ?? {},
    signal,
    sent: options.sent,
    connectMs,
    firstByteMs: firstTokenMs,
    // Some servers send a first chunk at once and then think: until the first content, the longer limit applies.
    idleMs: () => (progress.heard ? idleMs : firstTokenMs),
  });
  options.reach.wasReached = true;
  let held: ModelEvent[] = [];
  for await (const batch of readsAtPace(batches({ server, wire }, reply))) {
    const events = held.length === 0 ? joinDeltas(batch) : [...held, ...joinDeltas(batch)];
    progress.heard ||= events.some(({ type }) => type !== "answer-start");
    held = progress.heard ? [] : events;
    if (progress.heard) yield events;
  }
  if (!progress.heard)
    throw new ModelError("network", `${server.provider} closed the stream without an answer.`, {
      fault: "incomplete_stream",
    });
}

type ReplySource = { server: Server; wire: Wire };

async function* batches({ server, wire }: ReplySource, reply: HttpReply): AsyncGenerator<ModelEvent[]> {
  const type = reply.headers["content-type"] ?? "";
  if (/\bhtml\b/i.test(type)) throw await webPage(server, reply);
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) yield* wholeEvents(wire, reply);
  else yield* wire.decodeBatches(reply.body);
}

/** For servers that do not stream, or that stream under another content type. */
async function* wholeEvents(wire: Wire, reply: HttpReply): AsyncGenerator<ModelEvent[]> {
  const text = await readAll(reply.body, maxWholeBytes);
  const parsed = parseJson(text);
  if (!parsed.ok) yield* wire.decodeBatches(oneChunk(text));
  else if (hasError(parsed.value)) throw wire.decodeError(reply.status, reply.headers, text);
  else yield wire.decodeWhole(parsed.value);
}

/** One answer that is not streamed, in bytes. */
const maxWholeBytes = 64 * mib;

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function webPage(server: Server, reply: HttpReply): Promise<ModelError> {
  const page = await readAll(reply.body, mostPageBytes);
  const title = /<title[^>]*>([^<]{1,200})/i.exec(page)?.[1]?.replaceAll(/\s+/g, " ").trim();
  const shown = title ? ` (“${title}”)` : "";
  const message = `${new URL(server.baseUrl).origin} answered with a web page${shown}, not as a model.`;
  const advice = `Check the base URL of ${server.provider}.`;
  return new ModelError("malformed", message, { advice, status: reply.status });
}

/** An answer that promises calls and has none is the model's doing: time does not help. */
const mostEmptyAnswers = 3;

type RetryRecord = { attempt: number; spentMs: number; forMs: number };

/** The time for retries is over, or the provider demands a wait beyond it: the user decides. */
function givenUp(failure: ModelError, { attempt, spentMs, forMs }: RetryRecord): ModelError {
  const { retryAfter = 0 } = failure;
  const another = "choose another model";
  if (retryAfter > Math.max(forMs, longWait))
    return failure.with({
      advice: `It asks to wait ${Math.ceil(retryAfter / 1000)} s; try again then, or ${another}.`,
    });
  if (attempt === 1) return failure;
  const asked = `It was asked ${attempt} times in ${durationInWords(spentMs)}`;
  return failure.with({
    advice: `${asked}: go on later, allow retries more time (--retry-for), or ${another}.`,
  });
}

/** A shorter wait needs no words of its own. */
const longWait = 60_000;

/** The failure of a request with a form: a refusal of the request, if the server complains about that form. */
const blameForm = (error: ModelError): ModelError =>
  error.kind === "server" && !error.midStream && aboutForm.test(error.said ?? "")
    ? error.with({ kind: "bad-request" })
    : error;

/** "failed to parse grammar", "Unsupported JSON schema", "guided decoding is not available" and the like. */
const aboutForm = /grammar|schema|structur(?:ed|al)|response_?format|guided|\bstrict\b|\bformat\b/i;

/** The failure of a request with this effort, with advice if that is what the server complains about. */
const blameEffort = (error: ModelError, effort: ReasoningEffort | undefined): ModelError =>
  effort !== undefined && error.kind === "bad-request" && aboutThinking.test(error.said ?? error.message)
    ? error.with({ advice: `It was asked for reasoning ${effort}: choose another, or default for its own.` })
    : error;

/** "Unsupported parameter: 'reasoning.effort'", "adaptive thinking is not supported on this model" and the like. */
const aboutThinking = /reasoning|thinking|effort/i;
