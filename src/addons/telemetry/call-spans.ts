/**
 * Records tool calls as spans, from their start to their result; a call that never ran begins when the model made it.
 */

import type { Attributes, Context, Span } from "@opentelemetry/api";
import type { Entry } from "../../protocol/facts.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { resultContent } from "./content.ts";
import { attributes, operations } from "./names.ts";
import type { OpenTurn } from "./open-turn.ts";
import type { Tracing } from "./tracing.ts";

type OpenCall = {
  call: Pick<ToolCall, "id" | "name" | "input">;
  /** When the model made the call. */
  at: number;
  about: Attributes;
  askedAt?: number;
  running?: { span: Span; within: Context; at: number };
};

export class CallSpans {
  readonly #tracing: Tracing;
  readonly #session: string;
  readonly #open = new Map<string, OpenCall>();

  constructor(tracing: Tracing, session: string) {
    this.#tracing = tracing;
    this.#session = session;
  }

  heard(call: ToolCall, at: number): void {
    this.#open.set(call.id, { call, at, about: {} });
  }

  /** The parent context for what happens within a running call. */
  within(callId: string | undefined): Context | undefined {
    return callId === undefined ? undefined : this.#open.get(callId)?.running?.within;
  }

  fact(entry: Entry, turn: OpenTurn): void {
    if (entry.type === "call") {
      turn.calls += 1;
      return this.heard(entry.call, entry.at);
    }
    const open = "callId" in entry && entry.callId !== undefined ? this.#open.get(entry.callId) : undefined;
    if (!open) return;
    switch (entry.type) {
      case "decision":
        open.about[attributes.verdict] = entry.verdict;
        open.about[attributes.risk] = entry.risk;
        return;
      case "approval-asked":
      case "question-asked":
        open.askedAt = entry.at;
        return;
      case "approval-answered":
      case "question-answered":
        if (open.askedAt !== undefined) open.about[attributes.waited] = (entry.at - open.askedAt) / 1000;
        return;
      case "call-start":
        open.about[attributes.does] = entry.does;
        open.running ??= this.#start(open, Math.max(entry.at, turn.at), turn);
        // Noted early, because a subagent's session can start before the fact of its delegation is recorded.
        this.#tracing.delegating.note(this.#session, entry.callId, open.running.within);
        return;
      case "result":
        return this.#result(open, entry, turn);
      default:
    }
  }

  /** Ends the spans of calls that will get no result. */
  endAll(at: number, turn: OpenTurn): void {
    for (const open of this.#open.values()) this.#end(open, { at, outcome: undefined, turn });
    this.#open.clear();
  }

  #result(open: OpenCall, entry: Entry & { type: "result" }, turn: OpenTurn): void {
    const result = this.#tracing.capture?.(resultContent(entry.content));
    if (result !== undefined) open.about[attributes.toolResult] = result;
    this.#open.delete(entry.callId);
    this.#end(open, { at: entry.at, outcome: entry.outcome, turn });
  }

  #start(open: OpenCall, at: number, turn: OpenTurn): { span: Span; within: Context; at: number } {
    const { call } = open;
    const tool = this.#tracing.redact(call.name);
    const given = this.#tracing.capture?.(call.input);
    const about = {
      [attributes.operation]: operations.tool,
      [attributes.toolName]: tool,
      [attributes.toolCall]: call.id,
      [attributes.toolType]: "function",
      [attributes.conversation]: this.#session,
      ...(given === undefined ? {} : { [attributes.toolArguments]: given }),
    };
    const span = this.#tracing.start({ name: `${operations.tool} ${tool}`, at, parent: turn.within, about });
    return { span, within: this.#tracing.within(span), at };
  }

  #end(
    open: OpenCall,
    { at, outcome, turn }: { at: number; outcome: string | undefined; turn: OpenTurn },
  ): void {
    const running = open.running ?? this.#start(open, Math.max(open.at, turn.at), turn);
    running.span.setAttributes(open.about);
    if (outcome !== undefined) running.span.setAttribute(attributes.outcome, outcome);
    const failed = outcome !== undefined && outcome !== "ok";
    if (failed) this.#tracing.fail(running.span, outcome);
    const ended = Math.max(at, running.at);
    running.span.end(ended);
    this.#tracing.delegating.forget(this.#session, open.call.id);
    this.#tracing.measures.called(ended - running.at, {
      [attributes.operation]: operations.tool,
      [attributes.toolName]: this.#tracing.redact(open.call.name),
      ...(failed ? { [attributes.errorType]: outcome } : {}),
    });
  }
}
