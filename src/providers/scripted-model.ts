/** A model that answers by script: tests and the offline demo use it instead of a provider. */

import { isObject, type JsonObject } from "../base/json.ts";
import type { Opaque } from "../protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent, type Usage } from "../protocol/model-events.ts";
import type { Model, Prompt } from "./provider.ts";

/** One action of the model, in the order written. `wait` is a gate: the answer continues when it opens. @public */
export type ScriptedStep =
  | { say: string }
  | { think: string; state?: Opaque }
  | { call: string; with: JsonObject; id?: string; state?: Opaque }
  | { wait: Promise<unknown> }
  | { fail: ModelError }
  | { usage: Usage }
  | { end: "length" | "refusal" }
  | { state: Opaque };

/** One answer of the model, step by step. @public */
export type ScriptedAnswer = readonly ScriptedStep[];

/** `round` counts the requests from 1. @public */
export type ModelScript = readonly ScriptedAnswer[] | ((prompt: Prompt, round: number) => ScriptedAnswer);

/** The name of a scripted model, and how it delivers its answers. @public */
export type ScriptedOptions = {
  /** "scripted/model" by default. */
  name?: string;
  contextTokens?: number;
  notice?: string;
  /** Splits texts, thoughts and arguments into pieces of this many characters; whole by default. */
  pieces?: number;
};

/** A model that answers by script, and records its prompts. @public */
export interface ScriptedModel extends Model {
  /** The prompts in order, each copied when it arrived. */
  readonly prompts: readonly Prompt[];
}

/** Creates a model that gives the scripted answers one by one; a further request fails and says so. @public */
export function scriptedModel(script: ModelScript, options: ScriptedOptions = {}): ScriptedModel {
  const name = options.name ?? "scripted/model";
  const prompts: Prompt[] = [];
  const copy = promptCopier();
  let calls = 0;
  const nextId = () => `call_${++calls}`;
  return {
    name,
    contextTokens: options.contextTokens,
    notice: options.notice,
    prompts,
    ask(prompt, signal) {
      prompts.push(copy(prompt));
      return play(answerFor(script, prompt, { name, round: prompts.length }), {
        name,
        nextId,
        pieces: options.pieces,
        signal,
      });
    },
  };
}

/** A conversation comes whole with every prompt: each of its messages and tools is copied once, and shared. */
function promptCopier(): (prompt: Prompt) => Prompt {
  const [message, tool] = [copier<Prompt["messages"][number]>(), copier<Prompt["tools"][number]>()];
  return ({ messages, tools, ...rest }) => ({
    ...structuredClone(rest),
    messages: messages.map(message),
    tools: tools.map(tool),
  });
}

function copier<Value extends object>(): (value: Value) => Value {
  const copies = new WeakMap<Value, Value>();
  return (value) => {
    const copy = copies.get(value) ?? structuredClone(value);
    copies.set(value, copy);
    return copy;
  };
}

/** What the script has for this round, or a failure that says what is wrong with it. */
function answerFor(
  script: ModelScript,
  prompt: Prompt,
  { name, round }: { name: string; round: number },
): ScriptedAnswer {
  const answer = typeof script === "function" ? script(prompt, round) : script[round - 1];
  const problem = answer
    ? unknownStep(answer, round)
    : `is over: it was asked ${round} times and has an answer for ${script.length}; write one more.`;
  if (answer && problem === undefined) return answer;
  return [{ fail: new ModelError("bad-request", `The script of ${name} ${problem}`) }];
}

const kinds = ["say", "think", "call", "wait", "fail", "usage", "end", "state"];

/** Scripts are also written in JavaScript, where no compiler has looked at them. */
function unknownStep(answer: unknown, round: number): string | undefined {
  const steps: unknown[] = Array.isArray(answer) ? answer : [answer];
  const at = steps.findIndex((step) => !isObject(step) || !kinds.some((kind) => kind in step));
  if (at === -1 && steps !== answer) return `has no list of steps as answer ${round}.`;
  if (at === -1) return undefined;
  const step = steps[at];
  const kind = isObject(step) ? Object.keys(step).join(", ") : typeof step;
  return `has an unknown kind of step: step ${at + 1} of answer ${round} is ${kind || "empty"}; the kinds are ${kinds.join(", ")}.`;
}

type ScriptStage = { name: string; nextId: () => string; pieces: number | undefined; signal: AbortSignal };

async function* play(answer: ScriptedAnswer, stage: ScriptStage): AsyncGenerator<ModelEvent> {
  const ending: ScriptEnding = { reason: undefined, usage: undefined, state: undefined };
  let started = false;
  for (const step of answer) {
    stage.signal.throwIfAborted();
    if ("wait" in step) await waitForGate(step.wait, stage.signal);
    else if ("fail" in step) throw step.fail;
    else {
      if (!started) yield { type: "answer-start", model: stage.name };
      started = true;
      yield* perform(step, stage, ending);
    }
  }
  stage.signal.throwIfAborted();
  if (!started) yield { type: "answer-start", model: stage.name };
  if (ending.usage) yield { type: "usage", usage: ending.usage };
  const end: ModelEvent = { type: "answer-end", reason: ending.reason ?? "stop" };
  yield ending.state ? { ...end, state: ending.state } : end;
}

type ScriptEnding = { reason: EndReason | undefined; usage: Usage | undefined; state: Opaque | undefined };
type SpokenStep = Exclude<ScriptedStep, { wait: unknown } | { fail: unknown }>;

function* perform(step: SpokenStep, stage: ScriptStage, ending: ScriptEnding): Generator<ModelEvent> {
  if ("say" in step) for (const text of cutText(step.say, stage.pieces)) yield { type: "text-delta", text };
  else if ("think" in step) yield* think(step, stage);
  else if ("call" in step) {
    yield* call(step, stage);
    ending.reason ??= "tool-calls";
  } else if ("usage" in step) ending.usage = step.usage;
  else if ("end" in step) ending.reason = step.end;
  else ending.state = step.state;
}

function* think(step: { think: string; state?: Opaque }, stage: ScriptStage): Generator<ModelEvent> {
  for (const text of cutText(step.think, stage.pieces)) yield { type: "reasoning-delta", text };
  yield step.state ? { type: "reasoning-end", state: step.state } : { type: "reasoning-end" };
}

function* call(step: Extract<SpokenStep, { call: string }>, stage: ScriptStage): Generator<ModelEvent> {
  const id = step.id ?? stage.nextId();
  yield { type: "call-start", id, name: step.call };
  for (const json of cutText(JSON.stringify(step.with), stage.pieces)) yield { type: "call-delta", id, json };
  const made = { id, name: step.call, input: step.with, source: "native" };
  yield { type: "call-end", call: step.state ? { ...made, state: step.state } : made };
}

/** Splits at code points, never inside a surrogate pair; an empty text has no pieces. */
function cutText(text: string, size: number | undefined): string[] {
  if (text === "" || size === undefined) return text === "" ? [] : [text];
  return text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
}

/** Waits for the gate, or rejects with the abort's reason. */
async function waitForGate(gate: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([gate, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
