/** Records requests to a model server as spans: the request, and within it each request to a model. */

import type { Attributes, Context, Span } from "@opentelemetry/api";
import { otherProgramBounds } from "../../base/bounds.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import type { ModelEvent, Usage } from "../../protocol/model-events.ts";
import type {
  Arrival,
  AskFailure,
  AskHeard,
  HearsRequests,
  RequestEnd,
  RequestHeard,
} from "../../protocol/serving.ts";
import { answerContent, conversationContent } from "./content.ts";
import { modelAttributes, usageAttributes } from "./model-attributes.ts";
import { attributes, operations } from "./names.ts";
import type { TraceHeaders } from "./trace-parent.ts";
import type { Tracing } from "./tracing.ts";

export type ServingTracing = Tracing & {
  /** The parent context given by the headers of a client's request. */
  continued(headers: TraceHeaders): Context;
};

export const hearsRequests =
  (tracing: ServingTracing): HearsRequests =>
  (arrival) =>
    new RequestSpan(tracing, arrival);

class RequestSpan implements RequestHeard {
  readonly #tracing: ServingTracing;
  readonly #arrival: Arrival;
  readonly #at = Date.now();
  /** Metric attributes: nothing that a client can choose freely, which would make the set unbounded. */
  readonly #counted: Attributes;
  #open: { span: Span; within: Context } | undefined;
  #model: Attributes | undefined;
  #served = "";
  #isStreamed = false;
  #firstAt: number | undefined;
  #asked = 0;
  #usage: Usage | undefined;

  constructor(tracing: ServingTracing, arrival: Arrival) {
    this.#tracing = tracing;
    this.#arrival = arrival;
    this.#counted = { [attributes.httpMethod]: methodOf(arrival), [attributes.urlScheme]: "http" };
  }

