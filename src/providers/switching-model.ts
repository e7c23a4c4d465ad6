/**
 * A model that can be asked in several ways. After two answers in a row with unreadable calls it switches to the next
 * way and says so; when no way is left it stops the turn. A server that refuses tools is asked again at once in another way.
 */

import type { CallCounts } from "../protocol/dialect-record.ts";
import type { ToolCall } from "../protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent } from "../protocol/model-events.ts";
import { countCalls } from "./answer-calls.ts";
import type { Model, Prompt } from "./provider.ts";
import { isRefusalOfTools, isUnreadByServer } from "./tool-failures.ts";
import { inWords, isNative, plainestOf, type ModelWay, type ModelWays } from "./ways.ts";
import { wrapModel } from "./wrapped-model.ts";

type SwitchingOptions = {
  /** Receives the counts of each answer that had calls. */
  counted?: ((dialect: string, counts: CallCounts) => void) | undefined;
};

/** Failed answers in a row before the next way is used, and before the last one is given up. */
const failuresUntilNext = 2;
const failuresUntilOver = 3;

type SwitchState = {
  /** Index of the way in use, and the number of failed answers in a row. */
  at: number;
  failures: number;
  /** Ask for the next answer only in the next way, because the server could not read this one. */
  borrows: boolean;
  /** The way that the server failed in: that counts once the same has come as text. */
  doubted?: string;
  /** Why the way in use is taught or was changed. */
  because: string | undefined;
};

/** `bare` is the model that all ways wrap. At least one way is required. */
export function switching(bare: Model, { ways, because }: ModelWays, options: SwitchingOptions = {}): Model {
  const state: SwitchState = { at: 0, failures: 0, borrows: false, because };
  const current = (): ModelWay => wayAt(ways, state);
  return wrapModel(bare, {
    get suits() {
      return current().model.suits;
    },
    get notice() {
      const told = [bare.notice, sentence(current(), state.because)];
      return told.filter((text) => text !== undefined).join(" ") || undefined;
    },
    ask(prompt, signal, sent) {
      const offersTools = prompt.tools.length > 0 && prompt.toolChoice !== "none";
      return offersTools
        ? askInWays(prompt, signal, { ways, state, counted: options.counted ?? (() => undefined), sent })
        : current().model.ask(prompt, signal, sent);
    },
  });
}

function wayAt(ways: readonly ModelWay[], { at }: SwitchState): ModelWay {
  const way = ways[at];
  if (!way) throw new Error("A model needs at least one way to be asked.");
  return way;
}

function sentence({ name }: ModelWay, because: string | undefined): string | undefined {
  if (because === undefined) return undefined;
  if (isNative({ name })) return `${because}: it uses its ${inWords(name)}.`;
  const helped = name.includes("+") ? ", and its server holds it to that form" : "";
  return `${because}: it is taught to write its calls as text (${name})${helped}.`;
}

type SwitchContext = {
  ways: readonly ModelWay[];
  state: SwitchState;
  counted: (dialect: string, counts: CallCounts) => void;
  sent: (() => void) | undefined;
};

async function* askInWays(
  prompt: Prompt,
  signal: AbortSignal,
  watching: SwitchContext,
): AsyncGenerator<ModelEvent> {
  const { ways, state } = watching;
  for (;;) {
    const way = (state.borrows ? plainestOf(ways) : undefined) ?? wayAt(ways, state);
    state.borrows = false;
    const heard: AnswerRecord = { calls: [], said: false };
    try {
      for await (const event of way.model.ask(prompt, signal, watching.sent)) {
        if (event.type === "answer-end") {
          if (state.doubted !== undefined) watching.counted(state.doubted, oneRefusal);
          delete state.doubted;
          yield* settle(event.reason, { way, heard, watching });
        }
        note(heard, event);
        yield event;
      }
      return;
    } catch (error) {
      const failure = yield* askElsewhere(error, way, watching);
      // Events already sent cannot be taken back: the error makes the listener retry.
      if (heard.said) throw brokenOff(failure);
    }
  }
}

type AnswerRecord = { calls: ToolCall[]; said: boolean };

