/**
 * A JSON-RPC connection to a language server: requests that can be given up, notifications, and answers to the server's
 * own requests.
 */

import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../../base/async.ts";
import { mib } from "../../base/bound.ts";
import { errorMessage } from "../../base/expected.ts";
import { isObject, type Json } from "../../base/json.ts";
import { floodGate } from "./flood-gate.ts";
import { messagesIn } from "./framing.ts";
import type { ServerProcess } from "./server-process.ts";

/** Data that a language server has not read yet, in bytes. */
const mostUnread = 64 * mib;

export type ServerConversation = {
  /** Rejects on an error answer, with the signal's reason when it is aborted, and when the server has ended. */
  request(method: string, parameters: object, signal: AbortSignal): Promise<unknown>;
  notify(method: string, parameters: object): void;
  /** Resolves with the reason when the connection is over. */
  ended: Promise<string>;
  isOver: () => boolean;
  /** Also ends the process. */
  close(): Promise<void>;
};

export type Listening = {
  heard: (method: string, parameters: unknown) => void;
  /** Answers a request from the server. */
  answer: (method: string, parameters: unknown) => Json;
};

export function converse(server: ServerProcess, { heard, answer }: Listening): ServerConversation {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const over = new AbortController();
  const asked = new Map<unknown, PromiseWithResolvers<unknown>>();
  let count = 0;
  const end = (because: string): Promise<void> => {
    resolve(because);
    over.abort(new Error(because));
    return server.stop();
  };
  /** The end of the process says more, if it comes with the end of a stream. */
  const endSoon = (because: string): void =>
    void Promise.race([server.ended, sleep(silenceMs, because)]).then(end);
  const send = (message: object): void => {
    const { writable, writableLength } = server.input;
    if (over.signal.aborted) return;
    if (!writable) return endSoon("it does not listen any more");
    if (writableLength >= mostUnread) return void end("it does not read what it is sent");
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    server.input.write(`Content-Length: ${body.length}\r\n\r\n`);
    server.input.write(body);
  };
  const take = ({ id, method, params, result, error }: Record<string, unknown>): void => {
    if (over.signal.aborted) return;
    if (typeof method !== "string") return settle(asked.get(id), { result, error });
    if (id === undefined) heard(method, params);
    else send({ id, result: answer(method, params) });
  };
  readAll(server, take).then(
    () => endSoon("it stopped talking"),
    (error: unknown) => end(errorMessage(error)),
  );
  void server.ended.then(end);
  return {
    async request(method, parameters, signal) {
      const stops = AbortSignal.any([signal, over.signal]);
      stops.throwIfAborted();
      const id = ++count;
      const answered = Promise.withResolvers<unknown>();
      asked.set(id, answered);
      send({ id, method, params: parameters });
      try {
        return await untilAborted(answered.promise, stops);
      } finally {
        asked.delete(id);
        if (stops.aborted) send({ method: "$/cancelRequest", params: { id } });
      }
    },
    notify: (method, parameters) => send({ method, params: parameters }),
    ended,
    isOver: () => over.signal.aborted,
    close: () => end("it was ended"),
  };
}

/** Grace period between the end of a stream and the exit of the process, in milliseconds; usually much less. */
const silenceMs = 1000;

/** An error keeps its code, which says whether to ask again. */
function settle(
  asked: PromiseWithResolvers<unknown> | undefined,
  { result, error }: { result: unknown; error: unknown },
): void {
  if (!isObject(error)) asked?.resolve(result);
  else asked?.reject(Object.assign(new Error(String(error["message"])), { code: error["code"] }));
}

/**
 * Processes each message before reading the next, so that backpressure stays in the server's pipe. A flood of messages
 * ends the reading.
 */
async function readAll(
  { output }: ServerProcess,
  take: (message: Record<string, unknown>) => void,
): Promise<void> {
  const flood = floodGate();
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of output) {
      flood({ messages: 0, bytes: bytes.length });
      yield bytes;
    }
  };
  for await (const message of messagesIn(counted())) {
    flood({ messages: 1, bytes: 0 });
    if (message["jsonrpc"] === "2.0") take(message);
    await nextRound();
  }
}