  /** Only accepted requests get a span: a client without a valid token must neither fill a trace nor choose one. */
  accepted(route: string | undefined): void {
    const arrival = this.#arrival;
    if (route !== undefined) this.#counted[attributes.httpRoute] = route;
    const method = methodOf(arrival);
    const span = this.#tracing.start({
      name: `${method === otherMethod ? "HTTP" : method}${route === undefined ? "" : ` ${route}`}`,
      kind: this.#tracing.kinds.server,
      at: this.#at,
      parent: this.#tracing.continued({
        traceparent: arrival.header("traceparent"),
        tracestate: arrival.header("tracestate"),
      }),
      about: { ...this.#counted, [attributes.urlPath]: this.#tracing.redact(arrival.path) },
    });
    this.#open = { span, within: this.#tracing.within(span) };
  }

  found({ name, model, streamed }: { name: string; model: string; streamed: boolean }): void {
    this.#served = model;
    this.#isStreamed = streamed;
    this.#model = { [attributes.operation]: operations.chat, ...modelAttributes(model, this.#tracing) };
    this.#open?.span.setAttributes({
      [attributes.requestModel]: this.#tracing.redact(name),
      [attributes.requestStream]: streamed,
      [attributes.served]: model,
    });
  }

  asking(prompt: Parameters<RequestHeard["asking"]>[0]): AskHeard {
    const { capture } = this.#tracing;
    this.#asked += 1;
    const content = capture && {
      [attributes.inputMessages]: capture(conversationContent(prompt.messages)),
      ...(prompt.system === ""
        ? {}
        : { [attributes.systemInstructions]: capture([{ type: "text", content: prompt.system }]) }),
    };
    return new AskSpan(this.#tracing, {
      model: this.#served,
      isStreamed: this.#isStreamed,
      parent: this.#open?.within,
      content: content ?? {},
      first: (at) => (this.#firstAt ??= at),
      used: (usage) => (this.#usage = usage),
    });
  }

  over({ status, failure, calls, mended }: RequestEnd): void {
    const ms = Date.now() - this.#at;
    const failed = failure ?? (status >= 500 ? String(status) : undefined);
    const isOurs = status >= 500 || (status < 400 && failed !== undefined);
    const why = failed !== undefined && isOurs ? { [attributes.errorType]: failed } : {};
    this.#tracing.measures.requested(ms, { ...this.#counted, [attributes.httpStatus]: status, ...why });
    if (this.#model)
      this.#tracing.measures.served({
        ms,
        first: this.#firstAt === undefined ? undefined : this.#firstAt - this.#at,
        about: { ...this.#model, ...(failed === undefined ? {} : { [attributes.errorType]: failed }) },
        usage: this.#asked === 1 ? this.#usage : undefined,
      });
    const { span } = this.#open ?? {};
    if (!span) return;
    span.setAttributes({
      [attributes.httpStatus]: status,
      ...(calls === undefined ? {} : { [attributes.calls]: calls }),
      ...(mended === undefined ? {} : { [attributes.mended]: mended }),
    });
    if (failed !== undefined && isOurs) this.#tracing.fail(span, failed);
    span.end(this.#at + ms);
  }
}

type ServedExchange = {
  model: string;
  isStreamed: boolean;
  parent: Context | undefined;
  content: Attributes;
  first(at: number): void;
  used(usage: Usage): void;
};

class AskSpan implements AskHeard {
  readonly #tracing: ServingTracing;
  readonly #asked: ServedExchange;
  readonly #at = Date.now();
  readonly #span: Span;
  readonly #about: Attributes;
  #text = "";
  readonly #calls: ToolCall[] = [];
  #firstAt: number | undefined;
  #usage: Usage | undefined;

  constructor(tracing: ServingTracing, asked: ServedExchange) {
    this.#tracing = tracing;
    this.#asked = asked;
    const { model, isStreamed, parent = tracing.root, content } = asked;
    this.#about = { [attributes.operation]: operations.chat, ...modelAttributes(model, tracing) };
    this.#span = tracing.start({
      name: `${operations.chat} ${model.slice(model.indexOf("/") + 1)}`,
      kind: tracing.kinds.client,
      at: this.#at,
      parent,
      about: { ...this.#about, [attributes.requestStream]: isStreamed, ...content },
    });
  }

  told(event: ModelEvent): void {
    switch (event.type) {
      case "answer-start":
        this.#about[attributes.responseModel] = event.model;
        return;
      case "text-delta":
        if (this.#tracing.capture && this.#text.length < otherProgramBounds.text.most)
          this.#text += event.text;
        return this.#heard();
      case "reasoning-delta":
      case "call-delta":
      case "withheld":
        return this.#heard();
      case "call-end":
        if (this.#tracing.capture) this.#calls.push(event.call);
        return this.#heard();
      case "usage":
        this.#usage = event.usage;
        return this.#asked.used(event.usage);
      case "answer-end":
        this.#span.setAttribute(attributes.finishReasons, [event.reason]);
        return;
      case "retrying":
        this.#span.addEvent("retrying", { attempt: event.attempt });
        return;
      default:
    }
  }

  over(failure?: AskFailure): void {
    const at = Date.now();
    const first = this.#firstAt === undefined ? undefined : this.#firstAt - this.#at;
    this.#span.setAttributes({
      ...this.#about,
      ...usageAttributes(this.#usage),
      ...(first === undefined ? {} : { [attributes.firstChunk]: first / 1000 }),
    });
    const said = this.#tracing.capture?.(answerContent([this.#text], this.#calls));
    if (said !== undefined) this.#span.setAttribute(attributes.outputMessages, said);
    const { kind, message } = failure ?? {};
    const words = message === undefined ? undefined : this.#tracing.redact(message);
    if (kind !== undefined) this.#tracing.fail(this.#span, kind, words);
    this.#span.end(at);
    this.#tracing.measures.answered({
      ms: at - this.#at,
      first,
      about: { ...this.#about, ...(kind === undefined ? {} : { [attributes.errorType]: kind }) },
      usage: this.#usage,
    });
  }

  #heard(): void {
    this.#firstAt ??= Date.now();
    this.#asked.first(this.#firstAt);
  }
}

const otherMethod = "_OTHER";
const methods: ReadonlySet<string> = new Set(
  "CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE".split(" "),
);
const methodOf = ({ method }: Arrival): string => (methods.has(method) ? method : otherMethod);
