/** Hears one answer of the model: its stream becomes signals and facts, and its calls start as they complete. */

import { errorMessage } from "../../base/expected.ts";
import { type DoneMark, listenForMark, restOf, withoutMark } from "../../protocol/done-mark.ts";
import type { Fact, FactOf } from "../../protocol/facts.ts";
import type { ToolCall, Opaque } from "../../protocol/messages.ts";
import { ModelError, type ModelEvent, type Usage } from "../../protocol/model-events.ts";
import { StaleEpoch, StoreError } from "../../session/store.ts";
import { performCall } from "../call/call.ts";
import { openStep, outcomeOf, type CallStep } from "../call/step.ts";
import { promptOf } from "../prompt.ts";
import type { AnswerProgress, TurnContext } from "../turn-context.ts";
import { paidFor } from "./paid.ts";

/** The block being received: its pieces are joined once, when it ends. */
type ReceivedBlock = {
  kind: "text" | "reasoning";
  block: number;
  pieces: string[];
  length: number;
  mark: DoneMark;
};

type Hearing = {
  context: TurnContext;
  step: CallStep;
  running: Promise<void>[];
  /** Calls that are being recorded: the ids that they were given, and when that is done. */
  recording: { ids: Set<string>; done: Promise<unknown> } | undefined;
  open: ReceivedBlock | undefined;
  model: string;
  usage: Usage | undefined;
  /** Names and argument lengths of calls in progress, for display only. */
  writing: Map<string, { name: string; characters: number }>;
  end: Extract<ModelEvent, { type: "answer-end" }> | undefined;
  heard: boolean;
  /** The model declared the task complete. */
  complete: boolean;
  /** Notices the answer itself emitted. */
  told: string[];
};

/** Asks the model once. "wait" if a call needs a person and nothing else can be done. */
export async function hearAnswer(turn: TurnContext): Promise<"continue" | "wait"> {
  const { step, end, finish } = openStep(turn, false);
  const { context } = step;
  const hearing: Hearing = {
    context,
    step,
    running: [],
    recording: undefined,
    open: undefined,
    model: context.model.name,
    usage: undefined,
    writing: new Map(),
    end: undefined,
    heard: false,
    complete: false,
    told: [],
  };
  const noticed = context.model.notice;
  try {
    const failure = await hearAll(hearing);
    const last = closeBlock(hearing);
    const ending = answerEnd(hearing, failure);
    await context.log.append(...last, ending, ...newNotice(hearing, noticed));
    end(outcomeOf(ending.reason));
  } catch (error) {
    step.stop(error); // the log itself failed
    end("broken");
    throw error;
  } finally {
    await finish(hearing.running);
  }
  context.signal.throwIfAborted();
  return step.turnstile.isClosed ? "wait" : "continue";
}

/** Notices the provider raised while the model answered, for example that the server truncated the prompt. */
function newNotice({ context, told }: Hearing, before: string | undefined): Fact[] {
  const { notice } = context.model;
  if (notice === undefined || notice === before || told.some((words) => notice.includes(words))) return [];
  return [{ type: "warning", code: "model-notice", text: notice }];
}

/** Reads the stream to its end; returns the failure, if any, as a value. */
async function hearAll(hearing: Hearing): Promise<ModelError | undefined> {
  const { model, signal } = hearing.context;
  const progress: AnswerProgress = { heard: 0, isOver: false };
  const ready = readyOnce(hearing.context, progress);
  try {
    for await (const event of model.ask(promptOf(hearing.context), signal, ready)) {
      ready(); // of a model without a server
      progress.heard += 1;
      if (event.type === "call-end") progress.isOver = true;
      if (hearing.recording && !joinsCalls.has(event.type)) await recordingEnd(hearing);
      const heard = hear(hearing, event);
      if (heard) await heard;
    }
    if (hearing.end) return undefined;
    return new ModelError("network", "The answer ended before it was complete.", {
      midStream: hearing.heard,
    });
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof ModelError) return error;
    if (error instanceof StoreError || error instanceof StaleEpoch) throw error;
    const words = errorMessage(error);
    return new ModelError("malformed", `The answer could not be read: ${words}`, {
      midStream: hearing.heard,
      cause: error,
    });
  } finally {
    progress.isOver = true;
  }
}