function note(heard: AnswerRecord, event: ModelEvent): void {
  switch (event.type) {
    case "call-end":
      heard.calls.push(event.call);
      heard.said = true;
      return;
    case "text-delta":
    case "reasoning-delta":
    case "call-start":
      heard.said = true;
      return;
    default:
  }
}

type FinishedAnswer = { way: ModelWay; heard: AnswerRecord; watching: SwitchContext };

/** After an answer: counts its calls, and switches the way or gives up if too many were unreadable. */
function* settle(reason: EndReason, { way, heard, watching }: FinishedAnswer): Generator<ModelEvent> {
  const { ways, state } = watching;
  const counts = countCalls(heard.calls, reason);
  if (counts.calls + counts.refusals > 0) watching.counted(way.name, counts);
  if (counts.calls > 0) {
    // A borrowed way that works does not reset the failures of the other one.
    if (way === ways[state.at]) state.failures = 0;
  } else if (counts.refusals > 0) {
    state.failures += 1;
    if (state.at < ways.length - 1) yield* goOn(watching, state.at + 1);
    else if (state.failures >= failuresUntilOver) throw givenUp(watching);
  }
}

/** Switches to another way if this one has failed often enough. */
function* goOn(watching: SwitchContext, to: number): Generator<ModelEvent> {
  const { ways, state } = watching;
  if (state.failures < failuresUntilNext) return;
  const before = inWords(wayAt(ways, state).name);
  yield* change(
    watching,
    to,
    `The calls of two answers in a row could not be read (${before}), so from here on another way is used`,
  );
}

function* change({ ways, state }: SwitchContext, to: number, because: string): Generator<ModelEvent> {
  state.at = to;
  state.failures = 0;
  state.because = because;
  yield notice(sentence(wayAt(ways, state), because));
}

/** The server failed over tools: picks another way for an immediate retry. Throws if that cannot help. */
function* askElsewhere(
  error: unknown,
  way: ModelWay,
  watching: SwitchContext,
): Generator<ModelEvent, ModelError> {
  const { ways, state, counted } = watching;
  const isBorrowed = way !== wayAt(ways, state);
  // What fails as text as well was not a matter of calls.
  if (isBorrowed) {
    state.failures = Math.max(0, state.failures - 1);
    delete state.doubted;
  }
  const isRefused = isNative(way) && isRefusalOfTools(error);
  if (isBorrowed || (!isRefused && !isUnreadByServer(error))) throw error;
  if (ways.length === 1) throw error.with({ advice: `${leaveOut}.` });
  const to = isRefused ? ways.findIndex((one) => !isNative(one)) : ways.indexOf(plainestOf(ways) ?? way);
  const next = ways[to];
  if (!next || way === next) throw error;
  if (isRefused) {
    counted(way.name, oneRefusal);
    yield* change(watching, to, `The server takes no tools for this model (${reasonOf(error)})`);
    return error;
  }
  state.failures += 1;
  if (state.failures < failuresUntilNext) {
    state.borrows = true;
    state.doubted = way.name;
    const because = `The server could not read the model's own calls (${reasonOf(error)})`;
    yield notice(`${because}. It is asked again, to write them as text (${next.name}).`);
  } else {
    counted(way.name, oneRefusal);
    yield* goOn(watching, to);
  }
  return error;
}

const oneRefusal: CallCounts = { calls: 0, repairs: 0, refusals: 1 };

const reasonOf = ({ message }: ModelError): string => message.replace(/\.$/u, "");

const notice = (detail = ""): ModelEvent => ({ type: "notice", code: "dialect-changed", detail });

const leaveOut = "Let the dialect be `auto`, so that other ways are tried";

/** Makes the failure retryable: the retry uses the next way. */
const brokenOff = (failure: ModelError): ModelError => failure.with({ kind: "server", midStream: true });

function givenUp({ ways, state }: SwitchContext): ModelError {
  state.failures = 0;
  const tried = ways.map(({ name }) => inWords(name)).join(", ");
  const advice =
    ways.length === 1
      ? leaveOut
      : "Ask for less at a time, or see with `toolwright probe` which way suits it";
  return new ModelError(
    "malformed",
    `The model's calls could not be read ${failuresUntilOver} times in a row (${tried}).`,
    { advice: `${advice}, or choose another model.` },
  );
}
