/** Bodies of requests and replies on their way through a relay: the reader pulls, so that nothing piles up. */

import { errorMessage } from "../../../../../src/base/expected.ts";
import type { BodyMessage } from "./messages.ts";

export class Bodies {
  readonly #send: (message: BodyMessage) => void;
  readonly #outgoing = new Map<string, ReadableStreamDefaultReader<Uint8Array>>();
  readonly #incoming = new Map<string, IncomingBody>();

  constructor(send: (message: BodyMessage) => void) {
    this.#send = send;
  }

  /** Offers a body under this name. */
  offer(body: string, stream: ReadableStream<Uint8Array>): void {
    this.#outgoing.set(body, stream.getReader());
  }

  /** The body that the other side offers under this name. */
  receive(body: string): ReadableStream<Uint8Array<ArrayBuffer>> {
    const incoming: IncomingBody = { controller: undefined, pulled: undefined };
    this.#incoming.set(body, incoming);
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: (controller) => {
          incoming.controller = controller;
        },
        pull: () => {
          incoming.pulled = Promise.withResolvers<void>();
          this.#send({ type: "body-pull", body });
          return incoming.pulled.promise;
        },
        cancel: () => {
          this.#incoming.delete(body);
          this.#send({ type: "body-cancel", body });
        },
      },
      { highWaterMark: 1 },
    );
  }

  hear(message: BodyMessage): void {
    switch (message.type) {
      case "body-pull":
        return void this.#sendPiece(message.body);
      case "body-cancel":
        return this.withdraw(message.body);
      case "body-piece":
        return this.#piece(message.body, message.bytes);
      case "body-end":
        return this.#finish(message.body, (controller) => controller.close());
      case "body-broken":
        return this.breakOff(message.body, message.problem);
      default:
        return message satisfies never;
    }
  }

  /** Ends an incoming body with an error. */
  breakOff(body: string, problem: string): void {
    this.#finish(body, (controller) => controller.error(new Error(problem)));
  }

  /** Ends an outgoing body. */
  withdraw(body: string): void {
    const reader = this.#outgoing.get(body);
    this.#outgoing.delete(body);
    reader?.cancel().catch(() => undefined); // it is broken already
  }

  /** Ends everything in both directions. */
  close(problem: string): void {
    for (const body of this.#outgoing.keys()) this.withdraw(body);
    for (const body of this.#incoming.keys()) this.breakOff(body, problem);
  }

  async #sendPiece(body: string): Promise<void> {
    const reader = this.#outgoing.get(body);
    if (!reader) return;
    try {
      const { done, value } = await reader.read();
      if (!done) return this.#send({ type: "body-piece", body, bytes: value });
      this.#send({ type: "body-end", body });
    } catch (error) {
      this.#send({ type: "body-broken", body, problem: errorMessage(error) });
    }
    this.#outgoing.delete(body);
  }

  #piece(body: string, bytes: Uint8Array): void {
    const incoming = this.#incoming.get(body);
    incoming?.controller?.enqueue(new Uint8Array(bytes));
    incoming?.pulled?.resolve();
  }

  #finish(body: string, end: (controller: BodyController) => void): void {
    const incoming = this.#incoming.get(body);
    this.#incoming.delete(body);
    if (incoming?.controller) end(incoming.controller);
    incoming?.pulled?.resolve();
  }
}

type BodyController = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
type IncomingBody = {
  controller: BodyController | undefined;
  /** Settled when the piece asked for has arrived. */
  pulled: PromiseWithResolvers<void> | undefined;
};
