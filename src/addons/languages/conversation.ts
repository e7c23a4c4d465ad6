/**
 * A JSON-RPC connection to a language server: requests with timeouts, notifications, and answers to the server's own
 * requests.
 */

import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import {
  CancellationTokenSource,
  createMessageConnection,
  Emitter,
  type Message,
  type MessageReader,
  type MessageWriter,
  type PartialMessageInfo,
} from "vscode-jsonrpc/node";
import { untilAborted } from "../../base/async.ts";
import { mib } from "../../base/bound.ts";
import type { Json } from "../../base/json.ts";
import { floodGate } from "./flood-gate.ts";
import { messagesIn } from "./framing.ts";
import type { ServerProcess } from "./server-process.ts";

/** Data that a language server has not read yet, in bytes. */
const mostUnread = 64 * mib;

export type ServerConversation = {
  /** Rejects on an error answer, on timeout, and when the server has ended. */
  request(method: string, parameters: object, how: AnswerTimeout): Promise<unknown>;
  notify(method: string, parameters: object): void;
  /** Resolves with the reason when the connection is over. */
  ended: Promise<string>;
  isOver: () => boolean;
  /** Also ends the process. */
  close(): Promise<void>;
};

/** `ms`: the timeout. */
type AnswerTimeout = { ms: number; signal?: AbortSignal };

export type Listening = {
  heard: (method: string, parameters: unknown) => void;
  /** Answers a request from the server. */
  answer: (method: string, parameters: unknown) => Json;
};

export function converse(server: ServerProcess, { heard, answer }: Listening): ServerConversation {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const over = new AbortController();
  const reader = boundedReader(server);
  const connection = createMessageConnection(reader, promptWriter(server), quiet);
  connection.onRequest((method, parameters) => (takesMore() ? answer(method, parameters) : null));
  connection.onNotification((method, parameters) => heard(method, parameters));
  // The library intercepts progress notifications, and passes those without a request of ours to this handler.
  connection.onUnhandledProgress((parameters) => heard("$/progress", parameters));
  const end = (because: string): Promise<void> => {
    resolve(because);
    over.abort(new Error(because));
    connection.dispose();
    return server.stop();
  };
  reader.onError(({ message }) => void end(message));
  reader.onClose(() => void Promise.race([server.ended, sleep(silenceMs, "it stopped talking")]).then(end));
  connection.onError(() => {}); // broken pipe: the process's end explains it
  void server.ended.then(end);
  connection.listen();
  const takesMore = (): boolean => {
    if (server.input.writableLength < mostUnread) return !over.signal.aborted;
    void end("it does not read what it is sent");
    return false;
  };
  return {
    async request(method, parameters, how) {
      takesMore();
      return withinTime((token) => connection.sendRequest(method, parameters, token), {
        ...how,
        over: over.signal,
      });
    },
    notify(method, parameters) {
      if (takesMore()) connection.sendNotification(method, parameters).catch(() => undefined);
    },
    ended,
    isOver: () => over.signal.aborted,
    close: () => end("it was ended"),
  };
}

/** Grace period between the end of output and the exit of the process, in milliseconds; usually much less. */
const silenceMs = 1000;
const quiet = { error: () => {}, warn: () => {}, info: () => {}, log: () => {} };

type AnswerWait = AnswerTimeout & { over: AbortSignal };

async function withinTime(
  ask: (token: CancellationTokenSource["token"]) => Promise<unknown>,
  { ms, signal, over }: AnswerWait,
): Promise<unknown> {
  const stops = AbortSignal.any([AbortSignal.timeout(ms), over, ...(signal ? [signal] : [])]);
  stops.throwIfAborted();
  const cancelling = new CancellationTokenSource();
  try {
    return await untilAborted(ask(cancelling.token), stops);
  } catch (error) {
    if (stops.aborted && !over.aborted) cancelling.cancel(); // otherwise there is no server left to cancel at
    throw isTimeOut(error) ? new Error(`it did not answer within ${ms / 1000} seconds`) : error;
  } finally {
    cancelling.dispose();
  }
}

const isTimeOut = (reason: unknown): boolean => reason instanceof Error && reason.name === "TimeoutError";

/**
 * Processes each message before reading the next, so that backpressure stays in the server's pipe. A flood of messages
 * ends the connection.
 */
function boundedReader({ output }: ServerProcess): MessageReader {
  const failed = new Emitter<Error>();
  const closed = new Emitter<void>();
  const partial = new Emitter<PartialMessageInfo>();
  const read = async (take: (message: Message) => void): Promise<void> => {
    const flood = floodGate();
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const bytes of output) {
        flood({ messages: 0, bytes: bytes.length });
        yield bytes;
      }
    };
    try {
      for await (const message of messagesIn(counted())) {
        flood({ messages: 1, bytes: 0 });
        if (isMessage(message)) take(message);
        await nextRound();
      }
      closed.fire();
    } catch (error) {
      failed.fire(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return {
    onError: failed.event,
    onClose: closed.event,
    onPartialMessage: partial.event,
    listen(take) {
      void read(take);
      return { dispose: () => void output.destroy() };
    },
    dispose() {
      for (const emitter of [failed, closed, partial]) emitter.dispose();
    },
  };
}

/**
 * Writes without awaiting; the caller watches the pipe's buffered length, so no unbounded queue builds up elsewhere.
 */
function promptWriter({ input }: ServerProcess): MessageWriter {
  const failed = new Emitter<[Error, Message | undefined, number | undefined]>();
  const closed = new Emitter<void>();
  return {
    onError: failed.event,
    onClose: closed.event,
    async write(message) {
      if (!input.writable) throw new Error("it does not listen any more");
      const body = Buffer.from(JSON.stringify(message));
      input.write(`Content-Length: ${body.length}\r\n\r\n`);
      input.write(body);
    },
    end() {},
    dispose() {
      for (const emitter of [failed, closed]) emitter.dispose();
    },
  };
}

const isMessage = (message: object): message is Message => "jsonrpc" in message && message.jsonrpc === "2.0";
