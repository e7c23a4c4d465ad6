/** Records a session as spans, with the times of its facts: turns, and within them answers and calls. */

import type { Attributes, Context } from "@opentelemetry/api";
import type { Entry, FactOf, Signal } from "../../protocol/facts.ts";
import type { EventReceiver, ObservedSession } from "../observer.ts";
import { Answers } from "./answer-spans.ts";
import { CallSpans } from "./call-spans.ts";
import { userMessage } from "./content.ts";
import { modelAttributes } from "./model-attributes.ts";
import { attributes, operations } from "./names.ts";
import type { OpenTurn } from "./open-turn.ts";
import type { Tracing } from "./tracing.ts";

/** A turn left open by an earlier process, until its first event in this one. */
type LeftOpen = { turn: number; start: FactOf<"turn-start"> };

export class SessionSpans implements EventReceiver {
  readonly #tracing: Tracing;
  readonly #session: string;
  #parent: Context;
  readonly #calls: CallSpans;
  readonly #answers: Answers;
  #turn: OpenTurn | undefined;
  #leftOpen: LeftOpen | undefined;
  /** The message that opens the turn, if contents are recorded. */
  #request: string | undefined;

  constructor(tracing: Tracing, { id, parent, earlier }: ObservedSession) {
    this.#tracing = tracing;
    this.#session = id;
    this.#parent = tracing.delegating.of(parent) ?? tracing.root;
    this.#calls = new CallSpans(tracing, id);
    this.#answers = new Answers(tracing, id);
    for (const entry of earlier) {
      if (entry.type === "turn-start") this.#leftOpen = { turn: entry.turn, start: entry };
      if (entry.type === "call") this.#calls.heard(entry.call, entry.at);
    }
  }

  receive(event: Entry | Signal): void {
    if (!("seq" in event)) {
      this.#answers.signal(event);
      if (event.type === "retrying") this.#turn?.span.addEvent("retrying", { attempt: event.attempt });
      return;
    }
    if (this.#leftOpen && event.type !== "session-start") this.#resume(this.#leftOpen, event.at);
    this.#fact(event);
    this.#answers.passed(event.at);
  }

  /** A turn that waits for a person, or is interrupted by the end of the process, is recorded up to that point. */
  closed(): void {
    if (!this.#turn) return;
    this.#turn.span.setAttribute(attributes.leftOpen, true);
    this.#end(this.#turn, Date.now());
  }

  #fact(entry: Entry): void {
    switch (entry.type) {
      case "session-start":
        this.#parent = this.#tracing.delegating.of(entry.parent) ?? this.#parent;
        return;
      case "user-message":
        this.#request = this.#tracing.capture?.(userMessage(entry.content));
        return;
      case "turn-start":
        if (this.#turn) this.#end(this.#turn, entry.at);
        this.#turn = this.#begin(entry, entry);
        return;
      case "hook-ran":
        return this.#hook(entry);
      case "turn-end":
        return this.#turnEnd(entry);
      default:
        if (!this.#turn) return;
        this.#answers.fact(entry, this.#turn);
        this.#calls.fact(entry, this.#turn);
    }
  }

  #begin(start: FactOf<"turn-start">, { at, turn }: { at: number; turn: number }): OpenTurn {
    const { model, mode } = start;
    const about: Attributes = {
      [attributes.operation]: operations.agent,
      [attributes.agentName]: "toolwright",
      ...modelAttributes(model, this.#tracing),
    };
    const told = {
      ...about,
      [attributes.conversation]: this.#session,
      [attributes.turn]: turn,
      [attributes.mode]: mode,
      ...(this.#request === undefined ? {} : { [attributes.inputMessages]: this.#request }),
    };
    this.#request = undefined;
    const name = `${operations.agent} toolwright`;
    const span = this.#tracing.start({ name, at, parent: this.#parent, about: told });
    const sums = { answers: 0, calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
    return { span, within: this.#tracing.within(span), at, about, model, ...sums };
  }

  /** The earlier process recorded its own part of the turn; a new span covers the rest. */
  #resume({ turn, start }: LeftOpen, at: number): void {
    this.#leftOpen = undefined;
    this.#turn = this.#begin(start, { at, turn });
    this.#turn.span.setAttribute(attributes.resumed, true);
  }

  #hook({ event, hook, outcome, ms, at, callId }: Entry & { type: "hook-ran" }): void {
    const parent = this.#calls.within(callId) ?? this.#turn?.within ?? this.#parent;
    const about = {
      [attributes.hookEvent]: event,
      [attributes.hook]: this.#tracing.redact(hook),
      [attributes.outcome]: outcome,
      [attributes.conversation]: this.#session,
    };
    const span = this.#tracing.start({ name: `hook ${event}`, at: at - ms, parent, about });
    if (outcome === "failed" || outcome === "timeout" || outcome === "blocked")
      this.#tracing.fail(span, outcome);
    span.end(at);
  }

  #turnEnd(entry: Entry & { type: "turn-end" }): void {
    const turn = this.#turn;
    if (!turn) return;
    turn.span.setAttribute(attributes.stopped, entry.stopped);
    turn.span.setAttribute(attributes.changedFiles, entry.changed.length);
    if (entry.stopped === "failed") {
      const because = entry.because === undefined ? undefined : this.#tracing.redact(entry.because);
      const errorType = turn.failure ?? "failed";
      this.#tracing.fail(turn.span, errorType, because);
      turn.about[attributes.errorType] = errorType;
    }
    this.#end(turn, entry.at);
  }

  #end(turn: OpenTurn, at: number): void {
    this.#calls.endAll(at, turn);
    turn.span.setAttributes({
      [attributes.answers]: turn.answers,
      [attributes.calls]: turn.calls,
      [attributes.inputTokens]: turn.inputTokens,
      [attributes.outputTokens]: turn.outputTokens,
      ...(turn.cost > 0 ? { [attributes.cost]: turn.cost } : {}),
    });
    turn.span.end(Math.max(at, turn.at));
    this.#tracing.measures.turned(Math.max(0, at - turn.at), turn.about);
    this.#turn = undefined;
  }
}