/** What may come while calls are being recorded: what is appended then, is stored together with them. */
const joinsCalls: ReadonlySet<ModelEvent["type"]> = new Set([
  "call-start",
  "call-delta",
  "call-end",
  "usage",
  "answer-end",
]);

async function recordingEnd(hearing: Hearing): Promise<void> {
  await hearing.recording?.done;
  hearing.recording = undefined;
}

/** The model can call a command before its answer is over. */
function readyOnce({ tools, readyCommands, log }: TurnContext, progress: AnswerProgress): () => void {
  let ready = tools.some(({ does }) => does === "execute") ? readyCommands : undefined;
  return () => {
    ready?.(log.state.mode, progress);
    ready = undefined;
  };
}

/** None of them is a part of the answer. */
const beforeAnswer: ReadonlySet<ModelEvent["type"]> = new Set(["retrying", "answer-start", "notice"]);

/** Deltas are handled without awaiting anything: this is the stream's hot path. */
function hear(hearing: Hearing, event: ModelEvent): Promise<void> | undefined {
  if (!beforeAnswer.has(event.type)) hearing.heard = true;
  switch (event.type) {
    case "text-delta":
      return delta(hearing, "text", event.text);
    case "reasoning-delta":
      return delta(hearing, "reasoning", event.text);
    case "reasoning-end":
      return reasoningEnd(hearing, event.state);
    case "call-start":
      hearing.writing.set(event.id, { name: event.name, characters: 0 });
      return callProgress(hearing, event.id, 0);
    case "call-delta":
      return callProgress(hearing, event.id, event.json.length);
    case "withheld":
      return withheld(hearing, event);
    case "call-end":
      return complete(hearing, event.call);
    case "usage":
      hearing.usage = event.usage;
      return undefined;
    case "answer-start":
      hearing.model = event.model === "" ? hearing.model : event.model;
      return undefined;
    case "answer-end":
      hearing.end = event;
      return undefined;
    case "text-was-reasoning":
      if (hearing.open?.kind === "text") hearing.open.kind = "reasoning";
      return hearing.open
        ? hearing.context.log.append(...closeBlock(hearing)).then(() => undefined)
        : undefined;
    case "notice":
      return noteWarning(hearing, event);
    case "retrying":
      hearing.context.log.signal(event);
      return undefined;
    default:
      return event satisfies never;
  }
}

function delta(hearing: Hearing, kind: "text" | "reasoning", text: string): Promise<void> | undefined {
  if (text === "") return undefined;
  const { log } = hearing.context;
  const closed = hearing.open && hearing.open.kind !== kind ? closeBlock(hearing) : [];
  const closing = closed.length > 0 ? log.append(...closed) : undefined;
  hearing.open ??= openBlock(kind, log.state.blocks + (closing ? 2 : 1));
  const { open } = hearing;
  const shown = withoutMark(open.mark, text);
  if (closing) return closing.then(() => show(open, shown, hearing));
  show(open, shown, hearing);
  return undefined;
}

const openBlock = (kind: ReceivedBlock["kind"], block: number): ReceivedBlock => ({
  kind,
  block,
  pieces: [],
  length: 0,
  mark: listenForMark(),
});

function show(open: ReceivedBlock, text: string, { context }: Hearing): void {
  if (text === "") return;
  const type = open.kind === "text" ? ("text-delta" as const) : ("reasoning-delta" as const);
  const offset = open.length;
  open.pieces.push(text);
  open.length += text.length;
  context.log.signal({ type, block: open.block, offset, text });
}

async function reasoningEnd(hearing: Hearing, state: Opaque | undefined): Promise<void> {
  const { log } = hearing.context;
  if (hearing.open?.kind === "text") await log.append(...closeBlock(hearing));
  if (!hearing.open && state === undefined) return;
  hearing.open ??= openBlock("reasoning", log.state.blocks + 1);
  await log.append(...closeBlock(hearing, state));
}

