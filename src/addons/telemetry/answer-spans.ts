/** Records the model's answers as spans, from the request to the last chunk. */

import type { Attributes } from "@opentelemetry/api";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import type { Usage } from "../../protocol/model-events.ts";
import { answerContent } from "./content.ts";
import { modelAttributes, usageAttributes } from "./model-attributes.ts";
import { attributes, operations } from "./names.ts";
import type { OpenTurn } from "./open-turn.ts";
import type { Tracing } from "./tracing.ts";

/** An answer that is being streamed. */
type OpenAnswer = { at: number; firstChunkAt?: number; texts: string[]; calls: ToolCall[] };

export class Answers {
  readonly #tracing: Tracing;
  readonly #session: string;
  /** When the last fact was recorded: the model request follows immediately. */
  #lastAt = 0;
  #open: OpenAnswer | undefined;

  constructor(tracing: Tracing, session: string) {
    this.#tracing = tracing;
    this.#session = session;
  }

  passed(at: number): void {
    this.#lastAt = at;
  }

  /** The first delta of an answer marks its first chunk. */
  signal({ type }: Signal): void {
    if (type !== "text-delta" && type !== "reasoning-delta" && type !== "call-delta") return;
    const open = this.#opened();
    open.firstChunkAt ??= Date.now();
  }

  fact(entry: Entry, turn: OpenTurn): void {
    switch (entry.type) {
      case "reasoning":
        this.#opened();
        return;
      case "text":
        if (entry.by === "model") this.#opened().texts.push(this.#tracing.capture ? entry.text : "");
        return;
      case "call":
        this.#opened().calls.push(entry.call);
        return;
      case "answer-end":
        return this.#end(entry, turn);
      case "compaction":
      case "goal-judged":
        return this.#beside(entry, turn);
      default:
    }
  }

  #opened(): OpenAnswer {
    return (this.#open ??= { at: this.#lastAt, texts: [], calls: [] });
  }

  #end(entry: Entry & { type: "answer-end" }, turn: OpenTurn): void {
    const { asked = turn.model, usage, cost = 0, failure, reason } = entry;
    const { at, firstChunkAt, texts, calls } = this.#opened();
    this.#open = undefined;
    const first = firstChunkAt === undefined ? undefined : Math.max(0, firstChunkAt - at);
    const about = {
      [attributes.operation]: operations.chat,
      ...modelAttributes(asked, this.#tracing),
      ...(entry.model === "" ? {} : { [attributes.responseModel]: entry.model }),
    };
    const told = {
      ...about,
      ...usageAttributes(usage),
      [attributes.conversation]: this.#session,
      [attributes.requestStream]: true,
      [attributes.finishReasons]: [reason],
      ...(first === undefined ? {} : { [attributes.firstChunk]: first / 1000 }),
      ...(cost > 0 ? { [attributes.cost]: cost } : {}),
    };
    const span = this.#start(asked, { at, told, turn });
    const said = this.#tracing.capture?.(answerContent(texts, calls));
    if (said !== undefined) span.setAttribute(attributes.outputMessages, said);
    if (failure) this.#tracing.fail(span, failure.kind, this.#tracing.redact(failure.message));
    span.end(entry.at);
    turn.answers += 1;
    turn.failure = failure?.kind;
    add(turn, usage, cost);
    const why = failure ? { [attributes.errorType]: failure.kind } : {};
    this.#tracing.measures.answered({ ms: entry.at - at, first, about: { ...about, ...why }, usage });
  }

  /** The summary made by a compaction and the verdict on a goal are model answers, too. */
  #beside(
    { type, at, model, usage, cost = 0 }: Entry & { type: "compaction" | "goal-judged" },
    turn: OpenTurn,
  ): void {
    if (!usage) return;
    const about = { [attributes.operation]: operations.chat, ...modelAttributes(model, this.#tracing) };
    const told = {
      ...about,
      ...usageAttributes(usage),
      [attributes.conversation]: this.#session,
      ...(type === "compaction" ? { [attributes.compaction]: true } : {}),
    };
    this.#start(model, { at: this.#lastAt, told, turn }).end(at);
    add(turn, usage, cost);
    this.#tracing.measures.answered({ ms: at - this.#lastAt, about, usage });
  }

  #start(model: string, { at, told, turn }: { at: number; told: Attributes; turn: OpenTurn }) {
    const name = `${operations.chat} ${model.slice(model.indexOf("/") + 1)}`;
    return this.#tracing.start({
      name,
      kind: this.#tracing.kinds.client,
      at,
      parent: turn.within,
      about: told,
    });
  }
}

function add(turn: OpenTurn, usage: Usage | undefined, cost: number): void {
  turn.inputTokens += usage?.inputTokens ?? 0;
  turn.outputTokens += usage?.outputTokens ?? 0;
  turn.cost += cost;
}