/** The open block as a fact: none if nothing is open, or if it held nothing but the completion mark. */
function closeBlock(hearing: Hearing, state?: Opaque): Fact[] {
  const { open } = hearing;
  hearing.open = undefined;
  if (!open) return [];
  show(open, restOf(open.mark), hearing);
  if (open.mark.isSaid && open.kind === "text") hearing.complete = true;
  const text = open.pieces.join("");
  if (text === "" && state === undefined) return [];
  if (open.kind === "text") return [{ type: "text", block: open.block, text, by: "model" }];
  return [{ type: "reasoning", block: open.block, text, ...(state === undefined ? {} : { state }) }];
}

function callProgress(hearing: Hearing, callId: string, more: number): undefined {
  const writing = hearing.writing.get(callId);
  if (!writing) return;
  writing.characters += more;
  hearing.context.log.signal({ type: "call-delta", callId, ...writing });
}

async function noteWarning(
  hearing: Hearing,
  { code, detail }: ModelEvent & { type: "notice" },
): Promise<void> {
  hearing.told.push(detail);
  await hearing.context.log.append(...closeBlock(hearing), { type: "warning", code, text: detail });
}

/** Displays text that may become a call: under the call already on display, or one without an id. */
function withheld(
  { context, writing }: Hearing,
  { name, characters }: ModelEvent & { type: "withheld" },
): undefined {
  const [callId, known] = [...writing].at(-1) ?? ["", { name, characters: 0 }];
  known.characters = Math.max(known.characters, characters);
  context.log.signal({ type: "call-delta", callId, ...known });
}

/** Records a complete call, then queues it. */
function complete(hearing: Hearing, said: ToolCall): undefined {
  const { context, step } = hearing;
  hearing.writing.delete(said.id);
  const ids = hearing.recording?.ids ?? new Set();
  const call = { ...said, id: freshId(said.id, ids, context) };
  ids.add(call.id);
  const done = context.log.append(...closeBlock(hearing), { type: "call", call });
  hearing.recording = { ids, done };
  const running = done.then(() => performCall(call, step));
  running.catch(step.stop); // `finish` reports it when the answer has ended
  hearing.running.push(running);
}

/** Providers reuse ids across answers; in a session each must be unique (D10). `recording`: ids not yet in the log. */
function freshId(id: string, recording: ReadonlySet<string>, { log }: TurnContext): string {
  const { calls } = log.state;
  const isFresh = (one: string): boolean => one !== "" && !calls.has(one) && !recording.has(one);
  if (isFresh(id)) return id;
  let suffix = calls.size + recording.size + 1;
  const named = (): string => (id === "" ? `call_${suffix}` : `${id}_${suffix}`);
  while (!isFresh(named())) suffix += 1;
  return named();
}

/** A turn may continue with another model than it began with. */
const askedOf = ({ context: { model, log } }: Hearing): { asked?: string } =>
  model.name === log.state.model ? {} : { asked: model.name };

function answerEnd(hearing: Hearing, failure: ModelError | undefined): FactOf<"answer-end"> {
  const { end, usage, model, context } = hearing;
  const base = {
    type: "answer-end" as const,
    model,
    ...askedOf(hearing),
    ...paidFor(model, usage, context),
  };
  if (failure) {
    return { ...base, reason: "failed", failure: factOf(failure, hearing) };
  }
  if (!end) return { ...base, reason: "interrupted" };
  const complete = hearing.complete || end.complete === true ? { complete: true } : {};
  return {
    ...base,
    reason: end.reason,
    ...complete,
    ...(end.state === undefined ? {} : { state: end.state }),
  };
}

function factOf(failure: ModelError, { heard }: Hearing): FactOf<"answer-end">["failure"] {
  const { kind, message, advice, said, retryAfter, midStream } = failure;
  return {
    kind,
    message,
    ...(advice === undefined ? {} : { advice }),
    ...(said === undefined ? {} : { said }),
    midStream: midStream || heard,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
